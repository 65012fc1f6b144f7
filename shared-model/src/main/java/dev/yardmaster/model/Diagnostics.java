package dev.yardmaster.model;

import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/**
 * How the controller has been doing, as sdiag(1) reports it.
 *
 * @param since when counting began: the start of the controller, or the last reset
 * @param figures counts, and times in microseconds, by their names in Slurm's reports
 * @param byType requests by kind of message
 * @param byUser requests by who made them
 */
public record Diagnostics(
    Instant now,
    Instant since,
    SortedMap<String, Long> figures,
    List<Calls> byType,
    List<Calls> byUser) {
  public Diagnostics {
    figures = Immutable.sortedMap(figures);
    byType = List.copyOf(byType);
    byUser = List.copyOf(byUser);
  }

  /**
   * Requests of one kind, or of one user.
   *
   * @param number Slurm's number of the message, or the user's id
   */
  public record Calls(String name, long number, long count, long totalMicros) {
    /** Microseconds of one request on average. */
    public long meanMicros() {
      return count == 0 ? 0 : totalMicros / count;
    }
  }

  /** A figure; 0 when it is not kept. */
  public long figure(String name) {
    return figures.getOrDefault(name, 0L);
  }
}
