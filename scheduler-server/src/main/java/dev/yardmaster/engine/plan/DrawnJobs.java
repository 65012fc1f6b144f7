package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.NodeReasons;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.gate.Reservations.Booking;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;

/**
 * Jobs in reservations that draw them (MAGNETIC), as the backfill pass looks at them. One that
 * cannot start there at once shows when it could, and keeps no nodes for it; it counts for none of
 * the limits of the pass. With bf_allow_magnetic_slot it is planned and counted as any other.
 */
final class DrawnJobs {
  private final Board board;
  private final Starter starter;
  private final BackfillLimits limits;
  private final PlannedNodes nodes;
  private final FirstFailure first = new FirstFailure();

  DrawnJobs(Board board, Starter starter, BackfillLimits limits, PlannedNodes nodes) {
    this.board = board;
    this.starter = starter;
    this.limits = limits;
    this.nodes = nodes;
  }

  /** Whether the reservation in which a job is looked at is in force until the job would end. */
  static boolean isInTime(Board board, Job job) {
    Booking own = board.reservations().of(job);
    long now = board.now().getEpochSecond();
    return own != null && (own.isFlexible() || own.start() <= now && endsIn(own, job, now));
  }

  /** Whether it only begins later, and would be in force until the end of a job that begins now. */
  static boolean comesLater(Board board, Job job) {
    Booking own = board.reservations().of(job);
    long now = board.now().getEpochSecond();
    return own != null && own.start() > now && endsIn(own, job, now);
  }

  private static boolean endsIn(Booking own, Job job, long now) {
    return Reservations.endOf(now, job.timeLimitMinutes()) <= own.end();
  }

  /**
   * Looks at a job in a reservation that draws it.
   *
   * @return how many records have started
   */
  int consider(Entry entry, Agenda plan) {
    Job job = entry.job();
    boolean counts = limits.plansDrawnJobs();
    if (job.het() != null
        || !isInTime(board, job)
        || counts && !limits.admit(job, entry.partition())) {
      return 0;
    }
    int started = 0;
    while (!entry.ticket().started() && mayStart(entry)) {
      long least = NodeReasons.plannedMinutes(job);
      Plan.Slot slot = plan.earliest(job, entry.shape(), least);
      if (slot == null || endsTooLate(job, slot, least)) {
        return started;
      }
      if (slot.start() > board.now().getEpochSecond()) {
        note(entry, plan, slot, least);
        return started;
      }
      if (!LimitGates.amounts(board, job, entry.shape(), slot.choice(), first)) {
        return started;
      }
      long now = board.now().getEpochSecond();
      long minutes = TimeLimits.longest(plan, job, slot.nodes(), least, now);
      starter.start(entry, slot.choice(), minutes, true, plan.taken(job, slot.nodes(), minutes));
      plan.jobStarted();
      started++;
    }
    return started;
  }

  private boolean mayStart(Entry entry) {
    Job job = entry.job();
    first.reset();
    return starter.mayStartAnother(entry.ticket(), first)
        && PolicyGates.check(board, job, entry.shape(), first)
        && PolicyGates.licenses(board, job, first)
        && LimitGates.somewhere(board, job, entry.shape());
  }

  /** It is drawn only where it can run to its end in time. */
  private boolean endsTooLate(Job job, Plan.Slot slot, long minutes) {
    Booking own = board.reservations().of(job);
    return own == null || !own.isFlexible() && slot.start() + 60 * minutes > own.end();
  }

  private void note(Entry entry, Agenda plan, Plan.Slot slot, long minutes) {
    Ticket ticket = entry.ticket();
    Shape shape = entry.shape();
    if (!LimitGates.planned(board, entry.job(), shape, slot.choice(), first)) {
      return;
    }
    Spot spot = slot.spot(board, shape);
    Spot before = ticket.spot();
    if (before == null || spot.start().isBefore(before.start())) {
      ticket.plan(limits.plansDrawnJobs() ? spot : spot.withoutNodes());
    }
    if (limits.plansDrawnJobs()
        && !limits.mayNotReserve(entry, board)
        && limits.oneMoreReservation(entry.partition())) {
      plan.reserve(slot, minutes, entry.job(), shape);
      nodes.keep(slot.held(board, entry.shape()), spot, before);
    }
  }
}
