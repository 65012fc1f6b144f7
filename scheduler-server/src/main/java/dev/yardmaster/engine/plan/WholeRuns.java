package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * Runs on whole nodes that nobody may preempt: as in Slurm those that backfill starts keep their
 * nodes in the plan from now until the moment on the grid after their end, and with
 * bf_running_job_reserve (slurm.conf(5), SchedulerParameters) those that run already as well. What
 * is planned after them begins on the grid.
 */
final class WholeRuns {
  private final Board board;
  private final Openings openings;
  private final PreemptRules rules;
  private int seen;

  WholeRuns(Board board, Openings openings) {
    this.board = board;
    this.openings = openings;
    rules = new PreemptRules(board.state());
    boolean all =
        board.state().config().scheduling().parameters().containsKey("bf_running_job_reserve");
    List<Job> holders = board.holders();
    seen = holders.size();
    if (all) {
      holders.stream().sorted(Comparator.comparingInt(Job::id)).forEach(this::keep);
    }
  }

  /** Takes in the jobs that were started since. */
  void jobStarted() {
    List<Job> holders = board.holders();
    for (; seen < holders.size(); seen++) {
      keep(holders.get(seen));
    }
  }

  private void keep(Job job) {
    Allocation allocation = job.allocation();
    Instant end = job.ended();
    if (job.state() == JobState.RUNNING
        && allocation != null
        && end != null
        && isWhole(job)
        && rules.mode(job) == null) {
      long until = TimeLimits.expectedEnd(board, job, end.getEpochSecond());
      Hardware hardware = board.hardware();
      openings.keep(until, hardware.setOf(allocation.nodes().expand()));
    }
  }

  private boolean isWhole(Job job) {
    Exclusivity asked = job.request().exclusivity();
    Partition in = board.state().partitions().get(job.partition());
    return asked == Exclusivity.NODE
        || asked == Exclusivity.TOPO
        || in != null && in.overSubscribe().startsWith("EXCLUSIVE");
  }
}
