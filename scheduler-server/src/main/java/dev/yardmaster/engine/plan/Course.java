package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.DecisionEvents;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationTimes;
import dev.yardmaster.model.text.Dependency;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The course that things take from a moment on when nothing is submitted and every job runs to its
 * limit and ends well: the passes themselves are played in virtual time, from event to event. What
 * limits, throttles, dependencies and preemption make of it is what the passes make of it.
 */
public final class Course {
  /** So many jobs are looked at, on so many nodes: more would keep a reader waiting. */
  private static final int EFFORT = 40_000;

  /** What a pass costs beside its nodes, in nodes. */
  private static final int BESIDE_NODES = 8;

  /** With fewer passes than this ahead of it a course would tell no more than a plan. */
  private static final int FEWEST_PASSES = 12;

  /** What is compared with a course is played as long, if that takes no more than so much more. */
  private static final int SLACK = 4;

  private static final Set<Pass> PASSES = EnumSet.allOf(Pass.class);

  private final Instant since;
  private final TreeSet<Integer> open = new TreeSet<>();
  private final TreeMap<Integer, Spot> starts = new TreeMap<>();
  private final TreeSet<Integer> preemptors = new TreeSet<>();
  private ClusterState state;
  private Instant now;
  private boolean over;

  private Course(ClusterState state, Instant now) {
    this.state = state;
    this.now = now;
    since = now;
    for (Job job : state.jobs().values()) {
      if (job.state() == JobState.PENDING) {
        open.add(job.id());
      }
    }
  }

  /**
   * Plays until an instant, or as far as the first course did of those that share a foresight, so
   * that they can be compared; null where so much waits that only a plan is quick enough.
   */
  static @Nullable Course play(
      ClusterState state, Instant now, Instant until, Foresight foresight) {
    Instant first = foresight.played();
    if (first == null ? !isShort(state) : first.isBefore(now)) {
      foresight.plays(Instant.MIN);
      return null;
    }
    Course course = new Course(state, now);
    boolean alone = first == null;
    course.play(
        until, first == null ? until : first, alone ? EFFORT : (long) SLACK * EFFORT, foresight);
    if (alone) {
      foresight.plays(course.over ? until : course.now);
    }
    return course;
  }

  private static boolean isShort(ClusterState state) {
    long most = EFFORT / FEWEST_PASSES / (BESIDE_NODES + state.nodes().size());
    return state.jobs().values().stream()
            .filter(job -> job.state() == JobState.PENDING)
            .limit(most + 1)
            .count()
        <= most;
  }

  private long cost() {
    return (long) open.size() * (BESIDE_NODES + state.nodes().size());
  }

  private void play(Instant until, Instant last, long effort, Foresight foresight) {
    long left = effort;
    pass(foresight);
    while (!over) {
      Instant next = open.isEmpty() ? null : next();
      left -= Math.max(1, cost());
      if (next == null || next.isAfter(until)) {
        over = true;
      } else if (left < 0 || next.isAfter(last)) {
        return;
      } else {
        now = next;
        end();
        repeat();
        pass(new Foresight());
      }
    }
  }

  private void pass(Foresight foresight) {
    Scheduler scheduler = new Scheduler(state, now, Scheduler.Purpose.DECIDE, null);
    scheduler.share(foresight);
    List<Decision> decisions = scheduler.run(PASSES, 0).decisions();
    for (Decision decision : decisions) {
      switch (decision) {
        case Decision.Start start when open.remove(start.jobId()) ->
            starts.put(start.jobId(), scheduler.spot(start, since));
        case Decision.Preempt preempt -> preemptors.add(preempt.preemption().by());
        case Decision.Suspend suspend -> preemptors.add(suspend.by());
        case Decision.GiveUp giveUp -> open.remove(giveUp.jobId());
        default -> {}
      }
    }
    state = DecisionEvents.of(state, decisions, now).after();
  }

  /** Runs that reach their limit end, and nodes clean up at once. */
  private void end() {
    for (Job job : List.copyOf(state.jobs().values())) {
      Instant end = job.state() == JobState.RUNNING ? job.ended() : null;
      boolean leaves = job.preemption() != null;
      if (end != null && !end.isAfter(now) && !leaves) {
        state =
            state.apply(
                new Event.JobCompleting(
                    now, job.id(), job.restarts(), JobState.COMPLETED, ExitCode.OK, Reason.NONE));
      }
    }
    for (Job job : List.copyOf(state.jobs().values())) {
      if (job.has(JobFlag.COMPLETING)) {
        state = state.apply(new Event.JobReleased(now, job.id(), job.restarts()));
      }
    }
  }

  /** Repeated reservations that are over move on to their next time. */
  private void repeat() {
    for (Reservation r : List.copyOf(state.reservations().values())) {
      Reservation next = r;
      while (ReservationTimes.repeats(r) && !next.end().isAfter(now)) {
        next = ReservationTimes.next(next, now);
      }
      if (next != r) {
        state = state.apply(new Event.ReservationSaved(now, next, ""));
      }
    }
  }

  /** When the next thing happens; null when nothing will. */
  private @Nullable Instant next() {
    Moments moments = new Moments(state, now);
    for (Job job : state.jobs().values()) {
      if (job.state() == JobState.RUNNING && job.preemption() == null) {
        moments.soonest(job.ended());
      }
      if (job.has(JobFlag.COMPLETING)) {
        moments.soonest(now);
      }
      Dependency dependency = job.state() == JobState.PENDING ? job.dependency() : null;
      if (dependency != null) {
        moments.delays(dependency);
      }
    }
    return moments.next();
  }

  /** Whether nothing more is to come before the end of the time that was to be played. */
  boolean isOver() {
    return over;
  }

  ClusterState state() {
    return state;
  }

  Instant now() {
    return now;
  }

  /** Where and when jobs started that waited at the beginning. */
  TreeMap<Integer, Spot> starts() {
    return starts;
  }

  /** Those that waited at the beginning and have not started. */
  Set<Integer> open() {
    return open;
  }

  /** Who has sent others away. */
  Set<Integer> preemptors() {
    return preemptors;
  }
}
