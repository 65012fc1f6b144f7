package dev.yardmaster.engine.state;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Suspension;
import dev.yardmaster.model.Waited;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the events of a run make of a job. */
final class JobChanges {
  private JobChanges() {}

  /** One that an operator suspends shows priority 0 until it goes on. */
  static Job suspended(Job job, Event.JobSuspended e) {
    boolean byOperator = e.cause() == Suspension.Cause.OPERATOR;
    long before = job.priority();
    return job.with(
        j ->
            j.state(JobState.SUSPENDED)
                .priority(byOperator ? 0 : before)
                .suspension(
                    new Suspension(e.at(), job.worked(e.at()), e.cause(), e.by(), false, before)));
  }

  /** One that has to leave has no longer than until its limit. */
  static Job preempted(Job job, Preemption preemption) {
    Instant until = preemption.until();
    Instant limit = job.ended();
    Instant end = limit == null || until.isBefore(limit) ? until : limit;
    return job.with(j -> j.preemption(preemption).ended(end));
  }

  static Job resumed(Job job, Instant at) {
    Suspension suspension = job.suspension();
    if (suspension == null) {
      return job;
    }
    Instant ended = job.ended();
    return job.with(
        j ->
            j.state(JobState.RUNNING)
                .priority(suspension.priority())
                .ended(ended == null ? null : ended.plus(Duration.between(suspension.at(), at)))
                .suspension(suspension.resumed(at)));
  }

  /** A run that ends while it is suspended has ended when it was suspended. */
  static Job completing(Job job, Event.JobCompleting e) {
    Suspension suspension = job.suspension();
    if (job.state() == JobState.SUSPENDED && suspension != null) {
      return job.with(
          j ->
              j.state(e.finalState())
                  .flags(including(without(job.flags(), JobFlag.STOPPED), JobFlag.COMPLETING))
                  .exitCode(e.exitCode())
                  .reason(e.reason())
                  .reasonText("")
                  .suspension(
                      new Suspension(
                          suspension.at(),
                          suspension.worked(),
                          suspension.cause(),
                          suspension.by(),
                          true,
                          suspension.priority()))
                  .ended(suspension.at()));
    }
    return job.with(
        j ->
            j.state(e.finalState())
                .flags(
                    including(
                        without(without(job.flags(), JobFlag.STOPPED), JobFlag.CONFIGURING),
                        JobFlag.COMPLETING))
                .exitCode(e.exitCode())
                .reason(e.reason())
                .reasonText("")
                .ended(e.at()));
  }

  /**
   * A job whose old run is not gone from its nodes yet keeps what it holds, as COMPLETING, until it
   * is released.
   */
  static Job requeued(Job job, Event.JobRequeued e) {
    boolean holds = job.holdsResources();
    Allocation had = job.allocation();
    return job.with(
        j ->
            j.state(JobState.PENDING)
                .flags(
                    holds
                        ? EnumSet.of(JobFlag.COMPLETING, JobFlag.REQUEUED)
                        : EnumSet.of(JobFlag.REQUEUED))
                // Held while it ran, it is held when it waits again.
                .hold(e.held() ? holder(e.reason()) : job.hold())
                .reason(e.reason())
                .reasonText("")
                .priority(0)
                .factors(PriorityFactors.ZERO)
                .submitted(e.at())
                .eligible(e.eligibleAt())
                .accrues(null)
                .waited(null)
                .begin(e.eligibleAt())
                .started(null)
                .ended(null)
                .restarts(job.restarts() + 1)
                .expectedNodes(had == null ? job.expectedNodes() : had.shares().size())
                .triedCpus(0)
                // What a run had that was over already stays to be seen.
                .lost(holds || had == null ? null : had.tres())
                .failedNode(null)
                .exitCode(ExitCode.OK)
                .planned(null)
                .allocation(holds ? had : null));
  }

  private static Hold holder(Reason reason) {
    return reason == Reason.JOB_HELD_ADMIN ? Hold.ADMIN : Hold.USER;
  }

  /** A job that ends for no reason of its own keeps saying what it waited for. */
  static Job neverRan(Job job, Event.JobEnded e) {
    EnumSet<JobFlag> flags = EnumSet.noneOf(JobFlag.class);
    flags.addAll(job.flags());
    flags.removeAll(EnumSet.of(JobFlag.REQUEUED, JobFlag.REQUEUE_HOLD, JobFlag.SPECIAL_EXIT));
    return job.with(
        j ->
            j.state(e.finalState())
                .flags(flags)
                .reason(e.reason())
                .reasonText(e.reason() == job.reason() ? job.reasonText() : "")
                .ended(e.at())
                .planned(null));
  }

  /** With how long it showed the reason that an event takes from it, or that it starts with. */
  static Job noted(@Nullable Job before, Job after, Instant at) {
    if (before == null || before.state() != JobState.PENDING) {
      return after;
    }
    boolean requeued = before.restarts() != after.restarts();
    boolean left = after.state() != JobState.PENDING;
    if (requeued || !left && before.reason() == after.reason()) {
      return after;
    }
    Waited known = after.waited() == null ? Waited.from(before.submitted()) : after.waited();
    return after.withWaited(known.until(at, before.reason()));
  }

  static Job started(Job job, Event.JobStarted e) {
    Waited waited = job.waited() == null ? Waited.from(job.submitted()) : job.waited();
    List<String> partitions = new ArrayList<>(List.of(e.partition()));
    job.partitions().stream().filter(p -> !p.equals(e.partition())).forEach(partitions::add);
    return job.with(
        j ->
            j.state(JobState.RUNNING)
                .lost(null)
                .flags(without(job.flags(), JobFlag.REQUEUED))
                .partitions(partitions)
                .allocation(e.allocation())
                .reservation(e.reservation() == null ? job.reservation() : e.reservation())
                .timeLimitMinutes(e.timeLimitMinutes())
                .started(e.at())
                .ended(
                    e.timeLimitMinutes() == Partition.UNLIMITED
                        ? null
                        : e.at().plusSeconds(60 * e.timeLimitMinutes()))
                .lastEvaluated(e.at())
                .preemption(null)
                .suspension(null)
                .waited(waited.started(e.backfilled(), e.ahead()))
                .reason(Reason.NONE)
                .reasonText("")
                .planned(null));
  }

  static Set<JobFlag> without(Set<JobFlag> flags, JobFlag flag) {
    EnumSet<JobFlag> rest = EnumSet.noneOf(JobFlag.class);
    rest.addAll(flags);
    rest.remove(flag);
    return rest;
  }

  static Set<JobFlag> including(Set<JobFlag> flags, JobFlag flag) {
    EnumSet<JobFlag> all = EnumSet.of(flag);
    all.addAll(flags);
    return all;
  }
}
