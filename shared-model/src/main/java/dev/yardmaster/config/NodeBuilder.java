package dev.yardmaster.config;

import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Memory;
import dev.yardmaster.model.text.NotationException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Turns NodeName and DownNodes lines into nodes (slurm.conf(5), "NODE CONFIGURATION"). */
final class NodeBuilder {
  /** MAX_SLURM_NODES. */
  static final int MOST_NODES = 65_536;

  private static final Set<String> STATES =
      Set.of("UNKNOWN", "DOWN", "IDLE", "ALLOCATED", "ERROR", "MIXED", "FUTURE");
  private static final List<String> FLAGGED = List.of("CLOUD", "EXTERNAL", "DRAIN", "FAIL");
  private static final int HIGHEST_PORT = 0xFFFF;

  private final Statements conf;
  private final Findings findings;
  private final Map<String, NodeSpec> nodes = new LinkedHashMap<>();
  private final Map<String, Setting> heads = new LinkedHashMap<>();

  NodeBuilder(Statements conf, Findings findings) {
    this.conf = conf;
    this.findings = findings;
  }

  /** The nodes by name in the order of the file, without their GRES. */
  Map<String, NodeSpec> build() {
    for (Block line : conf.blocks(Section.NODE)) {
      add(line);
    }
    for (Block line : conf.blocks(Section.DOWN_NODES)) {
      down(line);
    }
    return nodes;
  }

  /** The line that describes a node. */
  Map<String, Setting> heads() {
    return heads;
  }

  private void add(Block line) {
    Setting head = line.head();
    if (head.value().equalsIgnoreCase("ALL")) {
      findings.fatal(head, "ALL is a reserved word", "name the nodes");
      return;
    }
    List<String> names = expand(head);
    if (names.isEmpty()) {
      return;
    }
    List<String> hosts = parallel(line, "NodeHostname", names);
    List<String> addresses = parallel(line, "NodeAddr", hosts);
    List<String> ports = ports(line, names.size());
    NodeSpec spec = hardware(line);
    for (int i = 0; i < names.size(); i++) {
      Setting earlier = heads.get(names.get(i));
      if (earlier != null) {
        findings.fatal(
            head,
            "node "
                + names.get(i)
                + " is also described at "
                + earlier.file()
                + ":"
                + earlier.line(),
            "describe each node once");
        return;
      }
      if (nodes.size() >= MOST_NODES) {
        findings.fatal(head, "more than " + MOST_NODES + " nodes", "describe fewer");
        return;
      }
      heads.put(names.get(i), head);
      nodes.put(
          names.get(i),
          spec.with()
              .name(names.get(i))
              .hostname(hosts.get(hosts.size() == 1 ? 0 : i))
              .address(addresses.get(addresses.size() == 1 ? 0 : i))
              .port(Integer.parseInt(ports.get(ports.size() == 1 ? 0 : i)))
              .build());
    }
  }

  private List<String> expand(Setting at) {
    try {
      HostList names = HostList.parse(at.value());
      if (names.isEmpty()) {
        findings.fatal(at, "names no node", "write names such as node[01-04]");
      }
      return names.expand(MOST_NODES);
    } catch (NotationException e) {
      findings.fatal(
          at, e.wrong(), e.right().isEmpty() ? "write names such as node[01-04]" : e.right());
      return List.of();
    }
  }

  /** The names given under a key: one for all nodes, or one for each. */
  private List<String> parallel(Block line, String key, List<String> without) {
    Setting given = line.settings().get(key);
    if (given == null) {
      return without;
    }
    List<String> names = expand(given);
    long nodeCount = HostList.parse(line.head().value()).size();
    if (names.size() != 1 && names.size() != nodeCount) {
      if (!names.isEmpty()) {
        findings.fatal(
            given,
            names.size() + " names for " + nodeCount + " nodes",
            "write one, or one for each");
      }
      return without;
    }
    return names;
  }

