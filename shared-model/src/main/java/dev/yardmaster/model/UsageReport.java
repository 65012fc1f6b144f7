package dev.yardmaster.model;

import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/**
 * What was used in whole hours of a window, as sreport(1) tells of it.
 *
 * @param used by account and user; seconds times amounts, by TRES
 * @param cluster by TRES; empty where none of the hours is over
 */
public record UsageReport(
    Instant start, Instant end, List<Used> used, SortedMap<String, ClusterTime> cluster) {
  public UsageReport {
    used = List.copyOf(used);
    cluster = Immutable.sortedMap(cluster);
  }

  /**
   * What the jobs of a user used in an account.
   *
   * @param sizes seconds times CPUs, by how many CPUs the jobs had
   * @param jobs how many there were, by the same
   */
  public record Used(
      String account,
      String user,
      SortedMap<String, Long> seconds,
      SortedMap<Long, Long> sizes,
      SortedMap<Long, Long> jobs) {
    public Used {
      seconds = Immutable.sortedMap(seconds);
      sizes = Immutable.sortedMap(sizes);
      jobs = Immutable.sortedMap(jobs);
    }
  }

  /**
   * What became of a TRES of the cluster, in seconds times amounts.
   *
   * @param count how much of it there is
   * @param planned idle while jobs waited that could have started
   */
  public record ClusterTime(long count, long allocated, long down, long idle, long planned) {
    public long reported() {
      return allocated + down + idle + planned;
    }
  }
}
