package dev.yardmaster.engine.state;

import dev.yardmaster.model.AccountingChange;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.PriorityFactors;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.Suspension;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something that has happened. Events are facts: they are journaled before anyone sees their
 * effect, and applying the same events in the same order always gives the same state. A record may
 * gain components with later versions; each must have a default for the events of earlier ones.
 */
public sealed interface Event {
  /** When it happened. */
  Instant at();

  /** The jobs that it changes, makes or removes. */
  default List<Integer> jobIds() {
    return switch (this) {
      case JobSubmitted e -> List.of(e.job().id());
      case JobEdited e -> List.of(e.job().id());
      case ArrayTaskSplit e -> List.of(e.arrayRecordId(), e.newJobId());
      case JobStarted e -> List.of(e.jobId());
      case JobsAssessed e -> e.assessments().stream().map(Assessment::jobId).toList();
      case JobCompleting e -> List.of(e.jobId());
      case JobPreempted e -> List.of(e.jobId());
      case JobSuspended e -> List.of(e.jobId());
      case JobResumed e -> List.of(e.jobId());
      case NodeReleased e -> List.of(e.jobId());
      case JobReleased e -> List.of(e.jobId());
      case JobEnded e -> List.of(e.jobId());
      case JobRequeued e -> List.of(e.jobId());
      case StepEnded e -> List.of(e.jobId());
      case JobPurged e -> List.of(e.jobId());
      case ConfigApplied e -> List.of();
      case StepStarted e -> List.of();
      case StepUsed e -> List.of();
      case StepLeftNode e -> List.of();
      case JobIdUsed e -> List.of();
      case NodeChanged e -> List.of();
      case NodesPlanned e -> List.of();
      case PartitionChanged e -> List.of();
      case PartitionDeleted e -> List.of();
      case ReservationSaved e -> List.of();
      case ReservationDeleted e -> List.of();
      case AccountingChanged e -> List.of();
      case UsagePeriodEnded e -> List.of();
      case UsageReset e -> List.of();
      case CrontabSaved e -> List.of();
    };
  }

  /**
   * The configuration was read for the first time or again. Live changes of nodes' status survive;
   * partitions are as the file says.
   */
  record ConfigApplied(Instant at, ClusterConfig config) implements Event {}

  /** A job was accepted. Its script and environment are kept beside the event, not in it. */
  record JobSubmitted(Instant at, Job job) implements Event {}

  /**
   * Somebody changed a job.
   *
   * @param job the job after the change
   * @param by the user who did it
   * @param change what was changed, as field=value
   */
  record JobEdited(Instant at, Job job, String by, String change) implements Event {}

  /**
   * One waiting task of an array became a record of its own; when it was the last, the record keeps
   * its id.
   */
  record ArrayTaskSplit(Instant at, int arrayRecordId, int taskId, int newJobId) implements Event {}

  /**
   * A job was given resources.
   *
   * @param timeLimitMinutes the limit it runs under, which --time-min may have shortened
   * @param reservation the reservation that drew it (MAGNETIC), which it did not ask for; else null
   * @param ahead how many jobs before it in the order of its partition went on waiting
   */
  record JobStarted(
      Instant at,
      int jobId,
      String partition,
      Allocation allocation,
      long timeLimitMinutes,
      boolean backfilled,
      @Nullable String reservation,
      int ahead)
      implements Event {
    public JobStarted(
        Instant at,
        int jobId,
        String partition,
        Allocation allocation,
        long timeLimitMinutes,
        boolean backfilled) {
      this(at, jobId, partition, allocation, timeLimitMinutes, backfilled, null, 0);
    }
  }

  /** What a pass found about pending jobs; only what changed. */
  record JobsAssessed(Instant at, List<Assessment> assessments) implements Event {
    public JobsAssessed {
      assessments = List.copyOf(assessments);
    }
  }

  /**
   * What a pass found about one pending job.
   *
   * @param eligible when it became eligible; null while it is not
   * @param accrues since when it gains priority with age; null while it does not
   * @param planned null when backfill has no start for it
   * @param dependency what it still waits for; null for nothing
   * @param expectedNodes how many nodes it would get, as far as a pass tried it on nodes; 0 where
   *     that is not known
   * @param triedCpus CPUs of the nodes on which it was last found to fit; 0 while it never was
   */
  record Assessment(
      int jobId,
      Reason reason,
      String reasonText,
      long priority,
      PriorityFactors factors,
      @Nullable Instant eligible,
      @Nullable Instant accrues,
      @Nullable PlannedStart planned,
      @Nullable Dependency dependency,
      int expectedNodes,
      int triedCpus) {}

