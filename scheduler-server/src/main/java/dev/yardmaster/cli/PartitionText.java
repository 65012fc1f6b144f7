package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.TimeLimits;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** scontrol show partition. */
record PartitionText(ClusterView view, boolean oneLine) {
  String of(Partition p) {
    RecordText out = new RecordText(oneLine);
    out.word("PartitionName", p.name());
    out.line().word("AllowGroups", all(p.allowGroups()));
    if (p.denyAccounts().isEmpty() || !p.allowAccounts().isEmpty()) {
      out.word("AllowAccounts", all(p.allowAccounts()));
    } else {
      out.word("DenyAccounts", String.join(",", p.denyAccounts()));
    }
    if (p.denyQos().isEmpty() || !p.allowQos().isEmpty()) {
      out.word("AllowQos", all(p.allowQos()));
    } else {
      out.word("DenyQos", String.join(",", p.denyQos()));
    }
    out.line()
        .word("AllocNodes", other(p, "AllocNodes", "ALL"))
        .word("Default", yes(p.isDefault()));
    if (p.other().containsKey("CpuBind")) {
      out.word("CpuBind", p.other().get("CpuBind") + " ");
    }
    out.word("QoS", p.qos() == null ? JobFacts.NOT_APPLICABLE : p.qos());
    if (p.other().containsKey("Alternate")) {
      out.word("Alternate", p.other().get("Alternate"));
    }
    out.line()
        .word("DefaultTime", p.defaultTimeMinutes() == null ? "NONE" : time(p.defaultTimeMinutes()))
        .word("DisableRootJobs", other(p, "DisableRootJobs", "NO"))
        .word("Exclusive", exclusive(p))
        .word("GraceTime", other(p, "GraceTime", "0"))
        .word("Hidden", yes(p.hidden()));
    out.line()
        .word("MaxNodes", limit(p.maxNodes()))
        .word("MaxTime", time(p.maxTimeMinutes()))
        .word("MinNodes", p.minNodes())
        .word("LLN", yes(p.lln()))
        .word("MaxCPUsPerNode", limit(p.maxCpusPerNode()))
        .word("MaxCPUsPerSocket", other(p, "MaxCPUsPerSocket", "UNLIMITED"));
    if (!p.nodesText().isEmpty() && p.nodesText().equalsIgnoreCase("ALL")) {
      out.line().word("NodeSets", p.nodesText());
    }
    out.line().word("Nodes", p.nodes().isEmpty() ? JobFacts.NULL : HostList.fold(p.nodes()));
    out.line()
        .word("PriorityJobFactor", p.priorityJobFactor())
        .word("PriorityTier", p.priorityTier())
        .word("RootOnly", yes(p.rootOnly()))
        .word("ReqResv", yes(p.reqResv()))
        .word("OverSubscribe", whole(p) ? "NO" : p.overSubscribe());
    out.line()
        .word("OverTimeLimit", other(p, "OverTimeLimit", "NONE"))
        .word("PreemptMode", other(p, "PreemptMode", "OFF"));
    List<NodeSpec> nodes = nodes(p);
    if (p.other().containsKey("Topology")) {
      out.line().word("Topology", other(p, "Topology", ""));
    }
    out.line()
        .word("State", p.state())
        .word("TotalCPUs", nodes.stream().mapToInt(NodeSpec::cpus).sum())
        .word("TotalNodes", nodes.size())
        .word("SelectTypeParameters", other(p, "SelectTypeParameters", "NONE"));
    out.line().word("JobDefaults", jobDefaults(p));
    memory(p, out);
    out.line().word("TRES", nodes.isEmpty() ? JobFacts.NULL : new TresText(view).of(p, nodes));
    if (!p.billingWeights().isEmpty()) {
      out.line()
          .word(
              "TRESBillingWeights",
              p.billingWeights().entrySet().stream()
                  .map((Map.Entry<String, String> e) -> e.getKey() + "=" + e.getValue())
                  .collect(Collectors.joining(",")));
    }
    return out.toString();
  }

  private List<NodeSpec> nodes(Partition partition) {
    return partition.nodes().stream()
        .map(view.nodes()::get)
        .filter(Objects::nonNull)
        .map(Node::spec)
        .toList();
  }

  private static void memory(Partition p, RecordText out) {
    out.line();
    if (p.defMemPerCpuMib() != null) {
      out.word("DefMemPerCPU", p.defMemPerCpuMib());
    } else {
      out.word("DefMemPerNode", mib(p.defMemPerNodeMib()));
    }
    if (p.maxMemPerCpuMib() != null) {
      out.word("MaxMemPerCPU", p.maxMemPerCpuMib());
    } else {
      out.word("MaxMemPerNode", mib(p.maxMemPerNodeMib()));
    }
  }

  private static String mib(@Nullable Long mib) {
    return mib == null || mib == 0 ? "UNLIMITED" : mib.toString();
  }

  private static String jobDefaults(Partition p) {
    return JobFacts.orNull(
        p.jobDefaults().entrySet().stream()
            .map((Map.Entry<String, Long> e) -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(",")));
  }

  private static String all(List<String> names) {
    return names.isEmpty() ? "ALL" : String.join(",", names);
  }

  /** Whether jobs get whole nodes, which Slurm tells apart from sharing CPUs. */
  private static boolean whole(Partition p) {
    return p.overSubscribe().equals("EXCLUSIVE");
  }

  static String exclusive(Partition p) {
    if (other(p, "ExclusiveTopo", "NO").equalsIgnoreCase("YES")) {
      return "TOPO";
    }
    return p.exclusiveUser() ? "USER" : whole(p) ? "NODE" : "NO";
  }

  private static String yes(boolean value) {
    return value ? "YES" : "NO";
  }

  private static String limit(int value) {
    return value == Partition.UNLIMITED ? "UNLIMITED" : Integer.toString(value);
  }

  private static String time(long minutes) {
    return minutes == Partition.UNLIMITED ? "UNLIMITED" : TimeLimits.format(60 * minutes);
  }

  private static String other(Partition p, String key, String otherwise) {
    return p.other().getOrDefault(key, otherwise);
  }
}
