package dev.yardmaster.console.overview;

import dev.yardmaster.console.connect.NodeGroup;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.connect.Unit;
import dev.yardmaster.console.connect.UnitCount;
import dev.yardmaster.console.overview.Overview.GroupLine;
import dev.yardmaster.console.overview.Overview.PartitionLine;
import dev.yardmaster.console.overview.Overview.StateLine;
import dev.yardmaster.console.overview.Overview.WaitLine;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the figures of the overview. */
public final class OverviewCounter {
  /** A job whose limit is reached within this time frees its GPUs soon. */
  static final Duration SOON = Duration.ofHours(2);

  private static final int MAX_ENDING = 8;

  private OverviewCounter() {}

  /** The figures of a snapshot. */
  public static Overview count(Snapshot snapshot) {
    return new Overview(
        snapshot.info() == null ? "" : snapshot.info().cluster(),
        snapshot.unit(),
        snapshot.unit() == Unit.GPU ? snapshot.gpus() : snapshot.cpus(),
        snapshot.unit() == Unit.GPU ? snapshot.gpusByAccount() : snapshot.cpusByAccount(),
        snapshot.partitions().values().stream().map(p -> line(p, snapshot)).toList(),
        states(snapshot),
        snapshot.jobs().stream().filter(Terms::needsAttention).count(),
        waits(snapshot),
        nodes(snapshot),
        ending(snapshot));
  }

  private static PartitionLine line(Partition partition, Snapshot snapshot) {
    UnitCount gpus = snapshot.gpusOf(partition);
    return gpus.total() > 0
        ? new PartitionLine(partition.name(), Unit.GPU, gpus)
        : new PartitionLine(partition.name(), Unit.CPU, snapshot.cpusOf(partition));
  }

  private static List<StateLine> states(Snapshot snapshot) {
    List<StateLine> lines = new ArrayList<>();
    for (JobState state : JobState.values()) {
      if (snapshot.tasks(state) > 0) {
        lines.add(new StateLine(state, snapshot.tasks(state)));
      }
    }
    return lines;
  }

  private record Wait(Reason reason, boolean helps) {}

  private static List<WaitLine> waits(Snapshot snapshot) {
    Map<Wait, Long> tasks = new HashMap<>();
    for (Job job : snapshot.jobs()) {
      if (job.state() == JobState.PENDING) {
        Wait wait = new Wait(job.reason(), Terms.waitingHelps(job));
        tasks.merge(wait, (long) job.taskCount(), Long::sum);
      }
    }
    return tasks.entrySet().stream()
        .map(e -> new WaitLine(e.getKey().reason(), e.getValue(), e.getKey().helps()))
        .sorted(
            Comparator.comparingLong(WaitLine::tasks)
                .reversed()
                .thenComparing(WaitLine::reason)
                .thenComparing(WaitLine::helps))
        .toList();
  }

  private static List<GroupLine> nodes(Snapshot snapshot) {
    Map<NodeGroup, Long> counts = new EnumMap<>(NodeGroup.class);
    for (NodeUse use : snapshot.nodes().values()) {
      counts.merge(use.group(), 1L, Long::sum);
    }
    return counts.entrySet().stream().map(e -> new GroupLine(e.getKey(), e.getValue())).toList();
  }

  private static List<Job> ending(Snapshot snapshot) {
    return snapshot.jobs().stream()
        .filter(job -> job.state() == JobState.RUNNING && endsSoon(job, snapshot.time()))
        .sorted(
            Comparator.comparing((Job job) -> job.ended() == null ? Instant.MAX : job.ended())
                .thenComparingInt(Job::id))
        .limit(MAX_ENDING)
        .toList();
  }

  private static boolean endsSoon(Job job, Instant now) {
    return job.ended() != null && job.ended().isBefore(now.plus(SOON));
  }
}
