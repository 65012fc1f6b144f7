package dev.yardmaster.history;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;

/**
 * What squeue(1) shows of a job and its history tells.
 *
 * @param nodes what it holds; empty for nothing
 */
record Shown(
    JobState state,
    boolean completing,
    Reason reason,
    String reasonText,
    int restarts,
    String nodes) {
  static Shown of(Job job) {
    return new Shown(
        job.state(),
        job.has(JobFlag.COMPLETING),
        job.reason(),
        job.reasonText(),
        job.restarts(),
        job.holdsResources() && job.allocation() != null
            ? job.allocation().nodes().toString()
            : "");
  }
}
