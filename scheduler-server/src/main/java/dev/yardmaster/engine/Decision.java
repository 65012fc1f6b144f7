package dev.yardmaster.engine;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.HostList;
import org.jspecify.annotations.Nullable;

/**
 * What a step of the engine proposes. The controller turns each into events unless the job has
 * changed since the state that the step saw, in which case it drops it.
 */
public sealed interface Decision {
  /** The job it is about; 0 for none. */
  int jobId();

  /**
   * Give a pending job these resources now.
   *
   * @param taskId the task of an array record that starts; null for a job of its own
   * @param restarts the run this is about
   * @param reservation the reservation that drew the job, which it did not ask for; else null
   * @param together the heterogeneous job whose components all start, one after the other, or none;
   *     0 for a job of its own
   * @param ahead how many jobs before it in the order of its partition go on waiting
   */
  record Start(
      int jobId,
      int restarts,
      @Nullable Integer taskId,
      String partition,
      Allocation allocation,
      long timeLimitMinutes,
      boolean backfilled,
      @Nullable String reservation,
      int together,
      int ahead)
      implements Decision {
    /** The same with what is known of the order when the step is over. */
    public Start withAhead(int jobs) {
      return new Start(
          jobId,
          restarts,
          taskId,
          partition,
          allocation,
          timeLimitMinutes,
          backfilled,
          reservation,
          together,
          jobs);
    }
  }

  /** A pending job's reason, priority or planned start changed. */
  record Assess(Event.Assessment assessment) implements Decision {
    @Override
    public int jobId() {
      return assessment.jobId();
    }
  }

  /** End a running job, for example at its time limit. */
  record Stop(int jobId, int restarts, JobState finalState, Reason reason) implements Decision {}

  /**
   * Make a running job leave for another one.
   *
   * @param preemption by whom, when, how, and how long it may save its work
   */
  record Preempt(int jobId, int restarts, Preemption preemption) implements Decision {}

  /**
   * Stop the processes of a running job, which keeps what it holds.
   *
   * @param by the job that gets its cores; 0 when only its turn is over
   */
  record Suspend(int jobId, int restarts, int by) implements Decision {}

  /** Let a job go on that the gang scheduler has suspended. */
  record Resume(int jobId, int restarts) implements Decision {}

  /**
   * Mark nodes as PLANNED, and others no longer; about no job.
   *
   * @param planned those for which backfill keeps places by now
   * @param free those for which it did
   */
  record Mark(HostList planned, HostList free) implements Decision {
    @Override
    public int jobId() {
      return 0;
    }
  }

  /** Make some waiting tasks of an array records of their own. */
  record Part(int jobId, IndexSet tasks) implements Decision {}

  /** End a pending job that can no longer run, for example past its deadline. */
  record GiveUp(int jobId, JobState finalState, Reason reason) implements Decision {}
}
