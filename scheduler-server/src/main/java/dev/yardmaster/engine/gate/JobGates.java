package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.gate.Dependencies.Standing;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Reason;
import java.time.Instant;

/**
 * The rules about the job alone, in Slurm's order: held; still cleaning up its last run; a
 * dependency that can never be met; begin time; its reservation; its dependency; the throttle of
 * its array; its deadline.
 */
public final class JobGates {
  private static final Evidence NONE = new Evidence.None();

  private JobGates() {}

  /**
   * Checks one job.
   *
   * @return whether nothing failed
   */
  public static boolean check(Board board, Job job, Collector c) {
    Standing standing = board.dependencies().standing(job);
    boolean ok = true;
    if (job.hold() != Hold.NONE) {
      ok = false;
      if (!c.fail(Gate.HOLD, held(job), false, () -> new Evidence.Held(job.hold()))) {
        return false;
      }
    } else {
      c.pass(Gate.HOLD, () -> NONE);
    }
    if (standing == Standing.NEVER) {
      ok = false;
      Why why = new Why(Reason.DEPENDENCY_NEVER_SATISFIED);
      if (!c.fail(Gate.DEPENDENCY, why, false, () -> board.dependencies().evidence(job))) {
        return false;
      }
    }
    if (job.has(JobFlag.COMPLETING)) {
      ok = false;
      // The schedulers pass over it; only who asks is told what it waits for.
      Reason reason = c.all() ? Reason.CLEANING : job.reason();
      if (!c.fail(Gate.BEGIN_TIME, new Why(reason), true, () -> NONE)) {
        return false;
      }
    }
    // As in Slurm a job with a begin time that depends on others says so first.
    if (standing == Standing.WAITING) {
      ok = false;
      Why why = new Why(Reason.DEPENDENCY);
      if (!c.fail(Gate.DEPENDENCY, why, true, () -> board.dependencies().evidence(job))) {
        return false;
      }
    }
    // As in Slurm the throttle of an array is looked at before the begin time of its tasks.
    if (standing != Standing.WAITING) {
      ok &= throttle(board, job, c);
      if (!ok && !c.all()) {
        return false;
      }
    }
    Instant begin = job.begin();
    if (begin != null && begin.isAfter(board.now())) {
      ok = false;
      Why why = new Why(Reason.BEGIN_TIME);
      if (!c.fail(Gate.BEGIN_TIME, why, true, () -> begins(job, begin))) {
        return false;
      }
    } else if (job.has(JobFlag.COMPLETING)) {
      ok = false;
    } else if (begin != null) {
      c.pass(Gate.BEGIN_TIME, () -> begins(job, begin));
    } else {
      c.notApplicable(Gate.BEGIN_TIME);
    }
    ok &= reservation(board, job, c);
    if (!ok && !c.all()) {
      return false;
    }
    if (standing == Standing.MET) {
      if (job.dependency() == null || job.dependency().isEmpty()) {
        c.notApplicable(Gate.DEPENDENCY);
      } else {
        c.pass(Gate.DEPENDENCY, () -> NONE);
      }
    }
    if (standing == Standing.WAITING) {
      ok &= throttle(board, job, c);
      if (!ok && !c.all()) {
        return false;
      }
    }
    return ok & deadline(board, job, c);
  }

  /** That it must wait, and for whom it left its last run if it was preempted. */
  private static Evidence begins(Job job, Instant begin) {
    Preemption p = job.preemption();
    return p == null
        ? new Evidence.Until(begin)
        : new Evidence.Preempted(p.by(), p.mode(), p.at(), begin, p.why());
  }

  /**
   * Whether a job waits for nothing but the start of its reservation, among these rules: a forecast
   * can tell when that is.
   */
  public static boolean waitsForReservationOnly(Board board, Job job) {
    return board.reservations().of(job) != null
        && check(board, job.withReservation(null), new FirstFailure());
  }

  private static Why held(Job job) {
    Reason reason =
        switch (job.reason()) {
          case JOB_HOLD_MAX_REQUEUE, JOB_LAUNCH_FAILURE, RESV_DEL_HOLD, RESERVATION_DELETED ->
              job.reason();
          default -> job.hold() == Hold.USER ? Reason.JOB_HELD_USER : Reason.JOB_HELD_ADMIN;
        };
    return new Why(reason, reason == job.reason() ? job.reasonText() : "");
  }

  private static boolean reservation(Board board, Job job, Collector c) {
    if (job.reservation() == null) {
      c.notApplicable(Gate.RESERVATION);
      return true;
    }
    Reservations.Booking own = board.reservations().of(job);
    if (own == null) {
      c.fail(Gate.RESERVATION, new Why(Reason.RESERVATION_DELETED), false, () -> NONE);
      return false;
    }
    Instant start = Instant.ofEpochSecond(own.start());
    Evidence in = new Evidence.InReservation(own.reservation().name(), start);
    if (start.isAfter(board.now()) && !own.isFlexible()) {
      c.fail(Gate.RESERVATION, new Why(Reason.RESERVATION), true, () -> in);
      return false;
    }
    c.pass(Gate.RESERVATION, () -> in);
    return true;
  }

  /** {@code --array=…%n} and ArrayTaskThrottle: at most n tasks run at a time. */
  public static boolean throttle(Board board, Job job, Collector c) {
    ArrayInfo array = job.array();
    if (array == null || array.throttle() <= 0) {
      c.notApplicable(Gate.ARRAY_THROTTLE);
      return true;
    }
    int running = board.tasksRunning(array.arrayJobId());
    Evidence.Limit limit =
        new Evidence.Limit(
            "array",
            Integer.toString(array.arrayJobId()),
            "ArrayTaskThrottle",
            "tasks",
            array.throttle(),
            running,
            1);
    if (running >= array.throttle()) {
      c.fail(Gate.ARRAY_THROTTLE, new Why(Reason.JOB_ARRAY_TASK_LIMIT), true, () -> limit);
      return false;
    }
    c.pass(Gate.ARRAY_THROTTLE, () -> limit);
    return true;
  }

  /** {@code --deadline}: it must be able to end before. */
  public static boolean deadline(Board board, Job job, Collector c) {
    Instant deadline = job.deadline();
    if (deadline == null) {
      c.notApplicable(Gate.DEADLINE);
      return true;
    }
    long end = Reservations.endOf(board.now().getEpochSecond(), NodeReasons.leastMinutes(job));
    if (end > deadline.getEpochSecond()) {
      c.fail(Gate.DEADLINE, new Why(Reason.DEADLINE), false, () -> new Evidence.Until(deadline));
      return false;
    }
    c.pass(Gate.DEADLINE, () -> new Evidence.Until(deadline));
    return true;
  }
}
