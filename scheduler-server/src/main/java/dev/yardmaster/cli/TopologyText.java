package dev.yardmaster.cli;

import dev.yardmaster.model.Topology;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** scontrol show topology: a line for each switch or block. */
final class TopologyText {
  private static final Set<String> UNITS = Set.of("unit", "switch", "block", "ring", "torus");

  /** A unit with all nodes below it. */
  private record Unit(String name, Set<String> nodes, String line) {}

  private TopologyText() {}

  /**
   * What the words after {@code show topology} ask for.
   *
   * @param name the topology; null for the cluster's
   */
  record Asked(@Nullable String name, @Nullable String unit, List<String> nodes) {
    static Asked of(List<String> words) throws CommandFailure {
      String name = null;
      String unit = null;
      List<String> nodes = List.of();
      for (String word : words) {
        int equals = word.indexOf('=');
        String key = equals < 0 ? "" : word.substring(0, equals).toLowerCase(java.util.Locale.ROOT);
        String value = word.substring(equals + 1);
        if (equals < 0) {
          name = word;
        } else if (UNITS.contains(key)) {
          unit = value;
        } else if (key.equals("node") || key.equals("nodes")) {
          nodes = expand(value);
        } else {
          throw new CommandFailure(1, "scontrol: error: Invalid topology argument: " + word);
        }
      }
      return new Asked(name, unit, nodes);
    }

    private static List<String> expand(String value) throws CommandFailure {
      try {
        return HostList.parse(value).expand();
      } catch (IllegalArgumentException e) {
        throw new CommandFailure(1, "scontrol: error: Invalid node list: " + value);
      }
    }
  }

  /**
   * The lines asked for; null when there is no such topology. The first is an error where nothing
   * of a topology with units fits.
   */
  static @Nullable Lines of(List<Topology> topologies, Asked asked) {
    Topology chosen = null;
    for (Topology topology : topologies) {
      if (asked.name() == null || topology.name().equals(asked.name())) {
        chosen = topology;
        break;
      }
    }
    if (chosen == null) {
      return null;
    }
    List<Unit> units =
        switch (chosen) {
          case Topology.Flat flat -> List.of();
          case Topology.Tree tree -> switches(tree);
          case Topology.Block block -> blocks(block);
          case Topology.Ring ring -> ring.rings().stream().map(TopologyText::ring).toList();
          case Topology.Torus torus -> torus.tori().stream().map(TopologyText::torus).toList();
        };
    Predicate<Unit> fits =
        unit ->
            (asked.unit() == null || unit.name().equals(asked.unit()))
                && unit.nodes().containsAll(asked.nodes());
    List<String> lines = units.stream().filter(fits).map(Unit::line).toList();
    boolean missing = lines.isEmpty() && !units.isEmpty();
    return new Lines(lines, missing ? nothing(chosen, asked) : "");
  }

  /**
   * @param error what is said when nothing fits; else empty
   */
  record Lines(List<String> lines, String error) {}

  private static String nothing(Topology topology, Asked asked) {
    String kind =
        switch (topology) {
          case Topology.Block block -> "block";
          case Topology.Ring ring -> "ring";
          case Topology.Torus torus -> "torus";
          case Topology.Flat flat -> "switch";
          case Topology.Tree tree -> "switch";
        };
    boolean holds = kind.equals("ring") || kind.equals("torus");
    return "Topology information contains no "
        + kind
        + (asked.unit() == null ? "" : " named " + asked.unit())
        + (asked.nodes().isEmpty()
            ? ""
            : (holds ? " with nodes " : " connected to ") + HostList.of(asked.nodes()).toString());
  }

  private static Unit ring(Topology.BlockUnit ring) {
    return new Unit(
        ring.name(),
        new LinkedHashSet<>(ring.nodes()),
        "RingName=%s Nodes=%s RingSize=%d"
            .formatted(ring.name(), HostList.fold(ring.nodes()), ring.nodes().size()));
  }

  private static Unit torus(Topology.TorusUnit torus) {
    Set<String> nodes = new LinkedHashSet<>(torus.cells());
    nodes.remove("");
    StringBuilder line = new StringBuilder("TorusName=" + torus.name() + " Dims=" + torus.size());
    line.append(nodes.isEmpty() ? "" : " Nodes=" + HostList.fold(List.copyOf(nodes)));
    List<Topology.Box> boxes = new ArrayList<>(torus.boxes());
    boxes.sort(Comparator.comparingLong(box -> box.size().product()));
    for (Topology.Box box : boxes) {
      line.append(
          "\n  TorusName=%s PlacementDims=%s(%d) Anchors=%d"
              .formatted(torus.name(), box.size(), box.size().product(), anchors(torus, box)));
    }
    return new Unit(torus.name(), nodes, line.toString());
  }

