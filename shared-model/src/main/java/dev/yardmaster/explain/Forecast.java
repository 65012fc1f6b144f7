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
 * @param horizonEnd the end of the time looked at
 * @param made when this was computed
 */
public record Forecast(
    @Nullable Instant byLimits,
    @Nullable Instant likely,
    HostList nodes,
    Instant horizonEnd,
    Instant made) {}
