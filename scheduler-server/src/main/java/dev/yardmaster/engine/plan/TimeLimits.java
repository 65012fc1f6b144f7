package dev.yardmaster.engine.plan;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;

/** How long a job that starts may run, where it says less than it would like (--time-min). */
final class TimeLimits {
  /** What the backfill pass gives a job of no limit in a partition of no limit, as Slurm does. */
  private static final long YEAR_MINUTES = 365L * 24 * 60;

  private TimeLimits() {}

  /**
   * The longest limit up to the one asked for that delays nothing planned on these nodes, in
   * minutes.
   */
  static long longest(Agenda plan, Job job, long[] nodes, long least, long now) {
    boolean open = job.limitOpen() && job.timeLimitMinutes() == Partition.UNLIMITED;
    if (open && job.timeMinMinutes() == 0) {
      return YEAR_MINUTES;
    }
    if (least == job.timeLimitMinutes()) {
      return least;
    }
    long wanted = plan.roundedEnd(now, job.timeLimitMinutes());
    long until = plan.freeUntil(job, nodes, wanted);
    long minutes = Math.max(least, (plan.onGrid(until) - now) / 60);
    return job.timeLimitMinutes() == Partition.UNLIMITED
        ? Math.min(YEAR_MINUTES, minutes)
        : Math.min(job.timeLimitMinutes(), minutes);
  }
}
