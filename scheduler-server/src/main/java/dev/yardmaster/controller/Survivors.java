package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Billing;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * sbatch(1), {@code --no-kill}: a job that loses nodes goes on with those it has left; from then on
 * it counts as asking for no more than these.
 */
final class Survivors {
  private static final String OPTION = "no-kill";

  private Survivors() {}

  /** The job on what is left of its nodes; null when it may not go on so, or nothing is left. */
  static @Nullable Job of(ClusterState state, Job job) {
    Allocation held = job.allocation();
    String wish = job.batch().shown().get(OPTION);
    if (held == null
        || wish == null
        || wish.equalsIgnoreCase("off")
        || job.has(JobFlag.COMPLETING)) {
      return null;
    }
    List<NodeShare> kept =
        held.shares().stream().filter(s -> !Runs.isOut(state, s.node())).toList();
    if (kept.isEmpty() || kept.size() == held.shares().size()) {
      return null;
    }
    return on(state, job, held, kept);
  }

  /**
   * The job on some of its nodes. It counts as asking for what it has of them; what it would ask
   * for anew stays.
   */
  static Job on(ClusterState state, Job job, Allocation held, List<NodeShare> kept) {
    Tres amounts = tres(state, job, held, kept);
    Allocation rest = new Allocation(kept, amounts, held.blocked());
    JobRequest request = job.request();
    JobRequest.Asked asked =
        new JobRequest.Asked(
            ReqTres.cpus(request), request.cpusPerTask(), request.memory(), amounts);
    return job.with(j -> j.allocation(rest).request(request.withAsked(asked)));
  }

  private static Tres tres(ClusterState state, Job job, Allocation held, List<NodeShare> kept) {
    TreeMap<String, Long> rest = new TreeMap<>(held.tres().amounts());
    for (NodeShare share : held.shares()) {
      if (!kept.contains(share)) {
        less(rest, Tres.CPU, share.cpus());
        less(rest, Tres.MEM, share.memoryMib());
        less(rest, Tres.NODE, 1);
        for (GresShare gres : share.gres()) {
          less(rest, "gres/" + gres.name(), gres.count());
          if (gres.type() != null) {
            less(rest, "gres/" + gres.name() + ":" + gres.type(), gres.count());
          }
        }
      }
    }
    Partition partition = state.partitions().get(job.partition());
    if (partition != null && rest.remove(Tres.BILLING) != null) {
      rest.put(Tres.BILLING, Billing.of(rest, partition, state.config().priority().flags()));
    }
    return new Tres(rest);
  }

  private static void less(TreeMap<String, Long> tres, String name, long amount) {
    tres.computeIfPresent(name, (key, had) -> had > amount ? Long.valueOf(had - amount) : null);
  }
}