  private List<String> ports(Block line, int nodeCount) {
    Setting given = line.settings().get("Port");
    String fallback = Long.toString(Math.clamp(conf.number("SlurmdPort"), 0, HIGHEST_PORT));
    if (given == null) {
      return List.of(fallback);
    }
    String text = given.value();
    boolean bare = !text.startsWith("[") && (text.contains("-") || text.contains(","));
    try {
      List<String> ports = HostList.parse(bare ? "[" + text + "]" : text).expand(MOST_NODES);
      boolean numbers = ports.stream().allMatch(NodeBuilder::isPort);
      if (numbers && (ports.size() == 1 || ports.size() == nodeCount)) {
        return ports;
      }
      findings.fatal(
          given,
          numbers ? ports.size() + " ports for " + nodeCount + " nodes" : "not a port",
          "write one, or one for each as [7001-7004]");
    } catch (NotationException e) {
      findings.fatal(given, e.wrong(), "write one, or one for each as [7001-7004]");
    }
    return List.of(fallback);
  }

  private static boolean isPort(String text) {
    return text.matches("\\d{1,5}")
        && Integer.parseInt(text) > 0
        && Integer.parseInt(text) <= HIGHEST_PORT;
  }

  private NodeSpec hardware(Block line) {
    CpuLayout cpus = CpuLayout.of(line, findings);
    long memory = number(line, "RealMemory", 1, Memory.MAX_MIB);
    long kept = number(line, "MemSpecLimit", 0, Memory.MAX_MIB);
    if (kept > 0 && kept >= memory) {
      findings.error(
          line.orHead("MemSpecLimit"),
          "not less than RealMemory=" + memory + "; 0 is used",
          "keep less");
      kept = 0;
    }
    return new NodeSpec(
        "",
        "",
        "",
        0,
        cpus.boards(),
        cpus.sockets(),
        cpus.coresPerSocket(),
        cpus.threadsPerCore(),
        cpus.cpus(),
        memory,
        number(line, "TmpDisk", 0, Memory.MAX_MIB),
        (int) number(line, "Weight", 1, Integer.MAX_VALUE),
        features(line),
        List.of(),
        state(line.get("State").orElse(null), line.head()),
        line.get("Reason").map(Setting::value).orElse(""),
        cpus.coreSpecCount(),
        kept);
  }

  private static List<String> features(Block line) {
    return line.get("Feature")
        .or(() -> line.get("Features"))
        .map(s -> List.copyOf(new LinkedHashSet<>(Values.list(s.value()))))
        .orElse(List.of());
  }

  private String state(@Nullable Setting given, Setting head) {
    if (given == null) {
      return "UNKNOWN";
    }
    String state = given.value().toUpperCase(Locale.ROOT);
    if (STATES.contains(state)) {
      return state;
    }
    for (String flag : FLAGGED) {
      if (state.startsWith(flag)) {
        return flag.equals("FAIL") ? state : flag;
      }
    }
    findings.fatal(
        given,
        "not a node state",
        "allowed: UNKNOWN, DOWN, DRAIN, FAIL, FAILING, FUTURE, CLOUD, EXTERNAL (node "
            + head.value()
            + ")");
    return "UNKNOWN";
  }

  private void down(Block line) {
    String state = line.get("State").map(s -> state(s, line.head())).orElse("DOWN");
    String reason = line.get("Reason").map(Setting::value).orElse("Set in slurm.conf");
    for (String name : expand(line.head())) {
      NodeSpec node = nodes.get(name);
      if (node == null) {
        findings.error(
            line.head(), "node " + name + " is not described", "describe it with NodeName=" + name);
      } else {
        nodes.put(name, node.withState(state).withReason(reason));
      }
    }
  }

  private static long number(Block line, String key, long fallback, long most) {
    return line.get(key)
        .map(s -> Values.whole(s.value(), true).orElse(fallback))
        .map(n -> n == Values.UNLIMITED ? most : Math.min(most, n))
        .orElse(fallback);
  }
}
