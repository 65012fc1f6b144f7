package dev.yardmaster.config;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Puts a cluster together from the statements of slurm.conf and its companions. */
final class SlurmConf {
  /** What slurmdbd's table names leave for a cluster's name. */
  private static final int LONGEST_NAME = 40;

  private final Path file;
  private final Findings findings;
  private final Statements conf;
  private Map<String, NodeSpec> nodes = new LinkedHashMap<>();
  private Map<String, Setting> heads = Map.of();

  SlurmConf(Path file, Findings findings) {
    this.file = file;
    this.findings = findings;
    this.conf = new Statements(findings);
  }

  /** Reads the file and what it includes; false when it cannot be read at all. */
  boolean read() {
    var parser =
        new LineParser(
            Section.SLURM,
            EnumSet.of(
                Section.NODE,
                Section.PARTITION,
                Section.NODE_SET,
                Section.DOWN_NODES,
                Section.POWER_ACTION),
            findings,
            conf::add,
            conf::add);
    if (!ConfFile.read(file, findings, conf::clusterName, parser::parse)) {
      return false;
    }
    var builder = new NodeBuilder(conf, findings);
    nodes = builder.build();
    heads = builder.heads();
    return true;
  }

  Statements statements() {
    return conf;
  }

  Map<String, NodeSpec> nodes() {
    return nodes;
  }

  /** Gives every node the devices that Gres= and the lines of gres.conf describe. */
  void devices(List<GresLine> lines) {
    var merger =
        new GresMerger(lines, Values.list(conf.text("GresTypes")), nodes.keySet(), findings);
    Map<Setting, Setting> gresOf = new LinkedHashMap<>();
    for (Block line : conf.blocks(Section.NODE)) {
      line.get("Gres").ifPresent(s -> gresOf.put(line.head(), s));
    }
    Map<String, NodeSpec> complete = new LinkedHashMap<>();
    for (NodeSpec node : nodes.values()) {
      Setting head = heads.get(node.name());
      complete.put(
          node.name(),
          head == null ? node : node.withGres(merger.devices(node, gresOf.get(head), head)));
    }
    nodes = complete;
  }

  /**
   * @param topologies the cluster's first
   */
  ClusterConfig build(List<Topology> topologies) {
    var nodeSets = new NodeSets(nodes, conf.blocks(Section.NODE_SET), findings);
    List<Partition> partitions = new PartitionBuilder(conf, nodeSets, findings).build();
    var policy = new PolicyReader(conf, findings);
    require();
    boolean perNode = conf.last("DefMemPerNode").isPresent();
    return new ClusterConfig(
        conf.clusterName(),
        controllers(),
        port(),
        policy.scheduling(),
        policy.priority(),
        List.copyOf(nodes.values()),
        partitions,
        topologies.getFirst(),
        licenses(),
        Values.list(conf.text("GresTypes")),
        perNode ? 0 : Math.max(0, conf.number("DefMemPerCPU")),
        Math.max(0, conf.number("DefMemPerNode")),
        Immutable.sortedMap(conf.written()),
        topologies.subList(1, topologies.size()));
  }

  private void require() {
    String name = conf.clusterName();
    if (name.isEmpty()) {
      findings.add(Severity.FATAL, file, 0, "ClusterName is missing", "write ClusterName=name");
    } else if (name.length() > LONGEST_NAME) {
      conf.last("ClusterName")
          .ifPresent(
              s ->
                  findings.fatal(
                      s,
                      "has "
                          + name.length()
                          + " characters, and the accounting tables have room for "
                          + LONGEST_NAME,
                      "use a shorter name"));
    }
    if (nodes.isEmpty() && conf.last("MaxNodeCount").isEmpty()) {
      findings.add(
          Severity.WARNING,
          file,
          0,
          "no node is described",
          "write NodeName= lines, or MaxNodeCount= for nodes that register themselves");
    }
    conf.last("MaxNodeCount").ifPresent(this::maxNodeCount);
    if (conf.text("SelectType").equalsIgnoreCase("select/linear")) {
      conf.last("TopologyPlugin")
          .filter(s -> s.value().equalsIgnoreCase("topology/tree"))
          .ifPresent(
              s -> findings.fatal(s, "not possible with select/linear", "use select/cons_tres"));
    }
  }

  private void maxNodeCount(Setting at) {
    long most = Values.whole(at.value(), true).orElse(0);
    if (most > NodeBuilder.MOST_NODES) {
      findings.fatal(at, "more than Slurm holds", "write at most " + NodeBuilder.MOST_NODES);
    } else if (most >= 0 && most < nodes.size()) {
      findings.fatal(at, nodes.size() + " nodes are described", "write at least " + nodes.size());
    }
  }

  private List<String> controllers() {
    List<String> hosts = new ArrayList<>();
    for (Setting at : conf.all("SlurmctldHost")) {
      if (!at.value().matches("[^()]+(\\([^()]+\\))?")) {
        findings.fatal(at, "not a host", "write host, or host(address)");
      } else if (hosts.stream().anyMatch(h -> host(h).equals(host(at.value())))) {
        findings.fatal(at, "given twice", "name each controller once");
      } else {
        hosts.add(at.value());
      }
    }
    if (hosts.isEmpty()) {
      hosts.addAll(oldControllers());
    } else {
      for (String old :
          List.of("ControlMachine", "ControlAddr", "BackupController", "BackupAddr")) {
        conf.last(old)
            .ifPresent(s -> findings.error(s, "has no effect beside SlurmctldHost", "drop it"));
      }
    }
    if (hosts.isEmpty() && conf.all("SlurmctldHost").isEmpty()) {
      findings.add(Severity.FATAL, file, 0, "SlurmctldHost is missing", "write SlurmctldHost=host");
    }
    return hosts;
  }

  private List<String> oldControllers() {
    List<String> hosts = new ArrayList<>();
    conf.last("ControlMachine")
        .ifPresent(s -> hosts.add(s.value() + address("ControlAddr", s.value())));
    conf.last("BackupController")
        .ifPresent(s -> hosts.add(s.value() + address("BackupAddr", s.value())));
    return hosts;
  }

  private String address(String key, String host) {
    return conf.last(key)
        .map(Setting::value)
        .filter(a -> !a.equals(host))
        .map(a -> "(" + a + ")")
        .orElse("");
  }

  private static String host(String controller) {
    int paren = controller.indexOf('(');
    return paren < 0 ? controller : controller.substring(0, paren);
  }

  private int port() {
    String text = conf.text("SlurmctldPort");
    int dash = text.indexOf('-');
    return (int) Values.whole(dash < 0 ? text : text.substring(0, dash), false).orElse(0);
  }

  private SortedMap<String, Integer> licenses() {
    SortedMap<String, Integer> licenses = new TreeMap<>();
    Setting at = conf.last("Licenses").orElse(null);
    for (String item : at == null ? new String[0] : at.value().split("[,;]", -1)) {
      if (item.isEmpty() || at == null) {
        continue;
      }
      String[] parts = item.split("[:=]", -1);
      boolean counted = parts.length == 2 && parts[1].matches("\\d{1,9}");
      if (parts[0].isBlank() || parts[0].contains(" ") || (parts.length > 1 && !counted)) {
        findings.fatal(
            at, "\"" + item + "\" is not a licence", "write for example matlab:4,ansys:10");
        continue;
      }
      licenses.merge(parts[0], counted ? Integer.parseInt(parts[1]) : 1, Integer::sum);
    }
    return Immutable.sortedMap(licenses);
  }
}
