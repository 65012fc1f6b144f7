package dev.yardmaster.cli;

import static dev.yardmaster.cli.JobFacts.NOT_APPLICABLE;
import static dev.yardmaster.cli.JobFacts.NULL;
import static dev.yardmaster.cli.JobFacts.orElse;
import static dev.yardmaster.cli.JobFacts.orNull;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.CronEntry;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.TimeLimits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * scontrol show job.
 *
 * @param detail whether the devices and cores on each node are shown ({@code -d})
 */
record JobText(TresText tres, boolean oneLine, boolean detail) {
  String of(JobFacts facts) {
    Job job = facts.job();
    RecordText out = new RecordText(oneLine);
    out.word("JobId", job.id());
    if (job.array() instanceof ArrayInfo array) {
      out.word("ArrayJobId", array.arrayJobId()).word("ArrayTaskId", facts.arrayTasks());
      if (array.throttle() > 0) {
        out.word("ArrayTaskThrottle", array.throttle());
      }
    }
    if (job.het() != null) {
      out.word("HetJobId", job.het().hetJobId()).word("HetJobOffset", job.het().offset());
    }
    out.word("JobName", job.name());
    if (detail) {
      out.line().word("SLUID", Sluid.of(tres.cluster(), job.submitted(), job.id()));
    }
    if (job.het() != null) {
      out.line().word("HetJobIdSet", job.het().idSet());
    }
    who(facts, out);
    when(facts, out);
    where(facts, out);
    request(facts, out);
    files(facts, out);
    extras(facts, out);
    return out.toString();
  }

  private void who(JobFacts facts, RecordText out) {
    Job job = facts.job();
    out.line()
        .word("UserId", job.owner().user() + "(" + job.owner().uid() + ")")
        .word("GroupId", job.owner().group() + "(" + job.owner().gid() + ")")
        .word("MCS_label", NOT_APPLICABLE);
    out.line()
        .word("Priority", job.priority())
        .word("Nice", job.nice())
        .word("Account", orNull(job.owner().account()))
        .word("QOS", orNull(job.owner().qos()));
    if (!job.owner().wckey().isEmpty()) {
      out.word("WCKey", job.owner().wckey());
    }
    out.line()
        .word("JobState", facts.state())
        .word("Reason", facts.reason().replace(' ', '_') + failedNode(facts))
        .word("Dependency", facts.dependency());
    out.line()
        .word("Requeue", job.requeue() ? 1 : 0)
        .word("Restarts", job.restarts())
        .word("BatchFlag", job.batch().batch() ? 1 : 0)
        .word("Reboot", TresOptions.reboot(job))
        .word("ExitCode", job.exitCode());
    if (detail) {
      out.line().word("DerivedExitCode", job.derivedExitCode());
    }
  }

  private static void when(JobFacts facts, RecordText out) {
    Job job = facts.job();
    out.line()
        .word("RunTime", TimeLimits.format(facts.runSeconds()))
        .word(
            "TimeLimit",
            facts.isUnlimited() ? "UNLIMITED" : TimeLimits.format(60 * job.timeLimitMinutes()))
        .word(
            "TimeMin",
            job.timeMinMinutes() == 0
                ? NOT_APPLICABLE
                : TimeLimits.format(60 * job.timeMinMinutes()));
    out.line()
        .word("SubmitTime", facts.instant(job.submitted(), "Unknown"))
        .word("EligibleTime", facts.instant(facts.eligible(), "Unknown"));
    out.line().word("AccrueTime", facts.instant(facts.accrues(), "Unknown"));
    out.line()
        .word("StartTime", facts.instant(facts.start(), "Unknown"))
        .word("EndTime", facts.instant(facts.end(), "Unknown"))
        .word("Deadline", facts.instant(job.deadline(), NOT_APPLICABLE));
    CronEntry entry = CronEntry.of(job);
    if (entry != null) {
      RecordText line = out.line();
      if (entry.recurs()) {
        line.word("CronJob", "Yes");
      }
      line.word("CrontabSpec", "\"" + entry.spec() + "\"");
    }
    out.line()
        .word(
            "SuspendTime",
            job.suspension() == null ? "None" : facts.instant(job.suspension().at(), "None"))
        .word(
            "SecsPreSuspend", job.suspension() == null ? 0 : job.suspension().worked().toSeconds())
        .word("LastSchedEval", facts.instant(facts.evaluated(), "Unknown"))
        .word("Scheduler", job.planned() == null ? "Main" : "Backfill");
  }

