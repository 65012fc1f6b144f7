package dev.yardmaster.explain;

import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When and where the engine expects a job to start.
 *
 * @param byLimits when every job runs to its limit; null when it has no start within the horizon
 * @param likely when jobs end as their owners' jobs usually do; null when there is no history to
 *     tell
 * @param earliest when most jobs end as early as a quarter of their owners' jobs do; null as {@code
 *     likely}
 * @param latest when they end as late as a quarter of them do; null as {@code likely}, or when that
 *     is after the horizon
 * @param leftOut how many jobs ahead were left out of the likely start because there are too many
 * @param plan what Slurm's plan says, which {@code squeue --start} shows, where that is something
 *     else; null when it says the same, or nothing
 * @param horizonEnd the end of the time looked at
 * @param made when this was computed
 */
public record Forecast(
    @Nullable Instant byLimits,
    @Nullable Instant likely,
    @Nullable Instant earliest,
    @Nullable Instant latest,
    int leftOut,
    HostList nodes,
    @Nullable Plan plan,
    Instant horizonEnd,
    Instant made) {
  /**
   * A start in Slurm's plan that is not the one to expect.
   *
   * @param nodes empty where the plan keeps none for the job
   */
  public record Plan(Instant start, HostList nodes, Difference difference) {}

  /** Why a plan says something else. */
  public enum Difference {
    /** It tells when nodes are free, and does not ask when a limit lets the job go. */
    OWN_LIMIT,
    /** It leaves out jobs that wait for a limit, a licence, a time or another job. */
    LEFT_OUT,
    /** It looks at each part of a heterogeneous job by itself. */
    PARTS,
    /** It takes whole nodes, and ends that are near each other as one. */
    COARSE
  }

  /** A forecast without a range. */
  public Forecast(
      @Nullable Instant byLimits,
      @Nullable Instant likely,
      HostList nodes,
      Instant horizonEnd,
      Instant made) {
    this(byLimits, likely, null, null, 0, nodes, null, horizonEnd, made);
  }
}
