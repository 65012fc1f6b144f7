package dev.yardmaster.config;

import dev.yardmaster.model.Topology;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Puts switches and blocks together and says where they do not fit each other or the nodes. */
final class TopologyCheck {
  private static final int MOST_SIZES = 16;

  /** Slurm's limit. */
  private static final int MOST_OF_RING = 16;

  private final Set<String> nodes;
  private final Findings findings;

  /** A switch as written; the settings say where to point. */
  record SwitchLine(
      Setting head,
      Setting switchesAt,
      List<String> switches,
      Setting nodesAt,
      List<String> nodes) {}

  /** A block as written. */
  record BlockLine(Setting head, Setting nodesAt, List<String> nodes) {}

  TopologyCheck(Set<String> nodes, Findings findings) {
    this.nodes = nodes;
    this.findings = findings;
  }

  Topology tree(String name, Path file, List<SwitchLine> lines) {
    if (lines.isEmpty()) {
      findings.add(Severity.FATAL, file, 0, "no switch is described", "write SwitchName= lines");
    }
    Map<String, SwitchLine> byName = new LinkedHashMap<>();
    for (SwitchLine line : lines) {
      SwitchLine earlier = byName.putIfAbsent(line.head().value(), line);
      if (earlier != null) {
        findings.fatal(
            line.head(),
            "also described on line " + earlier.head().line(),
            "describe each switch once");
      } else if (line.head().value().length() > 64) {
        findings.fatal(line.head(), "longer than 64 characters", "use a shorter name");
      }
    }
    List<Topology.Switch> switches = new ArrayList<>();
    Map<String, String> leafOf = new HashMap<>();
    for (SwitchLine line : byName.values()) {
      switches.add(switchOf(line, byName, leafOf));
    }
    connected(file, byName, leafOf.keySet());
    return new Topology.Tree(name, switches);
  }

  private Topology.Switch switchOf(
      SwitchLine line, Map<String, SwitchLine> byName, Map<String, String> leafOf) {
    if (!line.nodes().isEmpty() && !line.switches().isEmpty()) {
      findings.fatal(
          line.head(), "the switch has both nodes and switches", "put a leaf switch between");
    }
    List<String> children = new ArrayList<>();
    for (String child : line.switches()) {
      if (child.equals(line.head().value())) {
        findings.fatal(line.switchesAt(), "the switch is its own child", "remove " + child);
      } else if (!byName.containsKey(child)) {
        String help =
            Nearest.of(child, byName.keySet(), findings)
                .map(n -> "did you mean " + n + "?")
                .orElse("write SwitchName=" + child);
        findings.fatal(line.switchesAt(), "there is no switch " + child, help);
      } else {
        children.add(child);
      }
    }
    List<String> members = known(line.nodesAt(), line.head(), line.nodes());
    for (String node : members) {
      String other = leafOf.putIfAbsent(node, line.head().value());
      if (other != null) {
        findings.warn(line.nodesAt(), "node " + node + " is on switch " + other + ", too", "");
      }
    }
    return new Topology.Switch(line.head().value(), children, members);
  }

  private void connected(Path file, Map<String, SwitchLine> byName, Set<String> reached) {
    Set<String> hasParent = new HashSet<>();
    byName.values().forEach(l -> hasParent.addAll(l.switches()));
    List<String> roots = byName.keySet().stream().filter(s -> !hasParent.contains(s)).toList();
    Set<String> seen = new HashSet<>();
    for (String root : roots) {
      walk(root, byName, seen);
    }
    for (SwitchLine line : byName.values()) {
      Set<String> below = new HashSet<>();
      if (!seen.contains(line.head().value())) {
        line.switches().forEach(child -> walk(child, byName, below));
      }
      if (below.contains(line.head().value())) {
        findings.fatal(line.head(), "the switches form a loop", "give the tree a root");
        return;
      }
    }
    if (roots.size() > 1) {
      findings.add(
          Severity.INFO,
          file,
          0,
          "the switches " + NodeSets.folded(roots) + " are not connected; no job runs across them",
          "add a switch above them when they are");
    }
    missing(file, reached, "switch");
  }

