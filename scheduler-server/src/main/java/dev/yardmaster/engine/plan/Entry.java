package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Shape;
import java.util.Comparator;

/** A pending job in one of its partitions. */
record Entry(Ticket ticket, Shape shape) {
  /**
   * The order in which jobs are looked at: PriorityTier of the partition, priority, then the id of
   * the job; a job's own partitions in the order it names them.
   */
  static final Comparator<Entry> ORDER = Entry::compare;

  private static int compare(Entry a, Entry b) {
    int tier =
        Integer.compare(b.shape.partition().priorityTier(), a.shape.partition().priorityTier());
    if (tier != 0) {
      return tier;
    }
    int priority = Long.compare(b.ticket.priority.priority(), a.ticket.priority.priority());
    return priority != 0 ? priority : Integer.compare(a.ticket.job.id(), b.ticket.job.id());
  }

  String partition() {
    return shape.partition().name();
  }
}
