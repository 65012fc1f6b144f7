package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import java.time.Duration;

/**
 * How long a job may go on after its limit (slurm.conf(5), OverTimeLimit): what the partition says
 * in which it runs, else what the cluster says.
 */
public final class OverTimeLimit {
  private static final String KEY = "OverTimeLimit";

  private OverTimeLimit() {}

  /** Minutes as a duration; a year stands for UNLIMITED. */
  public static Duration of(ClusterState state, Job job) {
    Partition partition = state.partitions().get(job.partition());
    String own = partition == null ? null : partition.other().get(KEY);
    String text = own == null ? state.config().setting(KEY).orElse("0") : own;
    return text.matches("[0-9]{1,6}")
        ? Duration.ofMinutes(Long.parseLong(text))
        : Duration.ofDays(365);
  }
}
