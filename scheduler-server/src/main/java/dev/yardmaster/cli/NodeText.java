package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.Instants;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * scontrol show node.
 *
 * @param detail whether GRES in use are shown ({@code -d})
 */
record NodeText(ClusterView view, ZoneId zone, boolean oneLine, boolean detail) {
  String of(NodeUse use) {
    Node node = use.node();
    NodeSpec spec = node.spec();
    NodeStatus status = node.status();
    TresText tres = new TresText(view);
    RecordText out = new RecordText(oneLine);
    out.word("NodeName", spec.name());
    if (!status.version().isEmpty()) {
      out.word("Arch", "x86_64");
    }
    out.word("CoresPerSocket", spec.coresPerSocket()).raw(" ");
    out.line()
        .word("CPUAlloc", use.cpus())
        .word("CPUEfctv", use.effectiveCpus())
        .word("CPUTot", spec.cpus())
        .word("CPULoad", load(node.measure().cpuLoadPercent()));
    out.line().word("AvailableFeatures", features(spec.availableFeatures()));
    out.line().word("ActiveFeatures", features(spec.features()));
    out.line().word("Gres", SinfoRow.gres(spec));
    if (detail) {
      out.line().word("GresDrain", JobFacts.NOT_APPLICABLE);
      out.line().word("GresUsed", SinfoRow.gresUsed(use));
    }
    out.line().word("NodeAddr", spec.address()).word("NodeHostName", spec.hostname());
    if (spec.port() != 0) {
      out.word("Port", spec.port());
    }
    if (!status.version().isEmpty()) {
      out.word("Version", status.version());
    }
    if (!node.measure().system().isEmpty()) {
      out.line().word("OS", node.measure().system()).raw(" ");
    }
    out.line()
        .word("RealMemory", spec.realMemoryMib())
        .word("AllocMem", use.memoryMib())
        .word("FreeMem", free(node.measure().freeMib()))
        .word("Sockets", spec.sockets())
        .word("Boards", spec.boards());
    if (spec.coreSpecCount() > 0) {
      out.line().word("CoreSpecCount", spec.coreSpecCount());
    }
    if (spec.memSpecLimitMib() > 0) {
      out.word("MemSpecLimit", spec.memSpecLimitMib());
    }
    out.line()
        .word("State", use.state())
        .word("ThreadsPerCore", spec.threadsPerCore())
        .word("TmpDisk", spec.tmpDiskMib())
        .word("Weight", spec.weight())
        .word("Owner", JobFacts.NOT_APPLICABLE)
        .word("MCS_label", JobFacts.NOT_APPLICABLE);
    if (!status.nextState().isEmpty()) {
      out.line().word("NextState", status.nextState());
    }
    out.line().word("Partitions", partitions(spec.name())).raw(" ");
    out.line()
        .word("BootTime", time(status.bootTime()))
        .word("SlurmdStartTime", time(daemonStarted(node)));
    out.line()
        .word("LastBusyTime", lastBusy(node))
        .word("ResumeAfterTime", time(status.resumeAfter()))
        .word("SuspendTime", "INFINITE");
    out.line().word("CfgTRES", tres.configured(spec));
    out.line().word("AllocTRES", tres.used(use));
    out.line().word("CurrentWatts", 0).word("AveWatts", 0);
    if (!status.reason().isEmpty()) {
      out.line().word("Reason", status.reason() + author(status));
    }
    if (!status.comment().isEmpty()) {
      out.line().word("Comment", status.comment());
    }
    if (!status.extra().isEmpty()) {
      out.line().word("Extra", status.extra());
    }
    if (!status.instanceId().isEmpty() || !status.instanceType().isEmpty()) {
      out.line();
      if (!status.instanceId().isEmpty()) {
        out.word("InstanceId", status.instanceId());
      }
      if (!status.instanceType().isEmpty()) {
        out.word("InstanceType", status.instanceType());
      }
    }
    return out.toString();
  }

  /** Hundredths with a point. */
  static String load(long percent) {
    return percent / 100 + "." + (percent % 100 < 10 ? "0" : "") + percent % 100;
  }

  /** MiB, or N/A where nobody has told. */
  static String free(long mib) {
    return mib < 0 ? JobFacts.NOT_APPLICABLE : Long.toString(mib);
  }

  /** When its daemon began; where it has not said so, when it registered. */
  static @Nullable Instant daemonStarted(Node node) {
    Instant told = node.measure().daemonStarted();
    return told == null ? node.status().registered() : told;
  }

  private String lastBusy(Node node) {
    Instant at = node.measure().lastBusy();
    return at == null ? "Unknown" : Instants.format(at, zone);
  }

  private static String features(List<String> names) {
    return JobFacts.orNull(String.join(",", names));
  }

  private String author(NodeStatus status) {
    return status.reasonUser().isEmpty()
        ? ""
        : " [" + status.reasonUser() + "@" + time(status.reasonTime()) + "]";
  }

  private String partitions(String node) {
    return view.partitions().values().stream()
        .filter(partition -> partition.nodes().contains(node))
        .map(Partition::name)
        .collect(Collectors.joining(","));
  }

  private String time(@Nullable Instant instant) {
    return instant == null ? "None" : Instants.format(instant, zone);
  }
}
