package dev.yardmaster.explain;

import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job or reservation in the way: it holds, or has planned, what this job needs.
 *
 * @param kind JOB_RUNNING, JOB_PLANNED or RESERVATION
 * @param name the job's display id or the reservation's name; empty, as are title, user and
 *     account, for a job that the reader may not see
 * @param title the job's name
 * @param holds what it holds of the needed kind: GPUs when the job asks for GPUs, else CPUs
 * @param unit TRES name that {@code holds} counts
 * @param until when it lets go, by its limit; null when unlimited
 */
public record Blocker(
    Kind kind,
    String name,
    String title,
    String user,
    String account,
    HostList nodes,
    long holds,
    String unit,
    @Nullable Instant until) {
  /** What kind of thing is in the way. */
  public enum Kind {
    JOB_RUNNING,
    JOB_PLANNED,
    RESERVATION
  }
}
