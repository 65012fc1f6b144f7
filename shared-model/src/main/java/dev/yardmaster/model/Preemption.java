package dev.yardmaster.model;

import java.time.Instant;

/**
 * That a job was made to leave for another one.
 *
 * @param by the job that gets its resources
 * @param at when it was decided
 * @param until how long it may save its work (GraceTime); {@code at} for not at all
 * @param mode what becomes of it
 */
public record Preemption(int by, Instant at, Instant until, Mode mode) {
  /** slurm.conf(5), PreemptMode. */
  public enum Mode {
    /** It ends as PREEMPTED. */
    CANCEL,
    /** It goes back to the queue, or ends where it may not. */
    REQUEUE,
    /** It stops, keeps its memory and devices, and goes on when its cores are free again. */
    SUSPEND
  }
}
