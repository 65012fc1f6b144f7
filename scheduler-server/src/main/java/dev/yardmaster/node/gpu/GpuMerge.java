package dev.yardmaster.node.gpu;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeSpec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Joins the GPUs that were found with those of the configuration, as Slurm's gres/gpu plugin does:
 * the configuration says how many there are and what their types are called; what it says of files,
 * cores and links has to be so, or the GPU does not count.
 */
final class GpuMerge {
  private static final String GPU = "gpu";

  /**
   * What came of it.
   *
   * @param gres all devices of the node
   * @param names what a program calls each GPU, by index on the node; null where only the
   *     configuration knows it
   * @param complaints what an operator is to know, one line each
   */
  record Merged(List<GresDevices> gres, List<@Nullable Name> names, List<String> complaints) {
    Merged {
      gres = List.copyOf(gres);
      // Holds nulls.
      names = new ArrayList<>(names);
      complaints = List.copyOf(complaints);
    }
  }

  /**
   * What a program calls a GPU.
   *
   * @param number as CUDA counts
   * @param uuid empty when unknown
   */
  record Name(int number, String uuid, boolean byUuid) {}

  /** One GPU of the configuration. */
  private record Wanted(
      int item,
      @Nullable String type,
      @Nullable String file,
      @Nullable IndexSet cores,
      @Nullable List<Integer> links) {}

  /** A GPU that was found, with the type that the configuration calls it by. */
  private static final class Found {
    private final Gpu gpu;
    private @Nullable String type;
    private boolean used;

    Found(Gpu gpu) {
      this.gpu = gpu;
      this.type = gpu.type().isEmpty() ? null : gpu.type();
    }
  }

  private record Pair(Wanted wanted, @Nullable Gpu gpu) {}

  private final NodeSpec node;
  private final UnaryOperator<IndexSet> coresOf;
  private final boolean byUuid;
  private final List<String> complaints = new ArrayList<>();

  private GpuMerge(NodeSpec node, UnaryOperator<IndexSet> coresOf, boolean byUuid) {
    this.node = node;
    this.coresOf = coresOf;
    this.byUuid = byUuid;
  }

  /**
   * Joins them.
   *
   * @param coresOf the indices of the cores that CPUs of the kernel are of
   * @param byUuid whether programs are to know whole GPUs by their UUIDs too (Flags=env_uuid)
   */
  static Merged of(
      NodeSpec node, List<Gpu> found, UnaryOperator<IndexSet> coresOf, boolean byUuid) {
    return new GpuMerge(node, coresOf, byUuid).merge(found);
  }

  private Merged merge(List<Gpu> gpus) {
    List<Found> found = gpus.stream().map(Found::new).toList();
    List<Wanted> wanted = wanted();
    name(found, wanted);
    List<Pair> pairs = pairs(found, wanted);
    List<String> ignored =
        found.stream().filter(f -> !f.used).map(f -> f.gpu.file()).sorted().toList();
    if (!ignored.isEmpty()) {
      complaints.add(
          "The following autodetected GPUs are being ignored, as Gres= of node "
              + node.name()
              + " does not count them: "
              + String.join(" ", ignored));
    }
    List<GresDevices> gres = new ArrayList<>();
    List<@Nullable Name> names = new ArrayList<>();
    List<Pair> order = new ArrayList<>();
    for (int item = 0; item < node.gres().size(); item++) {
      int of = item;
      if (node.gres().get(item).name().equals(GPU)) {
        order.addAll(pairs.stream().filter(p -> p.wanted.item == of).toList());
      }
    }
    order.forEach(p -> names.add(name(p.gpu)));
    for (int item = 0; item < node.gres().size(); item++) {
      int of = item;
      GresDevices devices = node.gres().get(item);
      gres.add(
          devices.name().equals(GPU)
              ? devices(devices, order.stream().filter(p -> p.wanted.item == of).toList(), order)
              : devices);
    }
    return new Merged(gres, names, complaints);
  }

