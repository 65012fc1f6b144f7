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
    Instant horizonEnd,
    Instant made) {
  /** A forecast without a range. */
  public Forecast(
      @Nullable Instant byLimits,
      @Nullable Instant likely,
      HostList nodes,
      Instant horizonEnd,
      Instant made) {
    this(byLimits, likely, null, null, 0, nodes, horizonEnd, made);
  }
}
