package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.AllFindings;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.NodeGates;
import dev.yardmaster.engine.gate.NodeReasons;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the backfill pass finds about the job that an explanation asks for. */
final class PlanFindings {
  private final Board board;
  private final Starter starter;
  private final @Nullable Probe probe;

  PlanFindings(Board board, Starter starter, @Nullable Probe probe) {
    this.board = board;
    this.starter = starter;
    this.probe = probe;
  }

  /**
   * The same checks, all of them, in their order.
   *
   * @param over whether the pass ended before this job's turn
   */
  void tell(Entry entry, Agenda plan, List<Integer> ahead, boolean over) {
    if (probe == null) {
      return;
    }
    AllFindings all = probe.collector(entry.partition());
    all.lookAgain();
    Job job = entry.job();
    starter.mayStartAnother(entry.ticket(), all);
    PolicyGates.check(board, job, entry.shape(), all);
    PolicyGates.licenses(board, job, all);
    LimitGates.ever(board, job, entry.shape(), all);
    long least = NodeReasons.plannedMinutes(job);
    Plan.Slot slot = plan.earliest(job, entry.shape(), least);
    boolean starts = slot != null && slot.start() <= board.now().getEpochSecond();
    LimitGates.tell(board, job, entry.shape(), slot == null ? null : slot.choice(), starts, all);
    Choice nodes =
        NodeGates.check(
            board,
            job,
            entry.shape(),
            least,
            taken(plan, job, entry.shape(), least),
            n -> plan.plannedFor(n, least),
            all);
    Evidence evidence = probe.ahead(ahead, entry.partition());
    if (entry.ticket().barred()) {
      // it has no place in the order before what bars it is gone
      all.notApplicable(Gate.PRIORITY);
    } else if (over || (nodes == null && all.firstFailure() == null)) {
      all.fail(Gate.PRIORITY, NodeReasons.BEHIND, true, () -> evidence);
    } else {
      all.pass(Gate.PRIORITY, () -> evidence);
    }
  }

  private static long @Nullable [] taken(Agenda plan, Job job, Shape shape, long minutes) {
    long[] planned = plan.plannedWithin(job, shape, minutes);
    return Bits.isEmpty(planned) ? null : planned;
  }
}
