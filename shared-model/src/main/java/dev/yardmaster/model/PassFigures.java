package dev.yardmaster.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the scheduler has been doing.
 *
 * @param lastPass when a pass last ended; null before the first
 * @param mainPassMicros how long the last main pass took; likewise for backfill
 * @param mainDepth jobs the last main pass looked at; likewise for backfill
 * @param passes main passes since the controller started
 */
public record PassFigures(
    @Nullable Instant lastPass,
    long mainPassMicros,
    long backfillMicros,
    int mainDepth,
    int backfillDepth,
    long passes) {
  public static final PassFigures NONE = new PassFigures(null, 0, 0, 0, 0, 0);
}
