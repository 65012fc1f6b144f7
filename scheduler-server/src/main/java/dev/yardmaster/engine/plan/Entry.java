package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.priority.Priorities;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import java.util.Comparator;
import java.util.Objects;

/** A pending job in one of its partitions. */
final class Entry {
  /**
   * The order in which jobs are looked at: those in a reservation, PriorityTier of the partition,
   * priority, the second of the submission, then the id of the job, for tasks of an array that of
   * the array and their number; a job's own partitions in the order it names them.
   */
  static final Comparator<Entry> ORDER = Entry::compare;

  private final Ticket ticket;
  private final Shape shape;
  private final Job job;
  private final Priorities.Result result;
  private final boolean reserved;
  private final boolean drawn;
  private final int tier;
  private final long priority;
  private final long submitted;
  private final int id;
  private final int task;

  /**
   * A job in a partition.
   *
   * @param priority its priority there
   */
  Entry(Ticket ticket, Shape shape, Priorities.Result priority) {
    this(ticket, shape, within(ticket.job, shape.partition()), priority, false);
  }

  /**
   * A job as it is looked at here.
   *
   * @param job the job, with the reservation in which it is looked at
   * @param drawn whether it did not ask for that reservation
   */
  private Entry(Ticket ticket, Shape shape, Job job, Priorities.Result result, boolean drawn) {
    this.ticket = ticket;
    this.shape = shape;
    this.job = job;
    this.drawn = drawn;
    reserved = job.reservation() != null;
    tier = shape.partition().priorityTier();
    this.result = result;
    priority = result.priority();
    submitted = ticket.job.submitted().getEpochSecond();
    ArrayInfo array = ticket.job.array();
    Integer number = array == null ? null : array.taskId();
    id = array == null || number == null ? ticket.job.id() : array.arrayJobId();
    task = number == null ? Integer.MAX_VALUE : number;
  }

  /** A job without a time limit of its own has that of the partition. */
  static Job within(Job job, Partition partition) {
    return job.limitOpen() && job.timeLimitMinutes() != partition.maxTimeMinutes()
        ? job.withTimeLimitMinutes(partition.maxTimeMinutes())
        : job;
  }

  /**
   * What comes before priority in the order: the lower number first, that of jobs in reservations
   * below all others, and the higher tier before the lower.
   */
  int precedence() {
    return (reserved ? Integer.MIN_VALUE : 0) + (Integer.MAX_VALUE - tier);
  }

  private static int compare(Entry a, Entry b) {
    if (a.reserved != b.reserved || a.tier != b.tier) {
      return Integer.compare(a.precedence(), b.precedence());
    }
    if (a.priority != b.priority) {
      return a.priority > b.priority ? -1 : 1;
    }
    if (a.submitted != b.submitted) {
      return Long.compare(a.submitted, b.submitted);
    }
    return a.id != b.id ? Integer.compare(a.id, b.id) : Integer.compare(a.task, b.task);
  }

  /** Whether another is of the same array, in the same partition and reservation. */
  boolean isSibling(Entry other) {
    ArrayInfo mine = job.array();
    ArrayInfo theirs = other.job.array();
    return mine != null
        && theirs != null
        && mine.arrayJobId() == theirs.arrayJobId()
        && shape.partition().name().equals(other.shape.partition().name())
        && Objects.equals(job.reservation(), other.job.reservation());
  }

  Ticket ticket() {
    return ticket;
  }

  Shape shape() {
    return shape;
  }

  /** The job, with the reservation in which it is looked at here and the limit it would have. */
  Job job() {
    return job;
  }

  /** The job's priority in the partition. */
  Priorities.Result priority() {
    return result;
  }

  /** The same in a reservation. */
  Entry in(String reservation) {
    return new Entry(ticket, shape, job.withReservation(reservation), result, true);
  }

  /** Whether the job is looked at in a reservation that it did not ask for (MAGNETIC). */
  boolean isDrawn() {
    return drawn;
  }

  String partition() {
    return shape.partition().name();
  }

  /** Whether it waits in the queue of its partition rather than in that of a reservation. */
  boolean isOf(Partition partition) {
    return !reserved && shape.partition() == partition;
  }
}
