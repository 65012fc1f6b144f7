package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.AllFindings;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.FirstFailure;
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
  private final boolean classify;

  /**
   * @param classify whether the gate is looked for at which a job stops that cannot start now
   */
  PlanFindings(Board board, Starter starter, @Nullable Probe probe, boolean classify) {
    this.board = board;
    this.starter = starter;
    this.probe = probe;
    this.classify = classify;
  }

  private boolean isProbed(Ticket ticket) {
    return probe != null && ticket.job.id() == probe.jobId();
  }

  boolean classifies(Ticket ticket) {
    return classify && (probe == null || isProbed(ticket));
  }

  /** Finds the gate at which a job stops that cannot start now. */
  void classify(Entry entry, Agenda plan) {
    Ticket ticket = entry.ticket();
    FirstFailure first = new FirstFailure();
    Shape shape = entry.shape();
    long least = NodeReasons.plannedMinutes(entry.job());
    if (!LimitGates.somewhere(board, ticket.job, shape, first)) {
      ticket.stopAt(first.gate() == null ? Gate.QOS_LIMIT : first.gate());
      return;
    }
    long @Nullable [] taken = PlanTrial.taken(plan, ticket.job, shape, least);
    Choice nodes = NodeGates.check(board, ticket.job, shape, least, taken, first);
    Gate gate = first.gate() == null ? Gate.TOPOLOGY : first.gate();
    ticket.stopAt(nodes != null ? Gate.PRIORITY : gate);
  }

  /** The limit that keeps a job from a place is found when all else is, and is what counts. */
  void tellLimit(Entry entry, Choice choice) {
    if (probe != null && isProbed(entry.ticket())) {
      AllFindings all = probe.collector(entry.partition());
      LimitGates.decided(board, entry.ticket().job, entry.shape(), choice, all);
    }
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
