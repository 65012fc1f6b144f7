package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.AllFindings;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Collector;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.NodeGates;
import dev.yardmaster.engine.gate.NodeReasons;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Job;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What the main pass finds about the job that an explanation asks for. */
final class MainFindings {
  private final Board board;
  private final Starter starter;
  private final @Nullable Probe probe;

  MainFindings(Board board, Starter starter, @Nullable Probe probe) {
    this.board = board;
    this.starter = starter;
    this.probe = probe;
  }

  private @Nullable AllFindings of(Entry entry) {
    return probe != null && entry.ticket().job.id() == probe.jobId() && !entry.isDrawn()
        ? probe.collector(entry.partition())
        : null;
  }

  /**
   * The same checks as the pass makes, all of them, in its order.
   *
   * @param behind whether the pass does not come to the job, or its partition is closed
   * @param within whether limits let it have nodes
   */
  void tell(Entry entry, Kept kept, boolean behind, Predicate<Choice> within) {
    AllFindings all = of(entry);
    if (all == null) {
      return;
    }
    all.lookAgain();
    Job job = entry.job();
    if (job.het() == null) {
      all.notApplicable(Gate.COMPONENTS);
    }
    starter.mayStartAnother(entry.ticket(), all);
    PolicyGates.check(board, job, entry.shape(), all);
    Choice nodes =
        NodeGates.check(
            board,
            job,
            entry.shape(),
            job.timeLimitMinutes(),
            kept.claimed(),
            kept::claimants,
            all);
    if (nodes != null && !within.test(nodes)) {
      LimitGates.amounts(board, job, entry.shape(), nodes, all);
    }
    LimitGates.tell(board, job, entry.shape(), all);
    PolicyGates.licenses(board, job, all);
    if (entry.ticket().barred()) {
      // it has no place in the order before what bars it is gone
      all.notApplicable(Gate.PRIORITY);
    } else if (behind) {
      all.fail(Gate.PRIORITY, NodeReasons.BEHIND, true, () -> aheadOf(kept, entry.partition()));
    } else {
      all.pass(Gate.PRIORITY, () -> aheadOf(kept, entry.partition()));
    }
  }

  /** Tells what it finds of a limit, and whether it keeps the job. */
  interface Limit {
    boolean isIn(Collector findings);
  }

  /**
   * Tells of the limit that a job waits for rather than for nodes.
   *
   * @param limit tells of it
   */
  void tellLimit(Entry entry, Limit limit) {
    AllFindings all = of(entry);
    FirstFailure which = new FirstFailure();
    if (all != null && !entry.ticket().started() && limit.isIn(which)) {
      limit.isIn(all);
      all.decidedBy(which.gate() == null ? Gate.TOPOLOGY : which.gate());
    }
  }

  private Evidence aheadOf(Kept kept, String partition) {
    return probe == null ? new Evidence.None() : probe.ahead(kept.ahead(), partition);
  }
}
