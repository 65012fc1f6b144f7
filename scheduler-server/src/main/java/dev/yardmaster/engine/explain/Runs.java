package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.plan.Foresight;
import dev.yardmaster.engine.plan.Habits;
import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.RunFacts;
import dev.yardmaster.explain.RunFacts.HeldBack;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a job that has started. Whom it holds back is found by trying: the plan of now is
 * compared with that of a fork in which the job has ended.
 */
final class Runs {
  /** So many of those that wait are named. */
  private static final int MOST = 20;

  /**
   * On large clusters a plan of everything that waits takes seconds: so many places in the queue
   * times nodes are looked at, and no fewer places than {@link #LEAST}.
   */
  private static final int EFFORT = 10_000_000;

  private static final int LEAST = 1_000;

  private final ClusterState state;
  private final Job job;
  private final Instant now;

  Runs(ClusterState state, Job job, Instant now) {
    this.state = state;
    this.job = job;
    this.now = now;
  }

  RunFacts find() {
    boolean over = job.state().isFinished();
    RunFacts known = RunFacts.of(job);
    Habits.End end = over ? Habits.End.UNKNOWN : new Habits(state).end(job, now);
    int most = Math.max(LEAST, EFFORT / Math.max(1, state.nodes().size()));
    List<HeldBack> held = over ? List.of() : heldBack(most);
    long waiting =
        state.jobs().values().stream().filter(j -> j.state() == JobState.PENDING).count();
    return new RunFacts(
        known.nodes(),
        known.backfilled(),
        known.ahead(),
        known.waits(),
        known.ends(),
        end.likely(),
        end.earliest(),
        end.latest(),
        held.size() <= MOST ? held : held.subList(0, MOST),
        held.size(),
        over || waiting <= most ? 0 : most,
        known.ended());
  }

  private List<HeldBack> heldBack(int most) {
    boolean nobody =
        state.jobs().values().stream().noneMatch(other -> other.state() == JobState.PENDING);
    if (nobody || !job.holdsResources()) {
      return List.of();
    }
    Foresight foresight = new Foresight();
    Outlook with = Outlook.of(state, now, Outlook.HORIZON, foresight, most);
    Outlook without = Outlook.of(ended(), now, Outlook.HORIZON, foresight, most);
    List<HeldBack> held = new ArrayList<>();
    for (int id : without.starts().keySet()) {
      Job other = state.job(id);
      Instant instead = without.start(id);
      Instant start = with.start(id);
      if (other != null && instead != null && isEarlier(instead, start)) {
        held.add(
            new HeldBack(
                other.displayId(),
                other.name(),
                other.owner().user(),
                other.owner().account(),
                start,
                instead));
      }
    }
    held.sort(Comparator.comparing(HeldBack::instead));
    return held;
  }

  private static boolean isEarlier(Instant instead, @Nullable Instant start) {
    return start == null || instead.isBefore(start);
  }

  private ClusterState ended() {
    int run = job.restarts();
    ClusterState completing =
        job.state().isFinished()
            ? state
            : state.apply(
                new Event.JobCompleting(
                    now, job.id(), run, JobState.COMPLETED, ExitCode.OK, Reason.NONE));
    return completing.apply(new Event.JobReleased(now, job.id(), run));
  }
}
