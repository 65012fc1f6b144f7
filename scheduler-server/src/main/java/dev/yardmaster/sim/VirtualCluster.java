package dev.yardmaster.sim;

import dev.yardmaster.engine.DecisionEvents;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.plan.Moments;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A cluster in virtual time: the clock jumps from event to event, and the engine decides at each.
 * Jobs run as long as their simulated runtime, else to their limit. Nodes clean up at once.
 */
public final class VirtualCluster {
  private static final Set<Pass> ALL = EnumSet.allOf(Pass.class);

  private final TreeSet<Integer> kept = new TreeSet<>();
  private ClusterState state;
  private Instant now;
  private final Consumer<Event> listener;

  /** Starts from a state at a time; {@code listener} hears every event. */
  public VirtualCluster(ClusterState state, Instant now, Consumer<Event> listener) {
    this.state = state;
    this.now = now;
    this.listener = listener;
  }

  public ClusterState state() {
    return state;
  }

  public Instant now() {
    return now;
  }

  /** Lets something happen now. */
  public void apply(Event event) {
    state = state.apply(event);
    listener.accept(event);
  }

  /** The nodes of a job clean up for as long as nobody releases it. */
  public void keep(int jobId) {
    kept.add(jobId);
  }

  /** Runs all passes now. */
  public Step schedule() {
    return schedule(ALL);
  }

  /** Runs some passes now. */
  public Step schedule(Set<Pass> passes) {
    Step step = Engine.step(state, now, passes);
    DecisionEvents.Result result = DecisionEvents.of(state, step.decisions(), now);
    List<Event> events = result.events();
    state = result.after();
    events.forEach(listener);
    release();
    return step;
  }

  /** Lets time pass up to an instant, deciding whenever something happens on the way. */
  public void advanceTo(Instant until) {
    for (Instant next = next(); next != null && !next.isAfter(until); next = next()) {
      now = next;
      endRuns();
      schedule();
    }
    now = until;
  }

  /** Lets time pass until nothing more is to happen, or until an instant. */
  public void run(Instant latest) {
    schedule();
    advanceTo(latest);
  }

  /** When the next thing happens by itself; null when nothing will. */
  private @Nullable Instant next() {
    Moments moments = new Moments(state, now);
    for (Job job : state.jobs().values()) {
      moments.at(job.state() == JobState.RUNNING ? endOf(job) : null);
    }
    return moments.next();
  }

  private @Nullable Instant endOf(Job job) {
    Instant limit = job.ended();
    if (job.started() == null || job.simulatedRuntime() == null) {
      return limit;
    }
    Instant end = now.plus(job.simulatedRuntime().minus(job.worked(now)));
    return limit == null || end.isBefore(limit) ? end : limit;
  }

  private void endRuns() {
    for (Job job : List.copyOf(state.jobs().values())) {
      Instant end = job.state() == JobState.RUNNING ? endOf(job) : null;
      if (end == null || end.isAfter(now)) {
        continue;
      }
      if (job.preemption() != null && end.equals(job.ended())) {
        continue;
      }
      boolean atLimit = end.equals(job.ended());
      apply(
          new Event.JobCompleting(
              now,
              job.id(),
              job.restarts(),
              atLimit ? JobState.TIMEOUT : JobState.COMPLETED,
              ExitCode.OK,
              atLimit ? Reason.TIME_LIMIT : Reason.NONE));
    }
    release();
  }

  private void release() {
    for (Job job : List.copyOf(state.jobs().values())) {
      if (job.has(JobFlag.COMPLETING) && !kept.contains(job.id())) {
        apply(new Event.JobReleased(now, job.id(), job.restarts()));
      }
    }
  }
}
