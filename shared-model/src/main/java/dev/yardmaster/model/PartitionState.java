package dev.yardmaster.model;

/** Whether a partition takes and starts jobs (slurm.conf(5), PartitionName State=). */
public enum PartitionState {
  /** Takes jobs and starts them. */
  UP,
  /** Takes jobs, starts none. */
  DOWN,
  /** Takes no new jobs, starts those it has. */
  DRAIN,
  /** Neither takes nor starts jobs. */
  INACTIVE;

  public boolean startsJobs() {
    return this == UP || this == DRAIN;
  }

  public boolean takesJobs() {
    return this == UP || this == DOWN;
  }
}
