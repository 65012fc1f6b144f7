package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;
import java.util.Comparator;

/**
 * A pending job in one of its partitions.
 *
 * @param job the job, with the reservation in which it is looked at here
 */
record Entry(Ticket ticket, Shape shape, Job job) {
  /**
   * The order in which jobs are looked at: those in a reservation, PriorityTier of the partition,
   * priority, then the id of the job; a job's own partitions in the order it names them.
   */
  static final Comparator<Entry> ORDER = Entry::compare;

  Entry(Ticket ticket, Shape shape) {
    this(ticket, shape, ticket.job);
  }

  private static int compare(Entry a, Entry b) {
    if ((a.job.reservation() == null) != (b.job.reservation() == null)) {
      return a.job.reservation() == null ? 1 : -1;
    }
    int tier =
        Integer.compare(b.shape.partition().priorityTier(), a.shape.partition().priorityTier());
    if (tier != 0) {
      return tier;
    }
    int priority = Long.compare(b.ticket.priority.priority(), a.ticket.priority.priority());
    return priority != 0 ? priority : Integer.compare(a.ticket.job.id(), b.ticket.job.id());
  }

  /** Whether the job is looked at in a reservation that it did not ask for (MAGNETIC). */
  boolean isDrawn() {
    return job != ticket.job;
  }

  String partition() {
    return shape.partition().name();
  }
}
