package dev.yardmaster.engine.plan;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;

/** How long a job that starts may run, where it says less than it would like (--time-min). */
final class TimeLimits {
  private TimeLimits() {}

  /**
   * The longest limit up to the one asked for that delays nothing planned on these nodes, in
   * minutes.
   */
  static long longest(Agenda plan, Job job, long[] nodes, long least, long now) {
    if (least == job.timeLimitMinutes()) {
      return least;
    }
    long wanted = plan.roundedEnd(now, job.timeLimitMinutes());
    long until = plan.freeUntil(job, nodes, wanted);
    long minutes = Math.max(least, (plan.onGrid(until) - now) / 60);
    return job.timeLimitMinutes() == Partition.UNLIMITED
        ? minutes
        : Math.min(job.timeLimitMinutes(), minutes);
  }
}
