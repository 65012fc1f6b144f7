package dev.yardmaster.model;

import java.time.Duration;
import java.time.Instant;

/**
 * That a run was suspended.
 *
 * @param at when it was last suspended or resumed (SuspendTime)
 * @param worked how long it had worked by then (SecsPreSuspend)
 * @param cause who suspended it last
 * @param by the job for which it was; 0 for none
 * @param isLast whether the run ended while it was suspended, and so at {@code at}
 * @param priority what its priority was
 */
public record Suspension(
    Instant at, Duration worked, Cause cause, int by, boolean isLast, long priority) {
  /** Who suspended a job. */
  public enum Cause {
    /** {@code scontrol suspend}: its CPUs are free for others until it is resumed. */
    OPERATOR,
    /** The gang scheduler: it keeps its CPUs, and gets its turn again (slurm.conf(5), GANG). */
    GANG
  }

  /** The same after it was resumed. */
  public Suspension resumed(Instant now) {
    return new Suspension(now, worked, cause, by, false, priority);
  }
}
