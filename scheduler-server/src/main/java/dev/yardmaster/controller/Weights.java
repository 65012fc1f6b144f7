package dev.yardmaster.controller;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.priority.Priorities;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;

/**
 * Priorities that are calculated outside of passes: Slurm does so whenever a job was changed or
 * released, also while it runs.
 */
final class Weights {
  private Weights() {}

  /**
   * A changed job with the priority it has now. Its size is what it has, or what it would take once
   * it was found to fit on nodes.
   */
  static Job anew(Turn turn, Job job) {
    Board board = Board.withoutJobs(turn.state(), turn.now());
    return anew(board, new Priorities(turn.state(), board.hardware(), turn.now()), turn, job);
  }

  /**
   * Calculates the priorities of running and suspended jobs, too, where
   * PriorityFlags=CALCULATE_RUNNING asks for it (slurm.conf(5)); with INCR_ONLY none gets less.
   */
  static void ofRunning(Turn turn) {
    PriorityPolicy policy = turn.state().config().priority();
    if (!policy.has("CALCULATE_RUNNING")) {
      return;
    }
    Board board = Board.withoutJobs(turn.state(), turn.now());
    Priorities priorities = new Priorities(turn.state(), board.hardware(), turn.now());
    for (Job job : turn.state().jobs().values()) {
      if (job.state() != JobState.RUNNING && job.state() != JobState.SUSPENDED) {
        continue;
      }
      Job weighed = anew(board, priorities, turn, job);
      boolean less = policy.has("INCR_ONLY") && weighed.priority() < job.priority();
      if (!less && !weighed.equals(job)) {
        turn.emit(new Event.JobEdited(turn.now(), weighed, "", "priority"));
      }
    }
  }

  private static Job anew(Board board, Priorities priorities, Turn turn, Job job) {
    Allocation held = job.allocation();
    boolean waits = job.state() == JobState.PENDING;
    Partition partition = turn.state().partitions().get(job.partition());
    boolean counted = job.priority() > 0 && job.hold() == Hold.NONE && job.directPriority() == null;
    if (!counted || partition == null || (!waits && held == null)) {
      return job;
    }
    Shape shape = board.shape(job, partition);
    // One that has lost nodes is as large as it was.
    int nodes =
        held == null ? shape.minNodes() : Math.max(held.shares().size(), job.request().minNodes());
    long cpus = ReqTres.cpus(job.request());
    int taken = held == null ? job.triedCpus() : (int) held.tres().get(Tres.CPU);
    Priorities.Result weight =
        priorities.of(
            job.with(j -> j.priority(0).triedCpus(taken)),
            nodes,
            held == null ? cpus : taken,
            Priorities.jobFactor(turn.state(), job));
    return job.with(j -> j.priority(weight.priority()).factors(weight.factors()));
  }
}
