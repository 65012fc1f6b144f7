package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Shape;
import java.util.Comparator;

/** A pending job in one of its partitions. */
record Entry(Ticket ticket, Shape shape) {
  /**
   * The order in which jobs are looked at: PriorityTier of the partition, priority, then the id of
   * the job; a job's own partitions in the order it names them.
   */
  static final Comparator<Entry> ORDER =
      Comparator.comparingInt((Entry e) -> -e.shape().partition().priorityTier())
          .thenComparingLong(e -> -e.ticket().priority.priority())
          .thenComparingInt(e -> e.ticket().job.id());

  String partition() {
    return shape.partition().name();
  }
}
