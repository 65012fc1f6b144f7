package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PlannedStart;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The one future that everything is told of: the starts of pending jobs when every job runs to its
 * limit and nothing else happens. It is played, pass by pass, as a {@link Course}; what that does
 * not come to, and all of a long queue, is planned in one go.
 *
 * @param starts by job id; jobs that would start at once have the moment itself, jobs without a
 *     start before the horizon are absent
 * @param preemptors the jobs that send others away so that they can start
 */
public record Outlook(SortedMap<Integer, Spot> starts, SortedSet<Integer> preemptors) {
  /** How far an outlook goes. */
  public static final Duration HORIZON = Duration.ofDays(7);

  private static final Set<Pass> PLANNING = EnumSet.of(Pass.MAIN, Pass.BACKFILL);

  public Outlook {
    starts = Collections.unmodifiableSortedMap(starts);
    preemptors = Collections.unmodifiableSortedSet(preemptors);
  }

  /** The outlook of all pending jobs. */
  public static Outlook of(ClusterState state, Instant now, Duration horizon) {
    return of(state, now, horizon, new Foresight());
  }

  /** One of several outlooks from the same moment. */
  public static Outlook of(ClusterState state, Instant now, Duration horizon, Foresight foresight) {
    return of(state, now, horizon, foresight, Integer.MAX_VALUE);
  }

  /**
   * One of several outlooks from the same moment, of the first pending jobs only.
   *
   * @param most so many places in the queue are looked at
   */
  public static Outlook of(
      ClusterState state, Instant now, Duration horizon, Foresight foresight, int most) {
    Course course = Course.play(state, now, now.plus(horizon), foresight);
    if (course == null) {
      return new Outlook(planned(state, now, horizon, foresight, most), new TreeSet<>());
    }
    TreeMap<Integer, Spot> starts = new TreeMap<>(course.starts());
    if (!course.isOver()) {
      Duration rest = horizon.minus(Duration.between(now, course.now()));
      planned(course.state(), course.now(), rest, new Foresight(), most)
          .forEach(
              (id, spot) -> {
                if (course.open().contains(id)) {
                  starts.put(id, spot.seenFrom(now));
                }
              });
    }
    return new Outlook(starts, new TreeSet<>(course.preemptors()));
  }

  private static TreeMap<Integer, Spot> planned(
      ClusterState state, Instant now, Duration horizon, Foresight foresight, int most) {
    Scheduler scheduler = new Scheduler(state, now, Scheduler.Purpose.FORECAST, null);
    scheduler.lookAtFirst(most);
    scheduler.share(foresight);
    Step step = scheduler.run(PLANNING, horizon.toSeconds());
    TreeMap<Integer, Spot> starts = scheduler.plannedStarts();
    for (Decision decision : step.decisions()) {
      if (decision instanceof Decision.Start start) {
        starts.put(start.jobId(), scheduler.spot(start, now));
      }
    }
    together(scheduler, starts);
    return starts;
  }

  /**
   * The same where a pass of this very moment does not start a job that is said to start now: it
   * starts when and where the pass has planned it, or at no time that is known.
   *
   * @param decided what has run the pass
   */
  public Outlook corrected(int jobId, Instant now, Scheduler decided) {
    Spot told = starts.get(jobId);
    if (told == null || told.start().isAfter(now)) {
      return this;
    }
    TreeMap<Integer, Spot> corrected = new TreeMap<>(starts);
    Spot planned = decided.plannedStarts().get(jobId);
    if (planned == null || !planned.start().isAfter(now) || planned.named().nodes().isEmpty()) {
      corrected.remove(jobId);
    } else {
      corrected.put(jobId, planned);
    }
    return new Outlook(corrected, preemptors);
  }

  /** When and where a job starts; null when it does not before the horizon. */
  public @Nullable PlannedStart planned(int jobId) {
    Spot spot = starts.get(jobId);
    return spot == null ? null : spot.named();
  }

  /** When a job starts; null when it does not before the horizon. */
  public @Nullable Instant start(int jobId) {
    Spot spot = starts.get(jobId);
    return spot == null ? null : spot.start();
  }

  /** A heterogeneous job starts when the last of its components can, or not at all. */
  private static void together(Scheduler scheduler, TreeMap<Integer, Spot> starts) {
    for (int id : scheduler.components()) {
      Job job = scheduler.board().state().job(id);
      HetInfo het = job == null ? null : job.het();
      if (het == null) {
        continue;
      }
      Instant last = Instant.MIN;
      for (int i = 0; i < het.size(); i++) {
        Spot spot = starts.get(het.hetJobId() + i);
        last = spot == null || last == null ? null : latest(last, spot.start());
      }
      Spot own = starts.get(id);
      if (last == null) {
        for (int i = 0; i < het.size(); i++) {
          starts.remove(het.hetJobId() + i);
        }
      } else if (own != null && last.isAfter(own.start())) {
        starts.put(id, own.at(last));
      }
    }
  }

  private static Instant latest(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }
}
