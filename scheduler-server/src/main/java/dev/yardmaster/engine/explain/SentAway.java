package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.DecisionEvents;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.plan.Scheduler;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Remedy.Loss;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Preemption;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whom a job would send away so that it can start: the passes are played from now on until it
 * starts, and those who leave are given their time to save their work.
 */
final class SentAway {
  /** So often the passes are played; one that grants time needs three. */
  private static final int MOST_PASSES = 5;

  private static final Set<Pass> PASSES = EnumSet.allOf(Pass.class);

  /**
   * A start, what it costs, and the state in which it has happened.
   *
   * @param losses never empty
   */
  record Found(PlannedStart start, List<Loss> losses, ClusterState after) {}

  private final Instant since;
  private final int jobId;
  private final ClusterState before;
  private final TreeMap<Integer, Preemption> told = new TreeMap<>();
  private ClusterState state;
  private Instant now;

  private SentAway(ClusterState state, Instant now, int jobId) {
    this.state = state;
    this.now = now;
    this.jobId = jobId;
    before = state;
    since = now;
  }

  /** Plays the passes; null when the job sends nobody away, or does not start then. */
  static @Nullable Found play(ClusterState state, Instant now, int jobId) {
    return new SentAway(state, now, jobId).play();
  }

  private @Nullable Found play() {
    for (int i = 0; i < MOST_PASSES; i++) {
      List<Decision> decisions =
          new Scheduler(state, now, Scheduler.Purpose.DECIDE, null).run(PASSES, 0).decisions();
      decisions.forEach(this::note);
      state = DecisionEvents.of(state, decisions, now).after();
      for (Decision decision : decisions) {
        if (decision instanceof Decision.Start start && start.jobId() == jobId) {
          return told.isEmpty() ? null : found(start);
        }
      }
      if (told.isEmpty()) {
        return null;
      }
      release();
      now = next();
    }
    return null;
  }

  private void note(Decision decision) {
    switch (decision) {
      case Decision.Preempt preempt when preempt.preemption().by() == jobId ->
          told.putIfAbsent(preempt.jobId(), preempt.preemption());
      case Decision.Suspend suspend when suspend.by() == jobId ->
          told.putIfAbsent(
              suspend.jobId(), new Preemption(jobId, now, now, Preemption.Mode.SUSPEND, null));
      default -> {}
    }
  }

  private Found found(Decision.Start start) {
    PlannedStart at = new PlannedStart(now, start.allocation().nodes(), start.partition(), since);
    return new Found(
        at, told.entrySet().stream().map(e -> loss(e.getKey(), e.getValue())).toList(), state);
  }

  private Loss loss(int id, Preemption preemption) {
    Job victim = java.util.Objects.requireNonNull(before.job(id));
    Preemption.Mode mode = preemption.mode();
    if (mode == Preemption.Mode.REQUEUE && !DecisionEvents.requeues(victim, preemption)) {
      mode = Preemption.Mode.CANCEL;
    }
    return new Loss(
        id,
        victim.owner().user(),
        mode,
        victim.worked(preemption.until()).toSeconds(),
        Duration.between(preemption.at(), preemption.until()).toSeconds());
  }

  private void release() {
    for (Job job : List.copyOf(state.jobs().values())) {
      if (job.has(JobFlag.COMPLETING)) {
        state = state.apply(new Event.JobReleased(now, job.id(), job.restarts()));
      }
    }
  }

  /** When the last one that still saves its work has to be gone. */
  private Instant next() {
    Instant next = now;
    for (int id : told.keySet()) {
      Job victim = state.job(id);
      Preemption left = victim == null ? null : victim.preemption();
      if (victim != null && left != null && victim.state() == JobState.RUNNING) {
        next = left.latest().isAfter(next) ? left.latest() : next;
      }
    }
    return next;
  }
}