  /**
   * The work of a job ended; its nodes are still cleaning up and its resources still taken.
   *
   * @param killedBy the number of the user who cancelled it; null for nobody
   */
  record JobCompleting(
      Instant at,
      int jobId,
      int restarts,
      JobState finalState,
      ExitCode exitCode,
      Reason reason,
      @Nullable Integer killedBy)
      implements Event {
    public JobCompleting(
        Instant at,
        int jobId,
        int restarts,
        JobState finalState,
        ExitCode exitCode,
        Reason reason) {
      this(at, jobId, restarts, finalState, exitCode, reason, null);
    }
  }

  /**
   * A running job was told to leave for another one. When its time to save its work is over it is
   * requeued or ends, which is another event.
   */
  record JobPreempted(Instant at, int jobId, int restarts, Preemption preemption)
      implements Event {}

  /**
   * The processes of a running job were stopped.
   *
   * @param by the job that gets its cores; 0 for none
   */
  record JobSuspended(Instant at, int jobId, int restarts, Suspension.Cause cause, int by)
      implements Event {}

  /** A suspended job goes on; its time limit ends later by as long as it was suspended. */
  record JobResumed(Instant at, int jobId, int restarts) implements Event {}

  /** A node is done with a run that ends, others are not yet; what it had of the run is free. */
  record NodeReleased(Instant at, int jobId, int restarts, String node) implements Event {}

  /** All nodes of a completing job are done with it; its resources are free. */
  record JobReleased(Instant at, int jobId, int restarts) implements Event {}

  /**
   * A job that never ran ended: cancelled while pending, deadline missed.
   *
   * @param killedBy the number of the user who cancelled it; null for nobody
   */
  record JobEnded(
      Instant at, int jobId, JobState finalState, Reason reason, @Nullable Integer killedBy)
      implements Event {
    public JobEnded(Instant at, int jobId, JobState finalState, Reason reason) {
      this(at, jobId, finalState, reason, null);
    }
  }

  /**
   * A job went back to the queue as a new run.
   *
   * @param eligibleAt when it may start again
   * @param reason why it went back
   * @param held whether its owner must release it first; an operator, where the reason is that one
   *     holds it
   */
  record JobRequeued(Instant at, int jobId, Instant eligibleAt, Reason reason, boolean held)
      implements Event {}

  /** A step of a running job was started. */
  record StepStarted(Instant at, JobStep step) implements Event {}

  /**
   * What a step that ends has used.
   *
   * @param stepId also that of a batch script ({@link dev.yardmaster.model.StepRecord#BATCH})
   */
  record StepUsed(Instant at, int jobId, int restarts, int stepId, StepUsage usage)
      implements Event {}

  /** All tasks that a step had on one of several nodes have ended; others have not. */
  record StepLeftNode(
      Instant at, int jobId, int restarts, int stepId, String node, ExitCode exitCode)
      implements Event {}

  /** All tasks of a step have ended; the exit code is the worst of them. */
  record StepEnded(Instant at, int jobId, int restarts, int stepId, ExitCode exitCode)
      implements Event {}

  /** A submission was refused after it had been given an id; no other job gets it. */
  record JobIdUsed(Instant at, int jobId) implements Event {}

  /** A finished job is old enough to be forgotten by the controller (MinJobAge). */
  record JobPurged(Instant at, int jobId) implements Event {}

  /** A node registered, stopped responding, was drained, resumed … */
  record NodeChanged(Instant at, String node, NodeStatus status, String by) implements Event {}

  /**
   * A backfill pass keeps places on nodes (PLANNED) until the next one.
   *
   * @param planned those that are marked by now and were not
   * @param free those that were marked and are no longer
   */
  record NodesPlanned(Instant at, HostList planned, HostList free) implements Event {}

  record PartitionChanged(Instant at, Partition partition, String by) implements Event {}

  /** A partition is no more; no job that is not finished names it. */
  record PartitionDeleted(Instant at, String name, String by) implements Event {}

  record ReservationSaved(Instant at, Reservation reservation, String by) implements Event {}

  record ReservationDeleted(Instant at, String name, String by) implements Event {}

  /**
   * Accounts, users, QOS or associations were changed.
   *
   * @param what the command, as given to sacctmgr
   */
  record AccountingChanged(Instant at, AccountingChange change, String by, String what)
      implements Event {}

  /**
   * A period of usage ended (PriorityCalcPeriod): usage decayed, running jobs were charged, and
   * fair share was calculated anew.
   *
   * @param anew whether usage was forgotten before (PriorityUsageResetPeriod)
   */
  record UsagePeriodEnded(Instant at, boolean anew) implements Event {}

  /** Usage of associations and QOS was forgotten (sacctmgr, RawUsage=0). */
  record UsageReset(Instant at, List<Integer> associations, List<String> qos, String by)
      implements Event {
    public UsageReset {
      associations = List.copyOf(associations);
      qos = List.copyOf(qos);
    }
  }

  /**
   * The crontab of a user was set, or removed; its jobs are events of their own.
   *
   * @param crontab null where it was removed
   */
  record CrontabSaved(Instant at, String user, @Nullable Crontab crontab, String by)
      implements Event {}
}
