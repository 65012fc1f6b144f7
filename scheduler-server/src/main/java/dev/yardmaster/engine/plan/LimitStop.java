package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * SchedulerParameters=assoc_limit_stop in the backfill pass: a job that limits hold back is planned
 * as if they did not. Where it would start at once it keeps its nodes from when others are open, or
 * from {@link #LATER} seconds on; behind one that a limit of all jobs of a QOS holds back nobody of
 * that QOS is looked at before then.
 */
final class LimitStop {
  /** What Slurm takes for the time until a limit lets a job start. */
  private static final long LATER = 500;

  private final Board board;
  private final boolean on;
  private final TreeMap<String, Long> blocked = new TreeMap<>();

  LimitStop(Board board) {
    this.board = board;
    on = board.state().config().scheduling().parameters().containsKey("assoc_limit_stop");
  }

  boolean isOn() {
    return on;
  }

  /** Whether rules of the site, which limits are not by then, let a job be planned. */
  boolean rules(Job job, Shape shape, FirstFailure first) {
    first.reset();
    return on
        ? PolicyGates.partition(board, job, shape, first)
        : PolicyGates.check(board, job, shape, first);
  }

  /** Whether limits let a job start at once in a place. */
  boolean starts(Job job, Shape shape, Plan.Slot slot, FirstFailure first) {
    first.reset();
    return (!on || LimitGates.check(board, job, shape, first))
        && LimitGates.amounts(board, job, shape, slot.choice(), first);
  }

  /** From when on a job is looked for a place; 0 for at once. */
  long notBefore(Job job) {
    return blocked.getOrDefault(job.owner().qos(), 0L);
  }

  /**
   * The place that a job keeps which would start now.
   *
   * @param steps knows when other nodes are open; null where that is not known
   */
  Plan.Slot put(Job job, Plan.Slot slot, @Nullable SlotSearch steps, FirstFailure first) {
    long later = steps == null ? 0 : steps.later();
    long start = later > 0 ? later : board.now().getEpochSecond() + LATER;
    if (first.gate() != null && first.why().reason().name().startsWith("QOS_GRP")) {
      blocked.merge(job.owner().qos(), start, Math::max);
    }
    return new Plan.Slot(start, slot.choice());
  }
}
