package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.gate.Collector;
import dev.yardmaster.engine.gate.Why;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * slurm.conf(5), CompleteWait: while jobs that ended within so many seconds still have nodes,
 * nothing starts, so that large jobs find nodes that lie together. With {@code
 * reduce_completing_frag} of SchedulerParameters that holds for the main pass only in partitions
 * that share nodes with the partition of such a job.
 */
final class CompleteWait {
  /** Nothing waits, as in a forecast: it tells what starts once the nodes are free. */
  static final CompleteWait NONE = new CompleteWait();

  private final long seconds;
  private final boolean spares;
  private final Set<String> nodes = new TreeSet<>();
  private final List<Job> completing = new ArrayList<>();

  private CompleteWait() {
    seconds = 0;
    spares = false;
  }

  CompleteWait(ClusterState state, Instant now) {
    String text = state.config().setting("CompleteWait").orElse("0").strip();
    seconds = text.matches("[0-9]{1,6}") ? Long.parseLong(text) : 0;
    spares = state.config().scheduling().parameters().containsKey("reduce_completing_frag");
    if (seconds == 0) {
      return;
    }
    Instant since = now.minusSeconds(seconds);
    for (Job job : state.jobs().values()) {
      if (job.has(JobFlag.COMPLETING) && !endOf(job).isBefore(since)) {
        completing.add(job);
        Partition partition = state.partitions().get(job.partition());
        nodes.addAll(partition == null ? List.of() : partition.nodes());
      }
    }
  }

  /** When its run ended; one that waits again was submitted anew at that moment. */
  private static Instant endOf(Job job) {
    Instant ended = job.ended();
    return ended == null ? job.submitted() : ended;
  }

  /** Whether anything has to wait. */
  boolean waits() {
    return !completing.isEmpty();
  }

  /** What is left of the passes that were asked for. */
  Set<Pass> passes(Set<Pass> asked) {
    if (!waits()) {
      return asked;
    }
    EnumSet<Pass> left = EnumSet.noneOf(Pass.class);
    left.addAll(asked);
    left.remove(Pass.BACKFILL);
    if (!spares) {
      left.remove(Pass.MAIN);
      left.remove(Pass.WHOLE_QUEUE);
    }
    return left;
  }

  /** What of the queue the main pass looks at. */
  List<Entry> queue(List<Entry> queue) {
    return waits()
        ? queue.stream().filter(entry -> !holds(entry.shape().partition())).toList()
        : queue;
  }

  /** Whether no pass looks at a partition now. */
  boolean holds(Partition partition) {
    return waits() && (!spares || !Collections.disjoint(partition.nodes(), nodes));
  }

  /** The gate of a job in a partition. */
  void check(Partition partition, Collector c) {
    if (seconds == 0) {
      c.notApplicable(Gate.COMPLETE_WAIT);
    } else if (holds(partition)) {
      c.fail(Gate.COMPLETE_WAIT, new Why(Reason.NONE), true, this::evidence);
    } else {
      c.pass(Gate.COMPLETE_WAIT, Evidence.None::new);
    }
  }

  /** Who still has which nodes, and when the wait for the last of them is given up. */
  private Evidence evidence() {
    List<Integer> ids = new ArrayList<>();
    Set<String> held = new TreeSet<>();
    Instant until = Instant.MIN;
    for (Job job : completing) {
      ids.add(job.id());
      Allocation allocation = job.allocation();
      if (allocation != null) {
        allocation.shares().stream().map(NodeShare::node).forEach(held::add);
      }
      Instant over = endOf(job).plusSeconds(seconds);
      until = over.isAfter(until) ? over : until;
    }
    return new Evidence.Completing(ids, HostList.of(List.copyOf(held)), until);
  }
}
