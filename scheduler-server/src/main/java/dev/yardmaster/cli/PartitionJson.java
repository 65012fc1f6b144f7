package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A partition as data, with all fields of Slurm's in their order. */
final class PartitionJson {
  private final ClusterView view;

  PartitionJson(ClusterView view) {
    this.view = view;
  }

  void write(DataDocument to, Partition p) throws IOException {
    List<NodeSpec> nodes =
        p.nodes().stream().map(view.nodes()::get).filter(Objects::nonNull).map(Node::spec).toList();
    to.object(
        "nodes",
        o -> {
          o.text("allowed_allocation", other(p, "AllocNodes"));
          o.text("configured", p.nodesText());
          o.number("total", p.nodes().size());
        });
    access(to, p);
    to.text("alternate", other(p, "Alternate"));
    to.object(
        "tres",
        o -> {
          o.text("billing_weights", joined(p.billingWeights()));
          o.text("configured", nodes.isEmpty() ? "" : new TresText(view).of(p, nodes));
        });
    to.text("cluster", "");
    to.list("select_type", List.of(other(p, "SelectTypeParameters", "NONE")));
    to.object(
        "cpus",
        o -> {
          o.list("task_binding", words(other(p, "CpuBind")));
          o.number("total", nodes.stream().mapToLong(NodeSpec::cpus).sum());
        });
    to.object(
        "defaults",
        o -> {
          memory(o, p.defMemPerCpuMib(), p.defMemPerNodeMib());
          o.set("time", p.defaultTimeMinutes());
          o.text("job", joined(p.jobDefaults()));
        });
    to.list("flags", flags(p));
    to.object(
        "partition",
        o -> {
          boolean whole = p.overSubscribe().equals("EXCLUSIVE");
          o.text("exclusive", PartitionText.exclusive(p));
          o.text("oversubscribe", whole ? "NO" : p.overSubscribe());
          o.list("state", List.of(p.state().name()));
        });
    to.number("grace_time", Long.parseLong(other(p, "GraceTime", "0")));
    limits(to, p);
    rest(to, p);
  }

  private static void access(DataDocument to, Partition p) throws IOException {
    to.object(
        "accounts",
        o -> {
          o.text("allowed", String.join(",", p.allowAccounts()));
          o.text("deny", String.join(",", p.denyAccounts()));
        });
    to.object("groups", o -> o.text("allowed", String.join(",", p.allowGroups())));
    to.object(
        "qos",
        o -> {
          o.text("allowed", String.join(",", p.allowQos()));
          o.text("deny", String.join(",", p.denyQos()));
          o.text("assigned", p.qos());
        });
  }

  private static void limits(DataDocument to, Partition p) throws IOException {
    to.object(
        "maximums",
        o -> {
          o.limit("cpus_per_node", p.maxCpusPerNode());
          o.limit("cpus_per_socket", count(other(p, "MaxCPUsPerSocket"), -1));
          memory(o, p.maxMemPerCpuMib(), p.maxMemPerNodeMib());
          o.limit("nodes", p.maxNodes());
          o.limit("time", p.maxTimeMinutes());
          String over = other(p, "OverTimeLimit");
          if (over.equalsIgnoreCase("UNLIMITED")) {
            o.limit("over_time_limit", -1);
          } else {
            o.set("over_time_limit", over.matches("[0-9]+") ? Long.valueOf(over) : null);
          }
        });
    to.object("minimums", o -> o.number("nodes", p.minNodes()));
  }

  private static void rest(DataDocument to, Partition p) throws IOException {
    to.text("name", p.name());
    to.text("node_sets", p.nodesText().equalsIgnoreCase("ALL") ? p.nodesText() : "");
    List<String> modes = words(other(p, "PreemptMode").toUpperCase(Locale.ROOT));
    to.list("preempt_mode", modes.isEmpty() ? List.of("CLUSTER_GLOBAL") : modes);
    to.object(
        "priority",
        o -> {
          o.number("job_factor", p.priorityJobFactor());
          o.number("tier", p.priorityTier());
        });
    to.object(
        "timeouts",
        o -> {
          o.set("resume", seconds(p, "ResumeTimeout"));
          o.set("suspend", seconds(p, "SuspendTimeout"));
        });
    to.text("topology", other(p, "Topology"));
    to.set("suspend_time", seconds(p, "SuspendTime"));
  }

  /** Only one of the two is set; where neither is, that of a node is 0. */
  private static void memory(DataDocument to, @Nullable Long perCpu, @Nullable Long perNode)
      throws IOException {
    Long none = perCpu == null ? Long.valueOf(0) : null;
    to.set("partition_memory_per_cpu", perCpu);
    to.set("partition_memory_per_node", perNode == null ? none : perNode);
  }

  private static @Nullable Long seconds(Partition p, String key) {
    String value = other(p, key);
    return value.matches("[0-9]+") ? Long.valueOf(value) : null;
  }

  private static long count(String value, long otherwise) {
    return value.matches("[0-9]+") ? Long.parseLong(value) : otherwise;
  }

  private static List<String> words(String list) {
    return list.isEmpty() ? List.of() : List.of(list.split(","));
  }

  private static String joined(Map<String, ?> values) {
    return values.entrySet().stream()
        .map(e -> e.getKey() + "=" + e.getValue())
        .collect(Collectors.joining(","));
  }

  private static String other(Partition p, String key) {
    return other(p, key, "");
  }

  private static String other(Partition p, String key, String otherwise) {
    return p.other().getOrDefault(key, otherwise);
  }

  private static List<String> flags(Partition p) {
    List<String> flags = new ArrayList<>();
    Map<String, Boolean> all =
        Map.of(
            "DEFAULT", p.isDefault(),
            "HIDDEN", p.hidden(),
            "LLN", p.lln(),
            "REQ_RESV", p.reqResv(),
            "ROOT_ONLY", p.rootOnly());
    all.entrySet().stream()
        .filter(Map.Entry::getValue)
        .map(Map.Entry::getKey)
        .sorted()
        .forEach(flags::add);
    return flags;
  }
}
