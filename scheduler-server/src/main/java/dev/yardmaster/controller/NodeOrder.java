package dev.yardmaster.controller;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;

/**
 * What the controller tells a node daemon to do. Orders about a run name its number of restarts.
 */
public sealed interface NodeOrder {
  int jobId();

  int restarts();

  /**
   * Start the batch script of a run if this is the first node of its allocation; on the other nodes
   * be ready for its steps.
   */
  record Launch(Job job, JobScript script) implements NodeOrder {
    @Override
    public int jobId() {
      return job.id();
    }

    @Override
    public int restarts() {
      return job.restarts();
    }
  }

  /**
   * Send a signal to a run.
   *
   * @param signal name or number
   * @param batchOnly to the batch script alone, not to its steps
   */
  record Signal(int jobId, int restarts, String signal, boolean batchOnly) implements NodeOrder {}

  /**
   * End a run: SIGCONT and SIGTERM, then SIGKILL after the wait; report {@link Command.RunGone}
   * when nothing is left of it, at once when the run is not known.
   */
  record Terminate(int jobId, int restarts, int killWaitSeconds) implements NodeOrder {}
}
