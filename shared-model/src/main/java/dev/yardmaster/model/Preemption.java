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
  private static final long LOOKED_AT_SECONDS = 30;

  /**
   * When it leaves at the latest. Once it has saved its work it leaves as soon as a job asks for
   * what it holds; whether its time is over is looked at every 30 seconds besides.
   */
  public Instant latest() {
    return until.isAfter(at) ? until.plusSeconds(LOOKED_AT_SECONDS) : until;
  }

  /**
   * When a controller looks whether its time is over.
   *
   * @param boot since when the controller runs
   */
  public Instant lookedAt(Instant boot) {
    long since = until.getEpochSecond() - boot.getEpochSecond();
    long looks = Math.floorDiv(since + LOOKED_AT_SECONDS - 1, LOOKED_AT_SECONDS);
    return until.isAfter(at) ? boot.plusSeconds(looks * LOOKED_AT_SECONDS) : until;
  }

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
