package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.NodeGates;
import dev.yardmaster.engine.gate.NodeReasons;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PlannedStart;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Tries changes of a job in a plan, without keeping its place. */
record PlanTrial(Board board, Starter starter, Agenda plan, Entry entry)
    implements Rehearsal.Trial {
  /** The nodes that are planned for others within a duration from now; null for none. */
  static long @Nullable [] taken(Agenda plan, Job job, Shape shape, long minutes) {
    long[] planned = plan.plannedWithin(job, shape, minutes);
    return Bits.isEmpty(planned) ? null : planned;
  }

  private boolean may(Job job, Shape shape, FirstFailure first) {
    return PolicyGates.check(board, job, shape, first)
        && PolicyGates.licenses(board, job, first)
        && LimitGates.ever(board, job, shape, first)
        && LimitGates.somewhere(board, job, shape, first)
        && starter.mayStartAnother(entry.ticket().of(job), first);
  }

  @Override
  public @Nullable PlannedStart start(Job job) {
    Shape shape = board.shape(job, entry.shape().partition());
    if (!may(job, shape, new FirstFailure())) {
      return null;
    }
    Plan.Slot slot = plan.earliest(job, shape, NodeReasons.plannedMinutes(job));
    return slot == null
        ? null
        : new Spot(
                Instant.ofEpochSecond(slot.start()),
                slot.nodes(),
                shape.partition().name(),
                board.now(),
                board.hardware())
            .named();
  }

  @Override
  public boolean startsWithout(Collection<Job> ended) {
    Job job = entry.job();
    Shape shape = entry.shape();
    long least = NodeReasons.plannedMinutes(job);
    FirstFailure first = new FirstFailure();
    return board.without(
        ended,
        () ->
            may(job, shape, first)
                && NodeGates.check(board, job, shape, least, taken(plan, job, shape, least), first)
                    != null);
  }
}
