package dev.yardmaster.engine.plan;

import dev.yardmaster.model.SchedulingPolicy;

/**
 * How far a main pass goes (slurm.conf(5), SchedulerParameters).
 *
 * @param depth default_queue_depth: so many places of the queue are looked at and, as in Slurm, one
 *     more
 * @param perPartition partition_job_depth: so many jobs of each partition are looked at; 0 for all
 * @param starts sched_max_job_start: so many jobs start; 0 for any number
 * @param stopsAtLimit assoc_limit_stop: behind a job that a limit holds back nobody of its
 *     partition starts
 * @param stopsAtLicenses bf_licenses: behind a job that lacks licences nobody starts; backfill
 *     plans around it
 */
record MainLimits(
    int depth, int perPartition, int starts, boolean stopsAtLimit, boolean stopsAtLicenses) {
  /** The whole queue is looked at. */
  static final MainLimits NONE = new MainLimits(Integer.MAX_VALUE, 0, 0, false, false);

  /** Nobody has its turn; new jobs are tested alone, as at their submission. */
  static final MainLimits NOBODY = new MainLimits(-1, 0, 0, false, false);

  /**
   * The limits of a cluster.
   *
   * @param whole whether the pass is one of those that look at the whole queue (sched_interval)
   */
  static MainLimits of(SchedulingPolicy policy, boolean whole) {
    return new MainLimits(
        whole ? Integer.MAX_VALUE : policy.defaultQueueDepth(),
        number(policy, "partition_job_depth"),
        number(policy, "sched_max_job_start"),
        policy.parameters().containsKey("assoc_limit_stop"),
        policy.backfill() && policy.parameters().containsKey("bf_licenses"));
  }

  private static int number(SchedulingPolicy policy, String name) {
    String text = policy.parameters().getOrDefault(name, "0").strip();
    // The reader of the files has reported what is no number.
    return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0;
  }
}
