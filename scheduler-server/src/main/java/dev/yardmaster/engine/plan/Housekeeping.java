package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.gate.Dependencies;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What time alone causes: running jobs reach their limit, pending ones miss their deadline. */
public final class Housekeeping {
  private Housekeeping() {}

  static List<Decision> decide(ClusterState state, Dependencies dependencies, Instant now) {
    List<Decision> decisions = new ArrayList<>();
    for (Job job : state.jobs().values()) {
      Instant end = job.ended();
      if (job.state() == JobState.RUNNING && !job.has(JobFlag.COMPLETING) && end != null) {
        Instant deadline = job.deadline();
        Preemption preemption = job.preemption();
        if (preemption != null) {
          if (!preemption.latest().isAfter(now)) {
            decisions.add(new Decision.Preempt(job.id(), job.restarts(), preemption));
          }
        } else if (deadline != null && !deadline.isAfter(now)) {
          decisions.add(
              new Decision.Stop(job.id(), job.restarts(), JobState.DEADLINE, Reason.DEADLINE));
        } else if (!end.plus(OverTimeLimit.of(state, job)).isAfter(now)) {
          decisions.add(
              new Decision.Stop(job.id(), job.restarts(), JobState.TIMEOUT, Reason.TIME_LIMIT));
        }
      } else if (job.state() == JobState.PENDING) {
        Instant deadline = job.deadline();
        if (deadline != null
            && latestStart(job).isBefore(now)
            && (isLookedAt(job, dependencies, now) || !deadline.isAfter(now))) {
          decisions.add(new Decision.GiveUp(job.id(), JobState.DEADLINE, Reason.DEADLINE));
        } else if (job.reason() == Reason.DEPENDENCY_NEVER_SATISFIED
            && Dependencies.killsInvalid(state, job)) {
          decisions.add(
              new Decision.GiveUp(job.id(), JobState.CANCELLED, Reason.DEPENDENCY_NEVER_SATISFIED));
        }
      }
    }
    return decisions;
  }

  /** Arrays whose tasks go their own ways from now on. */
  static List<Decision> parts(ClusterState state, Dependencies dependencies) {
    List<Decision> decisions = new ArrayList<>();
    for (Job job : state.jobs().values()) {
      if (job.state() == JobState.PENDING) {
        IndexSet tasks = dependencies.tasksThatPart(job);
        if (!tasks.isEmpty()) {
          decisions.add(new Decision.Part(job.id(), tasks));
        }
      }
    }
    return decisions;
  }

  /**
   * Whether the schedulers look at a job. The deadline of one that is held, or waits for its time
   * or for others, is looked at when old jobs are purged.
   */
  private static boolean isLookedAt(Job job, Dependencies dependencies, Instant now) {
    return job.hold() == Hold.NONE
        && (job.begin() == null || !job.begin().isAfter(now))
        && dependencies.standing(job) == Dependencies.Standing.MET;
  }

  /** Until when a job with a deadline can start. */
  public static Instant latestStart(Job job) {
    Instant deadline = job.deadline() == null ? Instant.MAX : job.deadline();
    long minutes = job.timeMinMinutes() > 0 ? job.timeMinMinutes() : job.timeLimitMinutes();
    return minutes <= 0 ? deadline : deadline.minusSeconds(60 * minutes);
  }
}