  private void where(JobFacts facts, RecordText out) {
    Job job = facts.job();
    JobRequest request = job.request();
    out.line()
        .word("Partition", facts.partition())
        .word("AllocNode:Sid", orElseLocal(job.batch().submitHost()) + ":0");
    out.line()
        .word("ReqNodeList", orNull(request.requiredNodes().toString()))
        .word("ExcNodeList", orNull(request.excludedNodes().toString()));
    out.line().word("NodeList", facts.nodes());
    if (!facts.planned().equals(NULL)) {
      out.word("SchedNodeList", facts.planned());
    }
    boolean allocated = job.allocation() != null && !facts.isPending();
    if (allocated) {
      out.line().word("BatchHost", facts.batchHost());
    }
    boolean tasksKnown = request.tasksGiven() || !facts.isPending() || request.tasks() > 0;
    out.line()
        .word("NumNodes", nodeRange(facts))
        .word("NumCPUs", facts.cpus())
        .word("NumTasks", tasksKnown ? Math.max(1, request.tasks()) : NOT_APPLICABLE)
        .word("CPUs/Task", request.cpusPerTask())
        .word(
            "ReqB:S:C:T",
            "0:0:"
                + orElse(request.coresPerSocket(), "*")
                + ":"
                + orElse(request.threadsPerCore(), "*"));
    out.line().word("ReqTRES", tres.requested(job));
    out.line().word("AllocTRES", tres.allocated(job));
    out.line()
        .word("Socks/Node", orElse(request.socketsPerNode(), "*"))
        .word(
            "NtasksPerN:B:S:C",
            request.tasksPerNode()
                + ":0:"
                + orElse(request.tasksPerSocket(), "*")
                + ":"
                + orElse(request.tasksPerCore(), "*"))
        .word("CoreSpec", orElse(request.coreSpec(), "*"));
    if (detail && allocated) {
      devices(job.allocation(), job.holdsResources(), out);
    }
  }

  private static String orElseLocal(String host) {
    return host.isEmpty() ? "localhost" : host;
  }

  private static String nodeRange(JobFacts facts) {
    JobRequest request = facts.job().request();
    int min = facts.nodeCount();
    if (!facts.isPending() || request.maxNodes() <= 0 || hasNoMost(facts.job())) {
      return Integer.toString(min);
    }
    int max = request.maxNodes();
    if (max > min && !request.nodesGiven()) {
      max = Math.max(min, Math.min(max, Math.max(request.tasks(), min)));
    }
    return min + "-" + Math.max(min, max);
  }

  /**
   * Whether nothing limits how many nodes it may get: it says neither how many nodes nor how many
   * tasks it wants. As in Slurm one that was held when it came shows one node at most.
   */
  private static boolean hasNoMost(Job job) {
    JobRequest request = job.request();
    return job.hold() == Hold.NONE
        && !request.tasksGiven()
        && !request.nodesGiven()
        && request.tasks() <= 1
        && request.tasksPerNode() == 0
        && request.tasksPerGpu() == 0
        && request.requiredNodes().isEmpty();
  }

  /** Cores, memory and devices, nodes that agree together on one line. */
  private void devices(@Nullable Allocation allocation, boolean holding, RecordText out) {
    if (allocation == null) {
      return;
    }
    Map<String, Long> totals = new TreeMap<>();
    List<String> lines = new ArrayList<>();
    List<List<String>> nodes = new ArrayList<>();
    for (NodeShare share : allocation.shares()) {
      for (GresShare gres : share.gres()) {
        totals.merge(name(gres), gres.count(), Long::sum);
      }
      String line =
          " CPU_IDs="
              + cpuIds(share)
              + " Mem="
              + share.memoryMib()
              + " GRES="
              + (holding ? gres(share) : "");
      // As in Slurm only neighbours share a line.
      if (lines.isEmpty() || !lines.getLast().equals(line)) {
        lines.add(line);
        nodes.add(new ArrayList<>());
      }
      nodes.getLast().add(share.node());
    }
    String total =
        totals.entrySet().stream()
            .map(entry -> entry.getKey() + ":" + entry.getValue())
            .collect(Collectors.joining(","));
    out.line().word("JOB_GRES", orNull(total));
    for (int i = 0; i < lines.size(); i++) {
      out.line().raw("  Nodes=" + HostList.fold(nodes.get(i)) + lines.get(i));
    }
  }

