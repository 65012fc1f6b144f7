package dev.yardmaster.controller;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the scheduler has been doing. @param lastPass when a pass last ended; null before the first
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
