package dev.yardmaster.engine.place;

import dev.yardmaster.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The switches of topology/tree, compiled: each with the nodes below it, and the leaves, which are
 * the switches that nodes hang on directly.
 */
final class Wiring {
  /** A switch. Leaves have level 0, others one more than the highest switch below them. */
  record Unit(String name, int level, long[] nodes) {}

  private final List<Unit> units;
  private final List<long[]> leaves;
  private final List<Unit> roots;

  private Wiring(List<Unit> units, List<long[]> leaves) {
    this.units = units;
    this.leaves = leaves;
    roots =
        units.stream()
            .filter(
                unit ->
                    units.stream()
                        .noneMatch(
                            other ->
                                other.level > unit.level && Bits.contains(other.nodes, unit.nodes)))
            .toList();
  }

  /** The wiring of a cluster; null when its nodes are all equally far from each other. */
  static @Nullable Wiring of(Topology topology, Hardware hardware) {
    return topology instanceof Topology.Tree tree ? tree(tree, hardware) : null;
  }

  private static Wiring tree(Topology.Tree tree, Hardware hardware) {
    TreeMap<String, Topology.Switch> byName = new TreeMap<>();
    tree.switches().forEach(s -> byName.put(s.name(), s));
    TreeMap<String, Unit> done = new TreeMap<>();
    List<Unit> units = new ArrayList<>();
    List<long[]> leaves = new ArrayList<>();
    for (Topology.Switch s : tree.switches()) {
      units.add(unit(s, byName, done, hardware, 0));
      if (!s.nodes().isEmpty()) {
        leaves.add(hardware.setOf(s.nodes()));
      }
    }
    units.sort(Comparator.comparingInt(Unit::level));
    return new Wiring(List.copyOf(units), List.copyOf(leaves));
  }

  private static Unit unit(
      Topology.Switch s,
      TreeMap<String, Topology.Switch> byName,
      TreeMap<String, Unit> done,
      Hardware hardware,
      int depth) {
    Unit known = done.get(s.name());
    if (known != null || depth > byName.size()) {
      return known == null ? new Unit(s.name(), 0, hardware.setOf(s.nodes())) : known;
    }
    long[] nodes = hardware.setOf(s.nodes());
    int level = 0;
    for (String child : s.switches()) {
      Topology.Switch below = byName.get(child);
      if (below != null) {
        Unit unit = unit(below, byName, done, hardware, depth + 1);
        Bits.addAll(nodes, unit.nodes);
        level = Math.max(level, unit.level + 1);
      }
    }
    Unit unit = new Unit(s.name(), level, nodes);
    done.put(s.name(), unit);
    return unit;
  }

  /** All switches, lowest level first, in configuration order within a level. */
  List<Unit> units() {
    return units;
  }

  /** Switches that are below no other: nothing links what is below different ones. */
  List<Unit> roots() {
    return roots;
  }

  /** The nodes of each leaf switch, in configuration order. */
  List<long[]> leaves() {
    return leaves;
  }

  /** How many leaf switches these nodes hang on. */
  int leavesOf(long[] nodes) {
    int count = 0;
    for (long[] leaf : leaves) {
      count += Bits.countCommon(leaf, nodes) > 0 ? 1 : 0;
    }
    return count;
  }

  /** The most nodes of a set that hang on a number of leaf switches. */
  int mostBelow(long[] nodes, int number) {
    return leaves.stream()
        .map(leaf -> Bits.countCommon(leaf, nodes))
        .sorted(Comparator.reverseOrder())
        .limit(number)
        .mapToInt(Integer::intValue)
        .sum();
  }
}