  private @Nullable Name name(@Nullable Gpu gpu) {
    return gpu == null
        ? null
        : new Name(gpu.index(), gpu.uuid(), gpu.isPart() || byUuid && !gpu.uuid().isEmpty());
  }

  private List<Wanted> wanted() {
    List<Wanted> wanted = new ArrayList<>();
    IndexSet every = IndexSet.range(0, node.cores() - 1);
    for (int item = 0; item < node.gres().size(); item++) {
      GresDevices devices = node.gres().get(item);
      for (int i = 0; devices.name().equals(GPU) && i < devices.count(); i++) {
        IndexSet cores = i < devices.cores().size() ? devices.cores().get(i) : null;
        List<Integer> links = i < devices.links().size() ? devices.links().get(i) : null;
        wanted.add(
            new Wanted(
                item,
                devices.type(),
                i < devices.files().size() ? devices.files().get(i) : null,
                // What a line of gres.conf leaves out is completed so.
                cores == null || every.equals(cores) ? null : cores,
                links == null || links.stream().allMatch(n -> n <= 0) ? null : links));
      }
    }
    return wanted;
  }

  /** Gives what was found the types of the configuration, of which each is part of its own. */
  private static void name(List<Found> found, List<Wanted> wanted) {
    if (wanted.isEmpty()) {
      return;
    }
    boolean typed = wanted.stream().anyMatch(w -> w.type != null);
    // Of k20m and k20m1 the longer one is looked for first.
    Comparator<String> longestFirst =
        Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder());
    List<String> left =
        new ArrayList<>(
            wanted.stream()
                .map(Wanted::type)
                .filter(Objects::nonNull)
                .sorted(longestFirst)
                .toList());
    List<Found> inOrder =
        found.stream()
            .sorted(
                Comparator.comparing((Found f) -> f.gpu.type(), longestFirst)
                    .thenComparing(f -> f.gpu.file(), GpuMerge::byFile))
            .toList();
    for (Found each : inOrder) {
      String own = each.gpu.type().toLowerCase(Locale.ROOT);
      String match =
          left.stream()
              .filter(type -> own.contains(type.toLowerCase(Locale.ROOT)))
              .findFirst()
              .orElse(null);
      if (match != null) {
        left.remove(match);
        each.type = match;
      } else if (!typed) {
        each.type = null;
      }
    }
  }

  private List<Pair> pairs(List<Found> found, List<Wanted> wanted) {
    List<Found> inOrder =
        found.stream().sorted(Comparator.comparing(f -> f.gpu.file(), GpuMerge::byFile)).toList();
    List<Pair> pairs = new ArrayList<>();
    // Those that name a file come first; the others fill what is left.
    List<Wanted> order = new ArrayList<>(wanted);
    order.sort(
        Comparator.comparing(
            Wanted::file, Comparator.nullsLast((String a, String b) -> byFile(a, b))));
    for (Wanted each : order) {
      Found match =
          inOrder.stream()
              .filter(f -> !f.used)
              .filter(f -> each.type == null || each.type.equals(f.type))
              .filter(f -> each.file == null || each.file.equals(f.gpu.file()))
              .findFirst()
              .orElse(null);
      if (match == null) {
        if (each.file == null) {
          complaints.add(
              "Discarding a gpu"
                  + (each.type == null ? "" : ":" + each.type)
                  + " of Gres= of node "
                  + node.name()
                  + ": none was found, and gres.conf names no File for it");
        } else {
          pairs.add(new Pair(each, null));
        }
        continue;
      }
      match.used = true;
      String difference = difference(each, match.gpu);
      if (difference.isEmpty()) {
        pairs.add(new Pair(each, match.gpu));
      } else {
        complaints.add(
            "This GPU specified in [slurm|gres].conf has mismatching Cores or Links from the"
                + " device found on the system. Ignoring it: "
                + match.gpu.file()
                + difference);
      }
    }
    pairs.sort(
        Comparator.comparing(
                (Pair p) -> p.gpu == null ? null : p.gpu.index(),
                Comparator.nullsLast(Comparator.<Integer>naturalOrder()))
            .thenComparing(
                p -> p.gpu == null ? String.valueOf(p.wanted.file) : p.gpu.file(),
                GpuMerge::byFile));
    return pairs;
  }

  private String difference(Wanted wanted, Gpu gpu) {
    StringBuilder text = new StringBuilder();
    IndexSet cores = gpu.cpus() == null ? null : coresOf.apply(gpu.cpus());
    if (wanted.cores != null && cores != null && !wanted.cores.equals(cores)) {
      text.append(" has Cores=").append(cores).append(", not ").append(wanted.cores);
    }
    List<Integer> links = gpu.links();
    if (wanted.links != null && links != null && !same(wanted.links, links)) {
      text.append(text.isEmpty() ? " has " : "; ")
          .append("Links=")
          .append(text(links))
          .append(", not ")
          .append(text(wanted.links));
    }
    return text.toString();
  }

  /** As the configuration was completed with zeros, so may be what was found. */
  private static boolean same(List<Integer> wanted, List<Integer> found) {
    for (int i = 0; i < Math.max(wanted.size(), found.size()); i++) {
      int a = i < wanted.size() ? wanted.get(i) : 0;
      int b = i < found.size() ? found.get(i) : 0;
      if (a != b) {
        return false;
      }
    }
    return true;
  }

  private static String text(List<Integer> links) {
    return String.join(",", links.stream().map(String::valueOf).toList());
  }

  /** The devices of one type, with cores and links to all others in the order of the node. */
  private GresDevices devices(GresDevices said, List<Pair> own, List<Pair> all) {
    List<String> files = new ArrayList<>();
    List<IndexSet> cores = new ArrayList<>();
    List<List<Integer>> links = new ArrayList<>();
    IndexSet every = IndexSet.range(0, node.cores() - 1);
    boolean anyLinks = false;
    for (Pair pair : own) {
      files.add(pair.gpu == null ? String.valueOf(pair.wanted.file) : pair.gpu.file());
      IndexSet near =
          pair.gpu == null || pair.gpu.cpus() == null ? null : coresOf.apply(pair.gpu.cpus());
      if (near == null || near.isEmpty()) {
        near = pair.wanted.cores == null ? every : pair.wanted.cores;
      }
      cores.add(near);
      List<Integer> row = links(pair, all);
      anyLinks |= row.stream().anyMatch(n -> n > 0);
      links.add(row);
    }
    Set<IndexSet> different = new HashSet<>(cores);
    boolean nearEvery = different.equals(Set.of(every)) || different.isEmpty();
    return new GresDevices(
        said.name(),
        said.type(),
        own.size(),
        said.firstIndex(),
        files,
        nearEvery ? List.of() : cores,
        anyLinks ? links : List.of(),
        false);
  }

  private static List<Integer> links(Pair of, List<Pair> all) {
    List<Integer> row = new ArrayList<>();
    for (Pair other : all) {
      List<Integer> links = of.gpu == null ? null : of.gpu.links();
      row.add(
          other == of
              ? -1
              : links == null || other.gpu == null || other.gpu.index() >= links.size()
                  ? 0
                  : Math.max(0, links.get(other.gpu.index())));
    }
    return row;
  }

  /** {@code nvidia2} before {@code nvidia10}. */
  private static int byFile(String a, String b) {
    String digits = "[0-9]+$";
    String startA = a.replaceFirst(digits, "");
    String startB = b.replaceFirst(digits, "");
    if (!startA.equals(startB)) {
      return startA.compareTo(startB);
    }
    int byLength = Integer.compare(a.length(), b.length());
    return byLength != 0 ? byLength : a.compareTo(b);
  }
}
