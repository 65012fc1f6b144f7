package dev.yardmaster.history;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that changed what is told of a job.
 *
 * @param sequence the number of the event
 * @param shown what the job showed from then on; null when it was forgotten
 * @param by who changed it; empty when nobody did
 * @param edit what they changed, as field=value; empty when nobody did
 */
record Change(
    int jobId, long sequence, Instant at, @Nullable Shown shown, String by, String edit) {}
