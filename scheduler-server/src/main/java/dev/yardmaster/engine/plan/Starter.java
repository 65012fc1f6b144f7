package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Collector;
import dev.yardmaster.engine.gate.JobGates;
import dev.yardmaster.engine.gate.PolicyGates;
import dev.yardmaster.engine.gate.Why;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Billing;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Tres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Gives resources to jobs and writes down the decisions; tasks leave their array one by one. */
final class Starter {
  private final Board board;
  private final List<Decision> decisions = new ArrayList<>();

  Starter(Board board) {
    this.board = board;
  }

  List<Decision> decisions() {
    return decisions;
  }

  /**
   * Whether a further task of the job's array may start, tasks started in this pass counted: its
   * throttle allows it, and a task waits for which {@code aftercorr} is met.
   */
  boolean mayStartAnother(Ticket ticket, Collector c) {
    if (ticket.job.array() == null) {
      return true;
    }
    boolean ok = JobGates.throttle(board, ticket.job, c);
    if (ok && ticket.waitingTasks != null && nextTask(ticket) == null) {
      c.fail(
          Gate.DEPENDENCY,
          new Why(Reason.DEPENDENCY),
          true,
          () -> board.dependencies().evidence(ticket.job));
      return false;
    }
    return ok;
  }

  /** Starts a job, or the next waiting task of an array. */
  void start(Entry entry, Choice choice, long minutes, boolean backfilled) {
    start(entry, choice, minutes, backfilled, board.seenBy(entry.job(), minutes));
  }

  /**
   * As {@link #start(Entry, Choice, long, boolean)}, with what counts as taken on the nodes: what
   * is planned for others may, beside what they have.
   */
  void start(Entry entry, Choice choice, long minutes, boolean backfilled, Usage taken) {
    Ticket ticket = entry.ticket();
    Shape shape = entry.shape();
    Job job = entry.job();
    Allocation allocation =
        charged(
            job,
            shape.partition(),
            board.placer().allocate(shape, choice, taken, job.owner().uid()));
    Integer task = nextTask(ticket);
    BitSet waiting = ticket.waitingTasks;
    ticket.fitsOn(board, shape, choice);
    if (task != null && waiting != null) {
      waiting.clear(task);
    }
    // a task takes with it the priority in the partition in which it starts
    boolean otherwise =
        task != null
            && (!entry.priority().equals(ticket.priority())
                || job.partitions().size() > 1 && entry.priority().priority() != job.priority());
    if (otherwise) {
      // what was said after its last task would be said together with this, and before it
      if (!decisions.isEmpty()
          && decisions.getLast() instanceof Decision.Assess(Event.Assessment said)
          && said.jobId() == job.id()) {
        decisions.removeLast();
      }
      decisions.add(new Decision.Assess(ticket.with(entry.priority())));
    }
    decisions.add(
        new Decision.Start(
            job.id(),
            job.restarts(),
            task,
            shape.partition().name(),
            allocation,
            untilDeadline(job, minutes),
            backfilled,
            entry.isDrawn() ? job.reservation() : null,
            job.het() == null ? 0 : job.het().hetJobId(),
            0));
    if (otherwise && waiting != null && !waiting.isEmpty()) {
      decisions.add(new Decision.Assess(ticket.with(ticket.priority())));
    }
    board.start(
        job.with(
            j ->
                j.partitions(List.of(shape.partition().name()))
                    .timeLimitMinutes(minutes)
                    .array(asTask(job, task))),
        allocation);
    ticket.startOne(entry.priority());
  }

  /** A job runs no longer than to its deadline, in whole minutes. */
  private long untilDeadline(Job job, long minutes) {
    Instant deadline = job.deadline();
    if (deadline == null) {
      return minutes;
    }
    long left = Duration.between(board.now(), deadline).toMinutes();
    return minutes == Partition.UNLIMITED ? left : Math.min(minutes, left);
  }

  /** Starts a job on cores of others that stop. */
  void startIn(Preemptor.Room room, Entry entry, long minutes, boolean backfilled) {
    board.whileStopped(room.stopping(), () -> start(entry, room.choice(), minutes, backfilled));
  }

  /** The job as it would run on these nodes; nothing is taken. */
  Job asRunning(Entry entry, Choice choice, long minutes) {
    Job job = entry.job();
    Shape shape = entry.shape();
    Allocation allocation =
        charged(
            job,
            shape.partition(),
            board.placer().allocate(shape, choice, board.seenBy(job, minutes), job.owner().uid()));
    return job.with(
        j ->
            j.partitions(List.of(shape.partition().name()))
                .state(JobState.RUNNING)
                .started(board.now())
                .timeLimitMinutes(minutes)
                .allocation(allocation));
  }

  /** With the licences the job takes, and what its partition charges. */
  private Allocation charged(Job job, Partition partition, Allocation allocation) {
    TreeMap<String, Long> tres = new TreeMap<>(allocation.tres().amounts());
    PolicyGates.taken(board, job).forEach((name, n) -> tres.put("license/" + name, (long) n));
    long billing = Billing.of(tres, partition, board.state().config().priority().flags());
    tres.put(Tres.BILLING, billing);
    return new Allocation(allocation.shares(), new Tres(tres), allocation.blocked());
  }

  private static @Nullable ArrayInfo asTask(Job job, @Nullable Integer task) {
    ArrayInfo array = job.array();
    return array == null || task == null
        ? array
        : new ArrayInfo(array.arrayJobId(), task, IndexSet.EMPTY, array.throttle());
  }

  private @Nullable Integer nextTask(Ticket ticket) {
    BitSet waiting = ticket.waitingTasks;
    if (waiting == null) {
      return null;
    }
    int next = waiting.nextSetBit(0);
    return next < 0 ? null : next;
  }
}
