package dev.yardmaster.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One kind of generic resource on a node, as slurm.conf and gres.conf together describe it.
 *
 * @param name for example {@code gpu}, {@code shard}, {@code mps}
 * @param type for example {@code h100}; null when untyped
 * @param count how many the node has
 * @param firstIndex index on the node of the first device of this kind; devices are numbered
 *     without gaps
 * @param files device files in index order; empty when none are configured
 * @param cores for each device the core indices near it (gres.conf Cores=); empty when any core
 *     will do
 * @param links for each device its link counts to all devices of the same name (gres.conf Links=,
 *     -1 for itself); empty when not configured
 * @param countOnly whether gres.conf gives a Count= and no devices, so that they cannot be told
 *     apart
 */
public record GresDevices(
    String name,
    @Nullable String type,
    long count,
    int firstIndex,
    List<String> files,
    List<IndexSet> cores,
    List<List<Integer>> links,
    boolean countOnly) {
  public GresDevices {
    files = List.copyOf(files);
    cores = List.copyOf(cores);
    links = links.stream().map(List::copyOf).toList();
  }

  /** Devices that can be told apart where that matters. */
  public GresDevices(
      String name,
      @Nullable String type,
      long count,
      int firstIndex,
      List<String> files,
      List<IndexSet> cores,
      List<List<Integer>> links) {
    this(name, type, count, firstIndex, files, cores, links, false);
  }

  /** Whether a job holds certain ones rather than some number of them. */
  public boolean haveIndices() {
    return count > 0 && count <= 64 && (!files.isEmpty() || name.equals("gpu") && !countOnly);
  }

  /** A kind known only by its count. */
  public static GresDevices counted(String name, @Nullable String type, long count) {
    return new GresDevices(name, type, count, 0, List.of(), List.of(), List.of());
  }
}