  private static void walk(String root, Map<String, SwitchLine> byName, Set<String> seen) {
    Deque<String> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      SwitchLine line = byName.get(open.pop());
      if (line != null && seen.add(line.head().value())) {
        line.switches().forEach(open::push);
      }
    }
  }

  Topology block(
      String name,
      Path file,
      List<BlockLine> lines,
      @Nullable Setting sizesAt,
      List<String> sizes) {
    if (lines.isEmpty()) {
      findings.add(Severity.FATAL, file, 0, "no block is described", "write BlockName= lines");
    }
    Map<String, BlockLine> byName = new LinkedHashMap<>();
    lines.forEach(line -> byName.putIfAbsent(line.head().value(), line));
    List<Topology.BlockUnit> blocks = units(file, lines, "block");
    List<Integer> blockSizes = sizesAt == null ? List.of() : sizes(sizesAt, sizes);
    if (!blockSizes.isEmpty()) {
      for (Topology.BlockUnit block : blocks) {
        BlockLine line = byName.get(block.name());
        if (line != null && block.nodes().size() < blockSizes.getFirst()) {
          findings.warn(
              line.head(),
              "the block has "
                  + block.nodes().size()
                  + " nodes, the base size is "
                  + blockSizes.getFirst(),
              "use a smaller first size in BlockSizes");
        }
      }
    }
    return new Topology.Block(name, blocks, blockSizes);
  }

  /**
   * Rings of nodes.
   *
   * @param at the line where the description begins
   */
  Topology ring(String name, Path file, int at, List<BlockLine> lines) {
    if (lines.isEmpty()) {
      findings.add(
          Severity.FATAL, file, at, "no ring is described", "write name and nodes of each ring");
    }
    for (BlockLine line : lines) {
      if (line.nodes().size() > MOST_OF_RING) {
        findings.fatal(
            line.nodesAt(), "a ring has at most " + MOST_OF_RING + " nodes", "make two of it");
      }
    }
    return new Topology.Ring(name, units(file, lines, "ring"));
  }

  /** Groups of nodes by name, blocks or rings: each once, and each node in one of them. */
  List<Topology.BlockUnit> units(Path file, List<BlockLine> lines, String kind) {
    Map<String, BlockLine> byName = new LinkedHashMap<>();
    List<Topology.BlockUnit> units = new ArrayList<>();
    Map<String, String> unitOf = new HashMap<>();
    for (BlockLine line : lines) {
      BlockLine earlier = byName.putIfAbsent(line.head().value(), line);
      if (earlier != null) {
        findings.fatal(
            line.head(),
            "also described on line " + earlier.head().line(),
            "describe each " + kind + " once");
        continue;
      }
      List<String> members = known(line.nodesAt(), line.head(), line.nodes());
      for (String node : members) {
        String other = unitOf.putIfAbsent(node, line.head().value());
        if (other != null) {
          findings.warn(
              line.nodesAt(), "node " + node + " is in " + kind + " " + other + ", too", "");
        }
      }
      units.add(new Topology.BlockUnit(line.head().value(), members));
    }
    missing(file, unitOf.keySet(), kind);
    return units;
  }

  private List<Integer> sizes(Setting at, List<String> texts) {
    List<Integer> sizes = new ArrayList<>();
    for (String text : texts) {
      int size = text.matches("\\d{1,9}") ? Integer.parseInt(text) : 0;
      int base = sizes.isEmpty() ? size : sizes.getFirst();
      boolean fits = size > 0 && size % base == 0 && Integer.bitCount(size / base) == 1;
      if (!fits || sizes.size() >= MOST_SIZES) {
        findings.fatal(
            at,
            "\"" + text + "\" is not " + (base > 0 ? base + " times a power of two" : "a size"),
            base > 0
                ? "write for example " + base + "," + 2L * base + "," + 4L * base
                : "write sizes");
        return List.of();
      }
      sizes.add(size);
    }
    return sizes;
  }

  private List<String> known(Setting at, Setting head, List<String> names) {
    Set<String> members = new LinkedHashSet<>();
    List<String> unknown = new ArrayList<>();
    for (String name : names) {
      if (nodes.contains(name)) {
        members.add(name);
      } else {
        unknown.add(name);
      }
    }
    if (!unknown.isEmpty()) {
      findings.error(
          at,
          (unknown.size() == 1 ? "node " : "nodes ")
              + NodeSets.folded(unknown)
              + " of "
              + head.value()
              + " not described in slurm.conf and left out",
          "describe with NodeName= or remove");
    }
    return List.copyOf(members);
  }

  private void missing(Path file, Set<String> reached, String unit) {
    List<String> missing = nodes.stream().filter(n -> !reached.contains(n)).toList();
    if (!missing.isEmpty()) {
      findings.add(
          Severity.WARNING,
          file,
          0,
          "no " + unit + " has the nodes " + NodeSets.folded(missing),
          "add them to a " + unit);
    }
  }
}
