package dev.yardmaster.explain;

import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Waited;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a job that has started: how its turn came, when it ends, and who waits for that.
 *
 * @param nodes where it runs or ran
 * @param backfilled whether backfill started it, and not its turn in the queue
 * @param ahead how many jobs before it in the order of its partition went on waiting
 * @param waits what it waited for, the longest first; empty when it did not wait
 * @param ends when its limit is reached; null without one, and when it is over
 * @param likely when it ends if it takes as long as its owner's jobs usually do that have run as
 *     long; null when there is no history to tell
 * @param earliest when a quarter of such jobs have ended; null as {@code likely}
 * @param latest when three quarters have; null as {@code likely}
 * @param heldBack the pending jobs that would start earlier if it ended now, the first to start
 *     then first; not more than are of use
 * @param heldBackCount how many there are
 * @param lookedAt 0 when every waiting job was looked at, else how many, the first in the queue
 * @param ended how it ended; null while it has not
 */
public record RunFacts(
    HostList nodes,
    boolean backfilled,
    int ahead,
    List<Wait> waits,
    @Nullable Instant ends,
    @Nullable Instant likely,
    @Nullable Instant earliest,
    @Nullable Instant latest,
    List<HeldBack> heldBack,
    int heldBackCount,
    int lookedAt,
    @Nullable Ended ended) {
  /** What the record of a job that has started tells by itself: how its turn came. */
  public static RunFacts of(Job job) {
    Waited waited = job.waited();
    return new RunFacts(
        job.allocation() == null ? HostList.EMPTY : job.allocation().nodes(),
        waited != null && waited.backfilled(),
        waited == null ? 0 : waited.ahead(),
        waited == null ? List.of() : waits(waited),
        job.state().isFinished() ? null : job.ended(),
        null,
        null,
        null,
        List.of(),
        0,
        0,
        Ended.of(job));
  }

  /** What a job shows before it has been looked at is no reason. */
  private static List<Wait> waits(Waited waited) {
    List<Wait> waits = new ArrayList<>();
    waited
        .seconds()
        .forEach(
            (reason, seconds) -> {
              if (reason != Reason.NONE) {
                waits.add(new Wait(reason, seconds));
              }
            });
    waits.sort(Comparator.comparingLong(Wait::seconds).reversed());
    return waits;
  }

  public RunFacts {
    waits = List.copyOf(waits);
    heldBack = List.copyOf(heldBack);
  }

  /**
   * How a job ended.
   *
   * @param seconds how long it had worked; negative when it never ran
   */
  public record Ended(JobState state, ExitCode exit, Instant at, long seconds) {
    private static @Nullable Ended of(Job job) {
      Instant at = job.ended();
      return !job.state().isFinished() || at == null
          ? null
          : new Ended(
              job.state(),
              job.exitCode(),
              at,
              job.started() == null ? -1 : job.worked(at).toSeconds());
    }
  }

  /** How long the job waited for one reason. */
  public record Wait(Reason reason, long seconds) {}

  /**
   * A job that waits for the end of this one.
   *
   * @param name its display id; empty, as are title, user and account, for a job that the reader
   *     may not see
   * @param start when it is planned to start; null when it is not, as far as the plan goes
   * @param instead when it would start if this job ended now
   */
  public record HeldBack(
      String name,
      String title,
      String user,
      String account,
      @Nullable Instant start,
      Instant instead) {}
}
