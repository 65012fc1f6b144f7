package dev.yardmaster.accounting;

import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.NodeSpan;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.UsageReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Adds up what jobs used in hours that are over, and what became of the rest of the cluster. */
final class UsageReports {
  private static final long HOUR = 3600;

  private final long start;
  private final long end;
  private final TreeMap<String, Sums> used = new TreeMap<>();
  private final TreeMap<String, Hours> hours = new TreeMap<>();

  /** What a user used in an account. */
  private static final class Sums {
    private final TreeMap<String, Long> seconds = new TreeMap<>();
    private final TreeMap<Long, Long> sizes = new TreeMap<>();
    private final TreeMap<Long, Long> jobs = new TreeMap<>();
  }

  /** What became of a TRES, hour by hour. */
  private static final class Hours {
    private final long[] total;
    private final long[] down;
    private final long[] allocated;
    private final long[] planned;

    Hours(int count) {
      total = new long[count];
      down = new long[count];
      allocated = new long[count];
      planned = new long[count];
    }
  }

  private UsageReports(Instant start, Instant end) {
    this.start = start.getEpochSecond();
    this.end = end.getEpochSecond();
  }

  /** The query that finds what a report is made of. */
  static RecordQuery query(Instant start, Instant end) {
    return RecordQuery.window(start, end).withDuplicates(true);
  }

  /**
   * A report.
   *
   * @param records all runs that could have worked or waited in the window
   * @param spans all times of nodes that reach into it
   */
  static UsageReport of(
      Instant start,
      Instant end,
      Collection<JobRecord> records,
      Collection<NodeSpan> spans,
      Instant now) {
    Instant over = now.truncatedTo(ChronoUnit.HOURS);
    UsageReports reports = new UsageReports(start, end.isAfter(over) ? over : end);
    if (reports.end <= reports.start) {
      return new UsageReport(start, end, List.of(), new TreeMap<>());
    }
    spans.forEach(reports::add);
    records.forEach(reports::add);
    return new UsageReport(start, end, reports.used(), reports.cluster(spans));
  }

  private Hours of(String tres) {
    return hours.computeIfAbsent(tres, t -> new Hours((int) ((end - start + HOUR - 1) / HOUR)));
  }

  private interface Pick {
    long[] of(Hours hours);
  }

  /** Spreads an amount over the hours of a time. */
  private void spread(Instant from, @Nullable Instant until, String tres, long amount, Pick pick) {
    long begin = Math.max(start, from.getEpochSecond());
    long last = until == null ? end : Math.min(end, until.getEpochSecond());
    for (long at = begin; at < last; ) {
      int hour = (int) ((at - start) / HOUR);
      long next = Math.min(last, start + (hour + 1) * HOUR);
      pick.of(of(tres))[hour] += amount * (next - at);
      at = next;
    }
  }

  private void add(NodeSpan span) {
    span.tres()
        .amounts()
        .forEach(
            (tres, amount) -> {
              spread(span.started(), span.ended(), tres, amount, h -> h.total);
              if (span.down()) {
                spread(span.started(), span.ended(), tres, amount, h -> h.down);
              }
            });
  }

  private void add(JobRecord record) {
    Instant started = record.started();
    Instant eligible = record.eligible();
    if (eligible != null && (started != null || record.ended() == null)) {
      long cpus = ReqTres.cpus(record.job().request());
      spread(eligible, started, Tres.CPU, cpus, h -> h.planned);
    }
    if (started == null) {
      return;
    }
    long seconds = worked(record, started);
    if (seconds <= 0) {
      return;
    }
    Sums sum =
        used.computeIfAbsent(
            record.job().owner().account() + "\0" + record.job().owner().user(), k -> new Sums());
    long cpus = record.allocated().cpus();
    sum.sizes.merge(cpus, cpus * seconds, Long::sum);
    sum.jobs.merge(cpus, 1L, Long::sum);
    record
        .allocated()
        .amounts()
        .forEach(
            (tres, amount) -> {
              sum.seconds.merge(tres, amount * seconds, Long::sum);
              spread(started, record.ended(), tres, amount, h -> h.allocated);
            });
  }

  /** Seconds in the window, without those in which it was suspended where it lies in it whole. */
  private long worked(JobRecord record, Instant started) {
    long from = started.getEpochSecond();
    long until = record.ended() == null ? end : record.ended().getEpochSecond();
    long whole = Math.min(end, until) - Math.max(start, from);
    boolean inside = from >= start && record.ended() != null && until <= end;
    return inside ? whole - record.suspendedSeconds() : whole;
  }

  private List<UsageReport.Used> used() {
    List<UsageReport.Used> list = new ArrayList<>();
    used.forEach(
        (key, sums) -> {
          int split = key.indexOf('\0');
          list.add(
              new UsageReport.Used(
                  key.substring(0, split),
                  key.substring(split + 1),
                  sums.seconds,
                  sums.sizes,
                  sums.jobs));
        });
    list.sort(
        Comparator.comparing(UsageReport.Used::account).thenComparing(UsageReport.Used::user));
    return list;
  }

  private SortedMap<String, UsageReport.ClusterTime> cluster(Collection<NodeSpan> spans) {
    TreeMap<String, UsageReport.ClusterTime> cluster = new TreeMap<>();
    hours.forEach(
        (tres, h) -> {
          long allocated = 0;
          long down = 0;
          long idle = 0;
          long planned = 0;
          for (int hour = 0; hour < h.total.length; hour++) {
            long rest = Math.max(0, h.total[hour] - h.down[hour] - h.allocated[hour]);
            long waited = Math.min(rest, h.planned[hour]);
            allocated += h.allocated[hour];
            down += h.down[hour];
            planned += waited;
            idle += rest - waited;
          }
          long count =
              spans.stream()
                  .filter(s -> s.ended() == null || s.ended().getEpochSecond() >= end)
                  .filter(s -> s.started().getEpochSecond() < end)
                  .mapToLong(s -> s.tres().get(tres))
                  .sum();
          if (allocated + down + idle + planned > 0) {
            cluster.put(tres, new UsageReport.ClusterTime(count, allocated, down, idle, planned));
          }
        });
    return cluster;
  }
}
