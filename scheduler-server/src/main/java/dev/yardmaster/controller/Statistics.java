package dev.yardmaster.controller;

import dev.yardmaster.engine.PassTrace;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts what happens to jobs and how the passes do, for sdiag(1). Counting begins at the start of
 * the controller and at each reset. Safe for use by several threads.
 */
public final class Statistics {
  private final SortedMap<String, Long> counts = new TreeMap<>();
  private Instant since;
  private long backfilledEver;

  public Statistics(Instant since) {
    this.since = since;
  }

  /** When counting began. */
  public synchronized Instant since() {
    return since;
  }

  /** Forgets all counts but those that run from the start on. */
  public synchronized void reset(Instant now) {
    counts.clear();
    since = now;
  }

  synchronized void count(List<Event> events) {
    for (Event event : events) {
      switch (event) {
        case Event.JobSubmitted e -> add("jobs_submitted", tasks(e.job()));
        case Event.JobStarted e -> {
          add("jobs_started", 1);
          if (e.backfilled()) {
            add("bf_last_backfilled_jobs", 1);
            backfilledEver++;
          }
        }
        case Event.JobCompleting e -> ended(e.finalState());
        case Event.JobEnded e -> ended(e.finalState());
        default -> {}
      }
    }
  }

  private static long tasks(Job job) {
    return job.array() == null ? 1 : Math.max(1, job.array().waiting().size());
  }

  private void ended(JobState state) {
    switch (state) {
      case COMPLETED -> add("jobs_completed", 1);
      case CANCELLED -> add("jobs_canceled", 1);
      default -> add("jobs_failed", 1);
    }
  }

  /** A main pass, or with {@code backfill} one that also looked ahead, took this long. */
  synchronized void pass(PassTrace trace, boolean backfill, long micros, Instant now) {
    String prefix = backfill ? "bf_cycle" : "schedule_cycle";
    int depth = backfill ? trace.backfillDepth() : trace.mainDepth();
    set(prefix + "_last", micros);
    set(prefix + "_max", Math.max(micros, counts.getOrDefault(prefix + "_max", 0L)));
    add(prefix + "_sum", micros);
    add(prefix + "_counter", 1);
    String queue = backfill ? "bf_queue_len" : "schedule_queue_len";
    set(queue, trace.pending());
    if (backfill) {
      set("bf_when_last_cycle", now.getEpochSecond());
      set("bf_last_depth", trace.pending());
      set("bf_last_depth_try", depth);
      add("bf_depth_sum", trace.pending());
      add("bf_depth_try_sum", depth);
      add("bf_queue_len_sum", trace.pending());
      set("bf_table_size", trace.planned());
      add("bf_table_size_sum", trace.planned());
      add("bf_exit_end_job_queue", 1);
    } else {
      add("schedule_cycle_depth", depth);
      add("schedule_exit_end_job_queue", 1);
    }
  }

  private void add(String name, long amount) {
    counts.merge(name, amount, Long::sum);
  }

  private void set(String name, long value) {
    counts.put(name, value);
  }

  /** Everything counted, and how many jobs wait and run in a state. */
  public synchronized SortedMap<String, Long> figures(ClusterState state) {
    TreeMap<String, Long> figures = new TreeMap<>(counts);
    long pending = 0;
    long running = 0;
    for (Job job : state.jobs().values()) {
      pending += job.state() == JobState.PENDING ? tasks(job) : 0;
      running += job.state() == JobState.RUNNING ? 1 : 0;
    }
    figures.put("jobs_pending", pending);
    figures.put("jobs_running", running);
    figures.put("bf_backfilled_jobs", backfilledEver);
    return Immutable.sortedMap(figures);
  }
}
