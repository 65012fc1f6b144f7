package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.Partition;
import java.time.Instant;
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

  private final boolean waits;
  private final boolean spares;
  private final Set<String> nodes = new TreeSet<>();

  private CompleteWait() {
    waits = false;
    spares = false;
  }

  CompleteWait(ClusterState state, Instant now) {
    String text = state.config().setting("CompleteWait").orElse("0").strip();
    long seconds = text.matches("[0-9]{1,6}") ? Long.parseLong(text) : 0;
    spares = state.config().scheduling().parameters().containsKey("reduce_completing_frag");
    boolean found = false;
    if (seconds > 0) {
      Instant since = now.minusSeconds(seconds);
      for (Job job : state.jobs().values()) {
        if (job.has(JobFlag.COMPLETING) && !endOf(job).isBefore(since)) {
          found = true;
          Partition partition = state.partitions().get(job.partition());
          nodes.addAll(partition == null ? List.of() : partition.nodes());
        }
      }
    }
    waits = found;
  }

  /** When its run ended; one that waits again was submitted anew at that moment. */
  private static Instant endOf(Job job) {
    Instant ended = job.ended();
    return ended == null ? job.submitted() : ended;
  }

  /** What is left of the passes that were asked for. */
  Set<Pass> passes(Set<Pass> asked) {
    if (!waits) {
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
    return waits
        ? queue.stream()
            .filter(entry -> Collections.disjoint(entry.shape().partition().nodes(), nodes))
            .toList()
        : queue;
  }
}
