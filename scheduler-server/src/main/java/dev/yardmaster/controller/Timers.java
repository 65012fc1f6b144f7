package dev.yardmaster.controller;

import dev.yardmaster.engine.plan.Gang;
import dev.yardmaster.engine.plan.Housekeeping;
import dev.yardmaster.engine.plan.OverTimeLimit;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.Dependency;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What time alone brings about: time limits, begin times, the end of MinJobAge. An entry is checked
 * against the state when it is due, so that one that no longer holds does no harm.
 */
final class Timers {
  private static final long PURGE_SECONDS = 60;
  private static final long LEAST_PURGE_SECONDS = 10;
  private static final Duration RETRY_PURGE = Duration.ofMinutes(1);

  private enum Kind {
    TIME_LIMIT,
    BEGIN,
    SIGNAL,
    DEADLINE,
    PURGE
  }

  private record Entry(Instant at, Kind kind, int jobId) {}

  private final PriorityQueue<Entry> queue =
      new PriorityQueue<>(
          Comparator.comparing(Entry::at)
              .thenComparing(Entry::kind)
              .thenComparingInt(Entry::jobId));

  private final Instant boot;

  private Timers(Instant boot) {
    this.boot = boot;
  }

  /**
   * @param boot since when the controller runs
   */
  static Timers of(ClusterState state, Instant boot) {
    Timers timers = new Timers(boot);
    state.jobs().values().forEach(job -> timers.schedule(job, state));
    return timers;
  }

  /** When the next entry is due, or null when there is none. */
  @Nullable Instant next() {
    Entry entry = queue.peek();
    return entry == null ? null : entry.at();
  }

  /** Follows an event that was applied. */
  void follow(Event event, ClusterState after) {
    switch (event) {
      case Event.JobSubmitted e -> schedule(after, e.job().id());
      case Event.JobEdited e -> schedule(after, e.job().id());
      case Event.JobStarted e -> schedule(after, e.jobId());
      case Event.JobPreempted e -> schedule(after, e.jobId());
      case Event.JobSuspended e -> schedule(after, e.jobId());
      case Event.JobResumed e -> schedule(after, e.jobId());
      case Event.JobReleased e -> schedule(after, e.jobId());
      case Event.JobEnded e -> schedule(after, e.jobId());
      case Event.JobRequeued e -> schedule(after, e.jobId());
      case Event.ArrayTaskSplit e -> schedule(after, e.newJobId());
      default -> {}
    }
  }

  private void schedule(ClusterState state, int id) {
    Job job = state.job(id);
    if (job != null) {
      schedule(job, state);
    }
  }

  private void schedule(Job job, ClusterState state) {
    Instant turnOver = Gang.turnOver(state, job);
    if (turnOver != null) {
      queue.add(new Entry(turnOver, Kind.BEGIN, job.id()));
    }
    Instant signal = UserSignals.due(job);
    if (signal != null) {
      queue.add(new Entry(signal, Kind.SIGNAL, job.id()));
    }
    if (job.state() == JobState.RUNNING && job.ended() != null) {
      if (job.preemption() != null) {
        queue.add(new Entry(job.ended(), Kind.BEGIN, job.id()));
      }
      queue.add(new Entry(over(job, state, job.ended()), Kind.TIME_LIMIT, job.id()));
    }
    if (job.state() == JobState.PENDING && job.deadline() != null) {
      Instant late = Housekeeping.latestStart(job).plusSeconds(1);
      queue.add(new Entry(nextPurge(late, state), Kind.DEADLINE, job.id()));
    }
    if (job.state() == JobState.RUNNING) {
      return;
    }
    if (job.state() == JobState.PENDING && job.begin() != null) {
      queue.add(new Entry(job.begin(), Kind.BEGIN, job.id()));
    } else if (job.state().isFinished() && !job.has(JobFlag.COMPLETING) && job.ended() != null) {
      Duration age = Settings.of(state.config()).minJobAge();
      queue.add(new Entry(job.ended().plus(age), Kind.PURGE, job.id()));
    }
  }