  private static String name(GresShare gres) {
    return gres.type() == null ? gres.name() : gres.name() + ":" + gres.type();
  }

  /** Slurm numbers the CPUs of a node core by core, thread by thread. */
  private static String cpuIds(NodeShare share) {
    int cores = share.cores().size();
    int threads = cores == 0 ? 1 : Math.max(1, share.cpus() / cores);
    if (threads == 1) {
      return share.cores().toString();
    }
    return IndexSet.of(
            share.cores().stream()
                .flatMap(core -> IntStream.range(core * threads, (core + 1) * threads))
                .toArray())
        .toString();
  }

  /** The devices that a job has on a node. */
  String gres(NodeShare share) {
    List<String> parts = new ArrayList<>();
    TreeMap<String, List<GresShare>> sharing = new TreeMap<>();
    for (GresShare gres : share.gres()) {
      if (gres.name().matches("shard|mps") && !gres.devices().isEmpty()) {
        sharing.computeIfAbsent(name(gres), n -> new ArrayList<>()).add(gres);
        continue;
      }
      boolean counted = gres.devices().isEmpty() && gres.count() > 0;
      parts.add(
          counted
              ? name(gres) + "(CNT:" + gres.count() + ")"
              : name(gres) + ":" + gres.count() + "(IDX:" + gres.devices() + ")");
    }
    sharing.forEach((name, held) -> parts.add(name + sharedParts(share.node(), held)));
    return String.join(",", parts);
  }

  /** Of each GPU of the node, how much of its parts the job holds: {@code :2(2/4,0/4)}. */
  private String sharedParts(String node, List<GresShare> held) {
    long total = held.stream().mapToLong(GresShare::count).sum();
    Node known = tres.view().nodes().get(node);
    long gpus = 0;
    long parts = 0;
    if (known != null) {
      for (GresDevices devices : known.spec().gres()) {
        gpus += devices.name().equals("gpu") ? devices.count() : 0;
        parts += devices.name().equals(held.getFirst().name()) ? devices.count() : 0;
      }
    }
    List<String> each = new ArrayList<>();
    for (int gpu = 0; gpu < gpus; gpu++) {
      int at = gpu;
      long used =
          held.stream().filter(g -> g.devices().contains(at)).mapToLong(GresShare::count).sum();
      each.add(used + "/" + (parts / gpus + (gpu < parts % gpus ? 1 : 0)));
    }
    return ":" + total + (each.isEmpty() ? "" : "(" + String.join(",", each) + ")");
  }

  private static void request(JobFacts facts, RecordText out) {
    Job job = facts.job();
    JobRequest request = job.request();
    String memory =
        switch (request.memory()) {
          case MemoryRequest.PerNode m -> "MinMemoryNode";
          case MemoryRequest.PerCpu m -> "MinMemoryCPU";
          case MemoryRequest.PerGpu m -> "MinMemoryTRES";
        };
    out.line()
        .word("MinCPUsNode", facts.minCpus())
        .word(memory, facts.minMemory())
        .word("MinTmpDiskNode", facts.tmpDisk());
    out.line()
        .word("Features", facts.features())
        .word("DelayBoot", TimeLimits.format(TresOptions.delayBoot(job)));
    if (job.reservation() != null) {
      out.line().word("Reservation", job.reservation());
    }
    out.line()
        .word("OverSubscribe", facts.overSubscribe())
        .word("Exclusive", exclusive(request.exclusivity()))
        .word("Contiguous", request.contiguous() ? 1 : 0)
        .word("Licenses", facts.licenses())
        .word("LicensesAlloc", facts.heldLicenses())
        .word("Network", orNull(TresOptions.option(job, "network")));
  }

