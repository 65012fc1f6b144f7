package dev.yardmaster.engine.limit;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Qos;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job is charged to: its association with all above it, its QOS, and the QOS of the
 * partition it is for. Limits are looked up in order; the first that sets a limit decides it, and
 * those of associations are looked at only where no QOS sets the same (resource_limits).
 *
 * @param association null when the job has none
 * @param ofJob its own QOS; null when there is none of its name
 * @param qos the QOS in order: that of the partition first, unless the job's has OverPartQOS
 * @param line the association and those above it, up to the root
 */
record Charges(
    @Nullable Association association, @Nullable Qos ofJob, List<Level> qos, List<Level> line) {
  static Charges of(ClusterState state, Job job, @Nullable String partition) {
    Accounting accounting = state.accounting();
    String in = partition == null ? job.partition() : partition;
    Association own = accounting.find(job.owner().user(), job.owner().account(), in);
    Qos ofJob = accounting.qos().get(job.owner().qos());
    Qos ofPartition = partitionQos(state, in);
    List<Level> qos = new ArrayList<>(2);
    if (ofPartition != null) {
      Partition whose = state.partitions().get(in);
      qos.add(Level.of(RelativeLimits.absolute(state, ofPartition, whose)));
    }
    if (ofJob != null && (ofPartition == null || !ofJob.name().equals(ofPartition.name()))) {
      qos.add(
          ofJob.has("OverPartQOS") ? 0 : qos.size(),
          Level.of(RelativeLimits.absolute(state, ofJob, null)));
    }
    double factor = limitFactor(qos);
    List<Level> line = new ArrayList<>();
    if (own != null) {
      for (Association a : accounting.upwards(own)) {
        line.add(Level.of(a, factor));
      }
    }
    return new Charges(own, ofJob, qos, line);
  }

  /** LimitFactor of the first QOS that sets it. */
  private static double limitFactor(List<Level> qos) {
    for (Level level : qos) {
      Double factor = level.qos() == null ? null : level.qos().limitFactor();
      if (factor != null) {
        return factor <= 0 ? 1 : factor;
      }
    }
    return 1;
  }

  static @Nullable Qos partitionQos(ClusterState state, String name) {
    Partition partition = state.partitions().get(name);
    String qos = partition == null ? null : partition.qos();
    return qos == null ? null : state.accounting().qosNamed(qos);
  }

  /** Whether nothing here sets a limit. */
  boolean isFree() {
    return qos.stream().allMatch(l -> l.limits().isEmpty())
        && line.stream().allMatch(l -> l.limits().isEmpty());
  }
}