  /** Handles everything that is due. */
  void fire(Turn turn, Runs runs, UserSignals signals) {
    Set<Long> awaited = null;
    Entry entry = queue.peek();
    while (entry != null && !entry.at().isAfter(turn.now())) {
      queue.poll();
      Job job = turn.state().job(entry.jobId());
      if (job != null) {
        switch (entry.kind()) {
          case BEGIN -> turn.requestPassAtOnce(true);
          case SIGNAL -> signals.fire(turn, job);
          case TIME_LIMIT -> limit(turn, runs, job);
          case DEADLINE -> deadline(turn, job);
          case PURGE -> {
            awaited = awaited == null ? awaited(turn.state()) : awaited;
            purge(turn, job, awaited);
          }
        }
      }
      entry = queue.peek();
    }
  }

  /**
   * When old jobs are purged at or after a time: each minute since the controller began, or each
   * MinJobAge where that is less, and then at most each 10 s.
   */
  private Instant nextPurge(Instant from, ClusterState state) {
    long age = Settings.of(state.config()).minJobAge().toSeconds();
    long interval =
        age > 0 && age < PURGE_SECONDS ? Math.max(LEAST_PURGE_SECONDS, age) : PURGE_SECONDS;
    long since = Math.max(0, Duration.between(boot, from).toSeconds());
    return boot.plusSeconds(Math.ceilDiv(since, interval) * interval);
  }

  /** A job that waits, and could not end before its deadline any more. */
  private void deadline(Turn turn, Job job) {
    if (job.state() != JobState.PENDING || job.deadline() == null) {
      return;
    }
    if (Housekeeping.latestStart(job).isBefore(turn.now())) {
      turn.emit(new Event.JobEnded(turn.now(), job.id(), JobState.DEADLINE, Reason.DEADLINE));
      turn.requestPass();
    } else {
      schedule(job, turn.state());
    }
  }

  private void limit(Turn turn, Runs runs, Job job) {
    Instant end = job.ended();
    if (job.state() == JobState.RUNNING && end != null) {
      Instant over = over(job, turn.state(), end);
      if (over.isAfter(turn.now())) {
        // The limit or the time over it has grown since.
        queue.add(new Entry(over, Kind.TIME_LIMIT, job.id()));
        return;
      }
      if (job.preemption() != null) {
        runs.preempt(turn, job, job.preemption());
        return;
      }
      runs.complete(
          turn, job, JobState.TIMEOUT, ExitCode.OK, Reason.TIME_LIMIT, "DUE TO TIME LIMIT");
      turn.requestPass();
    }
  }

  /** OverTimeLimit lets a job exceed its limit, but not the time it has to save its work. */
  private Instant over(Job job, ClusterState state, Instant end) {
    return job.preemption() != null
        ? job.preemption().lookedAt(boot)
        : end.plus(OverTimeLimit.of(state, job));
  }

  private void purge(Turn turn, Job job, Set<Long> awaited) {
    Instant end = job.ended();
    if (!job.state().isFinished() || job.has(JobFlag.COMPLETING) || end == null) {
      return;
    }
    if (end.plus(turn.settings().minJobAge()).isAfter(turn.now())) {
      return;
    }
    long asked = job.array() == null ? job.id() : job.array().arrayJobId();
    if (awaited.contains(asked) || awaited.contains((long) job.id())) {
      queue.add(new Entry(turn.now().plus(RETRY_PURGE), Kind.PURGE, job.id()));
    } else {
      turn.emit(new Event.JobPurged(turn.now(), job.id()));
    }
  }

  /** Jobs that others wait for; how they ended must not be forgotten. */
  private static Set<Long> awaited(ClusterState state) {
    Set<Long> ids = new HashSet<>();
    for (Job job : state.jobs().values()) {
      Dependency dependency = job.dependency();
      if (dependency != null && job.state() == JobState.PENDING) {
        dependency.terms().stream()
            .filter(t -> t.target() != null)
            .forEach(t -> ids.add(t.target().job()));
      }
    }
    return ids;
  }
}
