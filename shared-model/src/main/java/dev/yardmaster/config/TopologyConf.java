package dev.yardmaster.config;

import dev.yardmaster.model.Topology;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads topology.conf(5). */
final class TopologyConf {
  private final Findings findings;
  private final Map<String, Setting> settings = new TreeMap<>();
  private final List<Block> switches = new ArrayList<>();
  private final List<Block> blocks = new ArrayList<>();
  private final List<Block> rings = new ArrayList<>();

  private TopologyConf(Findings findings) {
    this.findings = findings;
  }

  /**
   * Reads the file as the plugin wants it.
   *
   * @param plugin TopologyPlugin in lower case; empty to judge by what the file holds
   * @param nodes the nodes of the cluster; names that are not among them are reported
   */
  static Topology read(
      Path file, String plugin, String clusterName, Set<String> nodes, Findings findings) {
    var conf = new TopologyConf(findings);
    var parser =
        new LineParser(
            Section.TOPOLOGY,
            EnumSet.of(Section.SWITCH, Section.BLOCK, Section.RING),
            findings,
            s -> conf.settings.put(s.key(), s),
            conf::describe);
    if (!ConfFile.read(file, findings, () -> clusterName, parser::parse)) {
      return new Topology.Flat("default");
    }
    boolean ring = plugin.isEmpty() ? !conf.rings.isEmpty() : plugin.endsWith("ring");
    if (ring) {
      return conf.ring(file, nodes);
    }
    boolean block = plugin.isEmpty() ? !conf.blocks.isEmpty() : plugin.endsWith("block");
    return block ? conf.block(file, nodes) : conf.tree(file, nodes);
  }

  private void describe(Block line) {
    switch (line.section()) {
      case SWITCH -> switches.add(line);
      case BLOCK -> blocks.add(line);
      default -> rings.add(line);
    }
  }

  private Topology ring(Path file, Set<String> nodes) {
    List<TopologyCheck.BlockLine> lines = new ArrayList<>();
    for (Block line : rings) {
      lines.add(
          new TopologyCheck.BlockLine(line.head(), line.orHead("Nodes"), names(line, "Nodes")));
    }
    return new TopologyCheck(nodes, findings).ring("default", file, 0, lines);
  }

  private Topology tree(Path file, Set<String> nodes) {
    refuseRings("tree");
    if (!blocks.isEmpty()) {
      findings.fatal(
          blocks.getFirst().head(), "a block in a tree", "write TopologyPlugin=topology/block");
    }
    var check = new TopologyCheck(nodes, findings);
    List<TopologyCheck.SwitchLine> lines = new ArrayList<>();
    for (Block line : switches) {
      lines.add(
          new TopologyCheck.SwitchLine(
              line.head(),
              line.orHead("Switches"),
              names(line, "Switches"),
              line.orHead("Nodes"),
              names(line, "Nodes")));
    }
    return check.tree("default", file, lines);
  }

  private Topology block(Path file, Set<String> nodes) {
    refuseRings("block");
    if (!switches.isEmpty()) {
      findings.fatal(
          switches.getFirst().head(),
          "a switch among blocks",
          "write TopologyPlugin=topology/tree");
    }
    var check = new TopologyCheck(nodes, findings);
    List<TopologyCheck.BlockLine> lines = new ArrayList<>();
    for (Block line : blocks) {
      lines.add(
          new TopologyCheck.BlockLine(line.head(), line.orHead("Nodes"), names(line, "Nodes")));
    }
    Setting sizes = settings.get("BlockSizes");
    return check.block(
        "default", file, lines, sizes, sizes == null ? List.of() : Values.list(sizes.value()));
  }

  private void refuseRings(String plugin) {
    if (!rings.isEmpty()) {
      findings.error(
          rings.getFirst().head(),
          "has no meaning with topology/" + plugin,
          "write TopologyPlugin=topology/ring");
    }
  }

  private static List<String> names(Block line, String key) {
    return line.get(key).map(s -> expand(s.value())).orElse(List.of());
  }

  /** Names of a value that was checked to be a host list. */
  static List<String> expand(String text) {
    try {
      return HostList.parse(text).expand(NodeBuilder.MOST_NODES);
    } catch (NotationException e) {
      return List.of();
    }
  }
}