  private static long anchors(Topology.TorusUnit torus, Topology.Box box) {
    return anchors(torus.size().x(), box.spacing().x())
        * anchors(torus.size().y(), box.spacing().y())
        * anchors(torus.size().z(), box.spacing().z());
  }

  /** Steps of a length along a circle until one comes back to where it began. */
  private static long anchors(long size, long step) {
    long a = size;
    long b = step;
    while (b != 0) {
      long rest = a % b;
      a = b;
      b = rest;
    }
    return size / a;
  }

  private static List<Unit> switches(Topology.Tree tree) {
    Map<String, Topology.Switch> byName = new LinkedHashMap<>();
    tree.switches().forEach(s -> byName.put(s.name(), s));
    List<Unit> units = new ArrayList<>();
    for (Topology.Switch s : tree.switches()) {
      Set<String> nodes = new LinkedHashSet<>();
      below(s, byName, nodes);
      units.add(
          new Unit(
              s.name(),
              nodes,
              "SwitchName="
                  + s.name()
                  + " Level="
                  + level(s, byName)
                  + " LinkSpeed=1 Nodes="
                  + HostList.fold(List.copyOf(nodes))
                  + (s.switches().isEmpty() ? "" : " Switches=" + HostList.fold(s.switches()))));
    }
    return units;
  }

  private static void below(
      Topology.Switch top, Map<String, Topology.Switch> byName, Set<String> nodes) {
    nodes.addAll(top.nodes());
    for (String child : top.switches()) {
      Topology.Switch s = byName.get(child);
      if (s != null && s != top) {
        below(s, byName, nodes);
      }
    }
  }

  private static int level(Topology.Switch top, Map<String, Topology.Switch> byName) {
    int level = 0;
    for (String child : top.switches()) {
      Topology.Switch s = byName.get(child);
      level = Math.max(level, s == null || s == top ? 1 : 1 + level(s, byName));
    }
    return level;
  }

  /**
   * The blocks, and for each larger size the blocks that are planned together: as many as that size
   * comes to from each multiple of it on, unless the next smaller size holds all that are left.
   * They are numbered in the order in which they begin, and told size by size.
   */
  private static List<Unit> blocks(Topology.Block block) {
    List<Topology.BlockUnit> all = block.blocks();
    if (all.isEmpty()) {
      return List.of();
    }
    boolean said = !block.blockSizes().isEmpty();
    int base = Math.max(1, said ? block.blockSizes().getFirst() : all.getFirst().nodes().size());
    List<Unit> units = new ArrayList<>();
    for (Topology.BlockUnit unit : all) {
      units.add(unit("BlockName", List.of(unit), unit.name(), units.size(), base));
    }
    List<Integer> sizes = togetherOf(block.blockSizes(), base, all.size());
    List<List<Unit>> bySize = new ArrayList<>();
    sizes.forEach(s -> bySize.add(new ArrayList<>()));
    int index = all.size();
    for (int first = 0; first < all.size(); first++) {
      for (int level = 1; level < sizes.size(); level++) {
        int together = sizes.get(level);
        int left = all.size() - first;
        boolean small = together > left && sizes.get(level - 1) >= left;
        if (first % together == 0 && !small) {
          List<Topology.BlockUnit> some = all.subList(first, first + Math.min(together, left));
          String name = HostList.fold(some.stream().map(Topology.BlockUnit::name).toList());
          bySize.get(level).add(unit("AggregatedBlock", some, name, index++, base * together));
        }
      }
    }
    bySize.forEach(units::addAll);
    return units;
  }

  /** How many blocks lie together, from one on: powers of two, no larger ones than are needed. */
  private static List<Integer> togetherOf(List<Integer> nodes, int base, int blocks) {
    TreeSet<Integer> levels = new TreeSet<>(nodes.isEmpty() ? List.of(0, 1, 2, 3, 4) : List.of(0));
    for (int size : nodes) {
      int together = Math.ceilDiv(size, base);
      levels.add(together <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(together - 1));
    }
    List<Integer> sizes = new ArrayList<>();
    for (int level : levels) {
      sizes.add(1 << level);
      if (1 << level >= blocks) {
        break;
      }
    }
    return sizes;
  }

  private static Unit unit(
      String kind, List<Topology.BlockUnit> blocks, String name, int index, int size) {
    Set<String> nodes = new LinkedHashSet<>();
    blocks.forEach(b -> nodes.addAll(b.nodes()));
    return new Unit(
        name,
        nodes,
        "%s=%s BlockIndex=%d Nodes=%s BlockSize=%d"
            .formatted(kind, name, index, HostList.fold(List.copyOf(nodes)), size));
  }
}
