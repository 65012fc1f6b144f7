package dev.yardmaster.controller;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.util.EnumSet;

/** Answers {@code sbatch --test-only}: where and when the engine would start a job. */
final class TestOnly {
  private TestOnly() {}

  /**
   * @param state a state in which the job is submitted
   */
  static Reply answer(Scheduler scheduler, ClusterState state, int jobId, Instant now) {
    Job job = state.job(jobId);
    if (job == null) {
      return new Reply.Refused(SlurmError.INVALID_JOB_ID, null);
    }
    for (Decision decision : scheduler.step(state, now, EnumSet.allOf(Pass.class)).decisions()) {
      if (decision.jobId() != jobId) {
        continue;
      }
      if (decision instanceof Decision.Start start) {
        return new Reply.WouldStart(
            now,
            start.allocation().cpus(),
            start.allocation().nodes().toString(),
            start.partition());
      }
      if (decision instanceof Decision.Assess assess && assess.assessment().planned() != null) {
        PlannedStart planned = assess.assessment().planned();
        return new Reply.WouldStart(
            planned.start(),
            job.request().tasks() * job.request().cpusPerTask(),
            planned.nodes().toString(),
            planned.partition());
      }
    }
    return new Reply.Refused(SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE, null);
  }
}
