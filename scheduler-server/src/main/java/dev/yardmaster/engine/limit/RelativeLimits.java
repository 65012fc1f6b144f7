package dev.yardmaster.engine.limit;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.LimitKind;
import dev.yardmaster.model.Limits;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Tres;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A QOS whose limits on amounts are percentages (sacctmgr(1), Flags=Relative): of the cluster, or
 * of the partition whose QOS it is. What is above 100 counts as 100.
 */
final class RelativeLimits {
  private static final List<LimitKind> AMOUNTS =
      List.of(
          LimitKind.GRP_TRES,
          LimitKind.MAX_TRES,
          LimitKind.MAX_TRES_PER_USER,
          LimitKind.MAX_TRES_PER_ACCOUNT,
          LimitKind.MIN_TRES);

  private RelativeLimits() {}

  /**
   * The QOS with its limits as amounts.
   *
   * @param partition the partition whose QOS it is; null for the whole cluster
   */
  static Qos absolute(ClusterState state, Qos qos, @Nullable Partition partition) {
    if (!qos.has("Relative")) {
      return qos;
    }
    TreeMap<String, Long> total = total(state, partition);
    Limits limits = qos.limits();
    for (LimitKind kind : AMOUNTS) {
      TreeMap<String, Long> amounts = new TreeMap<>(limits.tres(kind));
      amounts.replaceAll(
          (tres, percent) -> Math.min(100, percent) * total.getOrDefault(tres, 0L) / 100);
      if (!amounts.isEmpty()) {
        limits = limits.with(kind, amounts);
      }
    }
    return qos.withLimits(limits);
  }

  private static TreeMap<String, Long> total(ClusterState state, @Nullable Partition partition) {
    TreeMap<String, Long> total = new TreeMap<>();
    state.config().licenses().forEach((name, n) -> total.put("license/" + name, (long) n));
    for (NodeSpec node : state.config().nodes()) {
      if (partition != null && !partition.nodes().contains(node.name())) {
        continue;
      }
      total.merge(Tres.NODE, 1L, Long::sum);
      total.merge(Tres.CPU, (long) node.cpus(), Long::sum);
      total.merge(Tres.BILLING, (long) node.cpus(), Long::sum);
      total.merge(Tres.MEM, node.realMemoryMib(), Long::sum);
      for (GresDevices gres : node.gres()) {
        total.merge("gres/" + gres.name(), gres.count(), Long::sum);
        if (gres.type() != null) {
          total.merge("gres/" + gres.name() + ":" + gres.type(), gres.count(), Long::sum);
        }
      }
    }
    return total;
  }
}
