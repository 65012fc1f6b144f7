package dev.yardmaster.controller;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Duration;
import java.time.Instant;

/** {@code scontrol update job TimeLimit=}. */
final class TimeLimitField {
  private TimeLimitField() {}

  /**
   * A new limit, or {@code +} and {@code -} with minutes. The owner of a running job may only lower
   * it.
   */
  static Job apply(Job job, String value, JobUpdates.Context context) {
    long old = job.timeLimitMinutes();
    boolean relative = value.startsWith("+") || value.startsWith("-");
    long minutes = JobFields.minutes(relative ? value.substring(1) : value);
    if (relative) {
      if (old == Partition.UNLIMITED || minutes == TimeLimits.UNLIMITED) {
        throw old == Partition.UNLIMITED
            ? new Refusal(
                SlurmError.COMMAND_TASKS,
                "scontrol: error: Cannot increment/decrement TimeLimit when set to UNLIMITED.")
            : new Refusal(SlurmError.INVALID_TIME_LIMIT, "\nTimeLimit=" + value);
      }
      if (value.startsWith("-") && minutes > old) {
        throw new Refusal(
            SlurmError.COMMAND_TASKS,
            "scontrol: error: TimeLimit decrement larger than current time limit (%d > %d)"
                .formatted(minutes, old));
      }
      minutes = value.startsWith("+") ? old + minutes : old - minutes;
    }
    if (minutes == 0) {
      minutes = TimeLimits.UNLIMITED;
    }
    long limit = minutes;
    Instant started = job.started();
    if (job.state().isFinished() && started == null) {
      throw new Refusal(SlurmError.JOB_ALREADY_FINISHED);
    }
    if (job.state() == JobState.PENDING || started == null) {
      return job.withTimeLimitMinutes(limit).withLimitOpen(false);
    }
    boolean raised = old != Partition.UNLIMITED && (limit == TimeLimits.UNLIMITED || limit > old);
    if (raised && !context.administrator()) {
      throw new Refusal(
          SlurmError.ACCESS_DENIED,
          "\nTimeLimit=" + value + ": only an administrator may raise it once the job runs");
    }
    if (job.state().isFinished()) {
      throw new Refusal(SlurmError.JOB_FINISHED);
    }
    return job.with(
        j ->
            j.timeLimitMinutes(limit)
                .ended(
                    limit == TimeLimits.UNLIMITED
                        ? null
                        : started.plus(Duration.ofMinutes(limit))));
  }
}