  static String exclusive(Exclusivity exclusivity) {
    return switch (exclusivity) {
      case DEFAULT, OVERSUBSCRIBE -> "NO";
      case NODE, USER, MCS, TOPO -> exclusivity.name();
    };
  }

  private static void files(JobFacts facts, RecordText out) {
    Job job = facts.job();
    out.line().word("Command", orNull(job.batch().command()));
    out.line().word("SubmitLine", job.batch().submitLine());
    out.line().word("WorkDir", job.batch().workDir());
    if (!job.adminComment().isEmpty()) {
      out.line().word("AdminComment", job.adminComment());
    }
    if (!job.comment().isEmpty()) {
      out.line().word("Comment", job.comment());
    }
    String extra = TresOptions.option(job, "extra");
    if (!extra.isEmpty()) {
      out.line().word("Extra", extra);
    }
    if (job.batch().batch()) {
      out.line().word("StdErr", facts.stderr());
      out.line().word("StdIn", facts.stdin());
      out.line().word("StdOut", facts.stdout());
    }
  }

  private static void extras(JobFacts facts, RecordText out) {
    Job job = facts.job();
    flags(job, out);
    JobRequest request = job.request();
    if (request.switches() > 0) {
      out.line()
          .word(
              "Switches",
              request.switches() + "@" + TimeLimits.format(request.switchesWaitSeconds()));
    }
    if (request.segment() > 0) {
      out.line().word("SegmentSize", request.segment());
    }
    if (request.spread()) {
      out.line().word("SpreadJob", "Yes");
    }
    option("CpusPerTres", TresOptions.cpusPerTres(job), out);
    option("MemPerTres", TresOptions.memoryPerTres(job), out);
    option("TresBind", TresOptions.bind(job), out);
    option("TresFreq", TresOptions.frequency(job), out);
    option("TresPerJob", TresOptions.per(job, GresRequest.Scope.JOB), out);
    option("TresPerNode", TresOptions.per(job, GresRequest.Scope.NODE), out);
    option("TresPerSocket", TresOptions.per(job, GresRequest.Scope.SOCKET), out);
    option("TresPerTask", TresOptions.perTask(job), out);
    List<String> mail = TresOptions.mail(job);
    if (!mail.isEmpty()) {
      String to = TresOptions.option(job, "mail-user");
      out.line()
          .word("MailUser", to.isEmpty() ? job.owner().user() : to)
          .word("MailType", String.join(",", mail));
    }
    if (request.tasksPerGpu() > 0) {
      out.line().word("NtasksPerTRES", request.tasksPerGpu());
    }
  }

  /** What is on or off about a job, in one line. */
  private static void flags(Job job, RecordText out) {
    String kill = job.batch().killOnInvalidDep();
    Map<String, String> flags = new LinkedHashMap<>();
    List<String> gres = List.of(job.batch().shown().getOrDefault("gres-flags", "").split(","));
    if (gres.contains("allow-task-sharing")) {
      flags.put("GresAllowTaskSharing", "Yes");
    }
    if (job.request().enforceBinding() || gres.contains("disable-binding")) {
      flags.put("GresEnforceBind", job.request().enforceBinding() ? "Yes" : "No");
    }
    if (job.request().oneTaskPerSharing() || gres.contains("multiple-tasks-per-sharing")) {
      flags.put("GresOneTaskPerSharing", job.request().oneTaskPerSharing() ? "Yes" : "No");
    }
    if (!kill.isEmpty()) {
      flags.put("KillOnInvalidDependent", kill.equals("yes") ? "Yes" : "No");
    }
    if (!flags.isEmpty()) {
      RecordText line = out.line();
      flags.forEach(line::word);
    }
  }

  private static void option(String key, String text, RecordText out) {
    if (!text.equals(NOT_APPLICABLE)) {
      out.line().word(key, text);
    }
  }

  /** The node that took a job with it. */
  private static String failedNode(JobFacts facts) {
    String node = facts.job().failedNode();
    return node == null ? "" : " FailedNode=" + node;
  }
}
