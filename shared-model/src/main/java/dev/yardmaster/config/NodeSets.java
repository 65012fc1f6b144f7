package dev.yardmaster.config;

import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says which nodes a Nodes= stands for: names, NodeSet names and ALL (slurm.conf(5), "NODESET").
 */
final class NodeSets {
  private static final String ALL = "ALL";

  private final Map<String, NodeSpec> nodes;
  private final Findings findings;
  private final Map<String, Integer> order = new HashMap<>();
  private final Map<String, List<String>> sets = new LinkedHashMap<>();

  NodeSets(Map<String, NodeSpec> nodes, List<Block> lines, Findings findings) {
    this.nodes = nodes;
    this.findings = findings;
    for (String name : nodes.keySet()) {
      order.put(name, order.size());
    }
    for (Block line : lines) {
      define(line);
    }
  }

  /** The nodes in the order of the file; empty with a finding when a name is unknown. */
  List<String> resolve(Setting at) {
    String text = at.value();
    if (text.equalsIgnoreCase(ALL)) {
      return List.copyOf(nodes.keySet());
    }
    if (text.contains("{")) {
      findings.error(at, "node functions in braces are not supported", "name the nodes");
      return List.of();
    }
    return inOrder(at, expand(at, text.replaceAll("\\s+", ",")), true);
  }

  private void define(Block line) {
    Setting head = line.head();
    String name = head.value();
    if (nodes.containsKey(name)) {
      findings.fatal(head, "a node has the same name", "rename the node set");
      return;
    }
    if (sets.containsKey(name)) {
      findings.error(
          head, "the node set is described twice; the nodes of both are used", "remove one");
    }
    Set<String> members = new LinkedHashSet<>(sets.getOrDefault(name, List.of()));
    Optional<Setting> feature = line.get("Feature");
    Optional<Setting> names = line.get("Nodes");
    if (feature.isEmpty() && names.isEmpty()) {
      findings.error(head, "the node set has no nodes", "write Nodes= or Feature=");
    }
    if (feature.isPresent()) {
      List<String> wanted = Values.list(feature.get().value());
      nodes.values().stream()
          .filter(n -> n.features().stream().anyMatch(wanted::contains))
          .forEach(n -> members.add(n.name()));
    }
    if (names.isPresent() && names.get().value().equalsIgnoreCase(ALL)) {
      members.addAll(nodes.keySet());
    } else if (names.isPresent()) {
      members.addAll(inOrder(names.get(), expand(names.get(), names.get().value()), false));
    }
    sets.put(name, List.copyOf(members));
  }

  private List<String> expand(Setting at, String text) {
    try {
      return HostList.parse(text).expand(NodeBuilder.MOST_NODES);
    } catch (NotationException e) {
      findings.fatal(at, e.wrong(), e.right());
      return List.of();
    }
  }

  private List<String> inOrder(Setting at, List<String> names, boolean mayNameSets) {
    Set<String> members = new LinkedHashSet<>();
    List<String> unknown = new ArrayList<>();
    for (String name : names) {
      if (mayNameSets && sets.containsKey(name)) {
        members.addAll(sets.getOrDefault(name, List.of()));
      } else if (order.containsKey(name)) {
        members.add(name);
      } else {
        unknown.add(name);
      }
    }
    if (!unknown.isEmpty()) {
      report(at, unknown);
    }
    var sorted = new ArrayList<>(members);
    sorted.sort((a, b) -> Integer.compare(order.getOrDefault(a, 0), order.getOrDefault(b, 0)));
    return sorted;
  }

  private void report(Setting at, List<String> unknown) {
    String first = unknown.getFirst();
    Optional<String> nearest =
        findings.lists() && nodes.size() <= 2000 && first.length() < 64
            ? Nearest.of(first, nodes.keySet().stream().filter(n -> misspelt(first, n)).toList())
            : Optional.empty();
    findings.fatal(
        at,
        (unknown.size() == 1 ? "node " : "nodes ") + folded(unknown) + " not described",
        nearest
            .map(n -> "did you mean " + n + "?")
            .orElse("describe " + (unknown.size() == 1 ? "it" : "them") + " with NodeName="));
  }

  /** Another number is another node; other letters or other zeros are a slip. */
  private static boolean misspelt(String name, String known) {
    return !letters(name).equals(letters(known))
        || name.replaceAll("0+(\\d)", "$1").equals(known.replaceAll("0+(\\d)", "$1"));
  }

  private static String letters(String name) {
    return name.replaceAll("\\d", "");
  }

  /** Names in folded form, or the first of them where they do not fold. */
  static String folded(List<String> names) {
    try {
      String folded = HostList.fold(names);
      return ConfigFinding.printable(folded, 200);
    } catch (NotationException e) {
      return ConfigFinding.printable(String.join(",", names), 200);
    }
  }
}
