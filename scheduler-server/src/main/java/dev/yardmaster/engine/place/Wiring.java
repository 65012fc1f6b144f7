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
  /**
   * A switch. Leaves have level 0, others one more than the highest switch below them.
   *
   * @param nodes all nodes below it
   * @param own those that hang on it directly
   */
  record Unit(String name, int level, long[] nodes, long[] own) {}

  private final List<Unit> units;
  private final List<long[]> leaves;
  private final int[] parents;
  private final int[][] distances;

  /** Stands for the distance of switches that nothing links. */
  static final int APART = Integer.MAX_VALUE / 1024;

  private Wiring(List<Unit> units, List<long[]> leaves, int[] parents) {
    this.units = units;
    this.leaves = leaves;
    this.parents = parents;
    distances = new int[units.size()][units.size()];
    for (int a = 0; a < parents.length; a++) {
      for (int b = 0; b < parents.length; b++) {
        distances[a][b] = links(a, b);
      }
    }
  }

  /** How many links lie between two switches. */
  private int links(int a, int b) {
    int up = 0;
    for (int x = a; x >= 0; x = parents[x]) {
      int down = 0;
      for (int y = b; y >= 0; y = parents[y]) {
        if (x == y) {
          return up + down;
        }
        down++;
      }
      up++;
    }
    return APART;
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
    int[] parents = new int[units.size()];
    for (int i = 0; i < parents.length; i++) {
      parents[i] = parent(tree.switches(), units.get(i).name());
    }
    return new Wiring(List.copyOf(units), List.copyOf(leaves), parents);
  }

  private static int parent(List<Topology.Switch> switches, String name) {
    for (int i = 0; i < switches.size(); i++) {
      if (switches.get(i).switches().contains(name) && !switches.get(i).name().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  private static Unit unit(
      Topology.Switch s,
      TreeMap<String, Topology.Switch> byName,
      TreeMap<String, Unit> done,
      Hardware hardware,
      int depth) {
    Unit known = done.get(s.name());
    if (known != null || depth > byName.size()) {
      return known == null
          ? new Unit(s.name(), 0, hardware.setOf(s.nodes()), hardware.setOf(s.nodes()))
          : known;
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
    Unit unit = new Unit(s.name(), level, nodes, hardware.setOf(s.nodes()));
    done.put(s.name(), unit);
    return unit;
  }

  /** All switches, in the order of the configuration. */
  List<Unit> units() {
    return units;
  }

  /** The place of the switch above one; -1 when there is none. */
  int parent(int unit) {
    return parents[unit];
  }

  /** How many links lie between two switches; {@link #APART} when nothing links them. */
  int distance(int a, int b) {
    return distances[a][b];
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
