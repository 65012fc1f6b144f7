package dev.yardmaster.accounting;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Billing;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Amounts as accounting keeps them: what is tracked, with what is charged for it. */
final class TresOf {
  private static final Set<String> ALWAYS = Set.of(Tres.CPU, Tres.MEM, Tres.NODE, Tres.BILLING);

  private TresOf() {}

  static Tres requested(ClusterState state, Job job) {
    Map<String, Long> amounts = ReqTres.of(job.request()).amounts();
    return amounts.isEmpty() ? Tres.NONE : tracked(state, billed(state, job, amounts));
  }

  /** Slurm keeps what components of a heterogeneous job hold without what it is charged. */
  static Tres allocated(ClusterState state, Job job) {
    Allocation allocation = job.allocation();
    if (allocation == null) {
      return Tres.NONE;
    }
    TreeMap<String, Long> amounts = new TreeMap<>(allocation.tres().amounts());
    if (job.het() != null) {
      amounts.remove(Tres.BILLING);
      return tracked(state, amounts);
    }
    boolean asIs = amounts.containsKey(Tres.BILLING);
    return tracked(state, asIs ? amounts : billed(state, job, amounts));
  }

  /** What a job holds on some of its nodes, which nobody is charged for by itself. */
  static Tres on(ClusterState state, Job job, Collection<String> nodes) {
    TreeMap<String, Long> amounts = new TreeMap<>();
    Set<String> wanted = new HashSet<>(nodes);
    Allocation allocation = job.allocation();
    List<NodeShare> shares = allocation == null ? List.of() : allocation.shares();
    for (NodeShare share : shares) {
      if (!wanted.contains(share.node())) {
        continue;
      }
      amounts.merge(Tres.CPU, (long) share.cpus(), Long::sum);
      amounts.merge(Tres.MEM, share.memoryMib(), Long::sum);
      amounts.merge(Tres.NODE, 1L, Long::sum);
      for (GresShare gres : share.gres()) {
        amounts.merge("gres/" + gres.name(), gres.count(), Long::sum);
        if (gres.type() != null) {
          amounts.merge("gres/" + gres.name() + ":" + gres.type(), gres.count(), Long::sum);
        }
      }
    }
    return tracked(state, amounts);
  }

  private static Map<String, Long> billed(ClusterState state, Job job, Map<String, Long> amounts) {
    TreeMap<String, Long> billed = new TreeMap<>(amounts);
    billed.put(
        Tres.BILLING,
        Billing.of(
            billed,
            state.partitions().get(job.partition()),
            Set.copyOf(state.config().priority().flags())));
    return billed;
  }

  static Tres tracked(ClusterState state, Map<String, Long> amounts) {
    Set<String> tracked = new HashSet<>(ALWAYS);
    for (String name : state.config().setting("AccountingStorageTRES").orElse("").split(",")) {
      tracked.add(name.strip().toLowerCase(Locale.ROOT));
    }
    TreeMap<String, Long> kept = new TreeMap<>(amounts);
    kept.keySet().removeIf(name -> !tracked.contains(name));
    return new Tres(kept);
  }
}
