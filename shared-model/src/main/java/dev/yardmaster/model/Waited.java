package dev.yardmaster.model;

import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a job fared in the queue before its present or last run.
 *
 * @param since when the reason that it shows, or showed last, began
 * @param seconds how long it has waited for each reason that it showed before
 * @param backfilled whether backfill started it
 * @param ahead how many jobs before it in the order of its partition went on waiting when it
 *     started
 */
public record Waited(
    Instant since, SortedMap<Reason, Long> seconds, boolean backfilled, int ahead) {
  public Waited {
    seconds = Immutable.sortedMap(seconds);
  }

  /** A job that has just been submitted, or went back to the queue. */
  public static Waited from(Instant since) {
    return new Waited(since, Immutable.sortedMap(), false, 0);
  }

  /** After a reason that it showed until now. */
  public Waited until(Instant now, Reason reason) {
    long more = Duration.between(since, now).toSeconds();
    if (more <= 0) {
      return new Waited(now, seconds, backfilled, ahead);
    }
    TreeMap<Reason, Long> sums = new TreeMap<>(seconds);
    sums.merge(reason, more, Long::sum);
    return new Waited(now, sums, backfilled, ahead);
  }

  /** As it started. */
  public Waited started(boolean byBackfill, int stillAhead) {
    return new Waited(since, seconds, byBackfill, stillAhead);
  }
}
