package dev.yardmaster.controller;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Takings;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.priority.Priorities;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Tres;

/**
 * Priorities that are calculated outside of passes: Slurm does so whenever a job was changed or
 * released, also while it runs.
 */
final class Weights {
  private Weights() {}

  /**
   * A changed job with the priority it has now. Its size is what it has, or what it would take once
   * nodes were looked for.
   */
  static Job anew(Turn turn, Job job) {
    Allocation held = job.allocation();
    boolean waits = job.state() == JobState.PENDING;
    Partition partition = turn.state().partitions().get(job.partition());
    boolean counted = job.priority() > 0 && job.hold() == Hold.NONE && job.directPriority() == null;
    if (!counted || partition == null || (!waits && held == null)) {
      return job;
    }
    Board board = Board.withoutJobs(turn.state(), turn.now());
    Shape shape = board.shape(job, partition);
    int nodes = held == null ? shape.minNodes() : held.shares().size();
    long cpus = job.eligible() == null ? shape.minCpus() : Takings.leastCpus(board, shape);
    if (held != null) {
      cpus = held.tres().get(Tres.CPU);
    }
    Priorities.Result weight =
        new Priorities(turn.state(), board.hardware(), turn.now())
            .of(
                job.with(j -> j.priority(0)),
                nodes,
                cpus,
                cpus,
                Priorities.jobFactor(turn.state(), job));
    return job.with(j -> j.priority(weight.priority()).factors(weight.factors()));
  }
}
