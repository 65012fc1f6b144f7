package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import java.time.Instant;

/** Whether preemption comes into question at all, before it is looked for. */
public final class Preemptible {
  private Preemptible() {}

  /** Whether some running job is one that a pending job may preempt in one of its partitions. */
  public static boolean anyBy(ClusterState state, Job job, Instant now) {
    PreemptRules rules = new PreemptRules(state);
    if (rules.isOff()) {
      return false;
    }
    for (String name : job.partitions()) {
      Partition in = state.partitions().get(name);
      for (Job other : state.jobs().values()) {
        if (in != null
            && other.state() == JobState.RUNNING
            && rules.mayPreempt(job, in, other, now)) {
          return true;
        }
      }
    }
    return false;
  }
}
