package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import java.time.Instant;

/** How long a job that starts may run, where it says less than it would like (--time-min). */
final class TimeLimits {
  /** What the backfill pass gives a job of no limit in a partition of no limit, as Slurm does. */
  private static final long YEAR_MINUTES = 365L * 24 * 60;

  private TimeLimits() {}

  /**
   * When a running job is taken to end: at its limit, or with time_min_as_soft_limit after its
   * --time-min, and once that is over after half of what is left of its limit.
   *
   * @param limit when it ends at the latest, in seconds since the epoch
   */
  static long expectedEnd(Board board, Job job, long limit) {
    Instant started = job.started();
    if (job.timeMinMinutes() <= 0 || started == null || !isSoft(board)) {
      return limit;
    }
    long now = board.now().getEpochSecond();
    long soft = started.getEpochSecond() + 60 * job.timeMinMinutes();
    return soft < now ? now + (limit - now) / 2 : soft;
  }

  private static boolean isSoft(Board board) {
    return board.state().config().scheduling().parameters().containsKey("time_min_as_soft_limit");
  }

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
    long minutes = Math.max(least, (until - now) / 60);
    return job.timeLimitMinutes() == Partition.UNLIMITED
        ? Math.min(YEAR_MINUTES, minutes)
        : Math.min(job.timeLimitMinutes(), minutes);
  }
}
