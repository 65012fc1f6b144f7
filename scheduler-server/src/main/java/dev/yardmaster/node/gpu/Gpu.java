package dev.yardmaster.node.gpu;

import dev.yardmaster.model.IndexSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A GPU, or a part of one (MIG), as its driver tells of it.
 *
 * @param index its place in the order of the PCI bus, from 0, which parts share with their GPU
 * @param type its name as Slurm writes it: lower case, underscores for spaces; of a part with the
 *     name of its profile
 * @param file its device file; a part has several, with commas between them
 * @param uuid empty when unknown
 * @param cpus the CPUs near it, as the kernel numbers them; null when unknown
 * @param links how many links it has to each GPU in the order of the bus, -1 to itself; null when
 *     unknown
 * @param isPart whether it is a part, which programs know by its UUID alone
 */
public record Gpu(
    int index,
    String type,
    String file,
    String uuid,
    @Nullable IndexSet cpus,
    @Nullable List<Integer> links,
    boolean isPart) {
  public Gpu {
    links = links == null ? null : List.copyOf(links);
  }

  /** A product's name as Slurm makes a type of it. */
  static String typeOf(String name) {
    return name.strip().replace(' ', '_').toLowerCase(Locale.ROOT);
  }
}
