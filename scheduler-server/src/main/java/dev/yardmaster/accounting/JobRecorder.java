package dev.yardmaster.accounting;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.Tres;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an event makes of the records of jobs. It knows nothing but the event, the states around it
 * and the records that there are, so that the same events always make the same records.
 */
final class JobRecorder {
  private static final String CANCEL = "cancel";
  private static final String HOLD = "hold";

  /** What a job ended with that the controller gave up; elsewhere it is shown as a signal. */
  private static final ExitCode BY_CONTROLLER = new ExitCode(1, 0);

  private static final ExitCode SIGNAL_1 = new ExitCode(0, 1);

  private JobRecorder() {}

  /** Finds the records that there are. */
  interface Known {
    /** That of the latest run of a job; null when there is none. */
    @Nullable JobRecord latest(int jobId);

    /** That of one part of a run; null when there is none. */
    @Nullable JobRecord of(JobRecord.Key part);
  }

  /** The records that an event makes or changes. */
  static List<JobRecord> follow(ClusterState before, Event event, ClusterState after, Known known) {
    return switch (event) {
      case Event.JobSubmitted e -> List.of(submitted(after, e.job()));
      case Event.JobEdited e -> edited(before, after, e, known);
      case Event.ArrayTaskSplit e -> split(after, e, known);
      case Event.JobsAssessed e -> assessed(after, e, known);
      case Event.JobStarted e -> change(known, e.jobId(), r -> started(after, r, e));
      case Event.JobSuspended e -> change(known, e.jobId(), r -> suspended(r, e.at()));
      case Event.JobResumed e -> change(known, e.jobId(), r -> resumed(r, e.at()));
      case Event.JobCompleting e -> completing(before, after, e, known);
      case Event.JobEnded e -> change(known, e.jobId(), r -> ended(after, r, e));
      case Event.JobRequeued e -> requeued(before, after, e, known);
      case Event.JobReleased e ->
          changeRun(known, e.jobId(), e.restarts(), r -> StepRecords.released(r, e.at()));
      case Event.StepStarted e ->
          changeRun(
              known,
              e.step().jobId(),
              e.step().restarts(),
              r -> r.resized() ? r : StepRecords.started(r, after, e.step()));
      case Event.StepUsed e ->
          changeRun(known, e.jobId(), e.restarts(), r -> r.resized() ? r : StepRecords.used(r, e));
      case Event.StepEnded e ->
          changeRun(
              known,
              e.jobId(),
              e.restarts(),
              r -> {
                Job job = after.job(e.jobId());
                JobRecord told = StepRecords.ended(r, e);
                return job == null || job.restarts() != e.restarts() || r.resized()
                    ? told
                    : told.withJob(job.whole());
              });
      default -> List.of();
    };
  }

  private interface Change {
    JobRecord of(JobRecord record);
  }

  private static List<JobRecord> change(Known known, int jobId, Change change) {
    JobRecord record = known.latest(jobId);
    return record == null ? List.of() : List.of(change.of(record));
  }

  /** Of each part of a run, which may not be the latest any more. */
  private static List<JobRecord> changeRun(Known known, int jobId, int run, Change change) {
    List<JobRecord> changed = new ArrayList<>();
    for (JobRecord record : parts(known, jobId, run)) {
      JobRecord next = change.of(record);
      if (!next.equals(record)) {
        changed.add(next);
      }
    }
    return changed;
  }

  private static List<JobRecord> parts(Known known, int jobId, int run) {
    List<JobRecord> parts = new ArrayList<>();
    JobRecord part = known.of(new JobRecord.Key(jobId, run, 0));
    while (part != null) {
      parts.add(part);
      part = known.of(new JobRecord.Key(jobId, run, parts.size()));
    }
    return parts;
  }

  private static JobRecord submitted(ClusterState state, Job job) {
    return new JobRecord(
        job,
        state.config().clusterName(),
        Ids.association(state, job),
        Ids.qos(state, job),
        Ids.wckey(state, job),
        job.state(),
        false,
        false,
        job.priority(),
        Reason.NONE,
        notable(job.reason(), Reason.NONE),
        eligible(state, job),
        null,
        null,
        0,
        null,
        null,
        "",
        TresOf.requested(state, job),
        Tres.NONE,
        List.of(),
        0,
        false);
  }

  /** Of a job whose submission nobody tells of any more. */
  static JobRecord found(ClusterState state, Job job) {
    boolean ran = job.started() != null && job.allocation() != null;
    return submitted(state, job)
        .with(
            r ->
                r.component(job.het() != null)
                    .started(job.started())
                    .ended(job.ended())
                    .allocated(ran ? TresOf.allocated(state, job) : Tres.NONE));
  }

  /** As the controller tells of a job anew. */
  private static JobRecord told(ClusterState state, JobRecord record, Job job, Instant at) {
    if (record.state() != JobState.PENDING && record.state() != JobState.RUNNING) {
      return record.withJob(job.whole());
    }
    Reason seen = seen(record, at);
    return record.with(
        r ->
            r.job(job.whole())
                .association(Ids.association(state, job))
                .qosId(Ids.qos(state, job))
                .wckeyId(Ids.wckey(state, job))
                .component(job.het() != null)
                .priority(job.priority())
                .reason(seen)
                .seen(seen)
                .eligible(keepsEligible(record, job) ? record.eligible() : eligible(state, job))
                .requested(TresOf.requested(state, job))
                .allocated(
                    job.lost() == null
                        ? record.allocated()
                        : TresOf.tracked(state, job.lost().amounts())));
  }

  /** Held while it ran, or requeued after it had lost nodes: a change does not tell otherwise. */
  private static boolean keepsEligible(JobRecord record, Job job) {
    Instant eligible = record.eligible();
    return record.state() == JobState.PENDING
        ? eligible != null && eligible.isBefore(job.submitted())
        : eligible == null;
  }

  /** What last held a job back, not counting what was found at this very moment. */
  private static Reason seen(JobRecord record, Instant at) {
    Instant evaluated = record.job().lastEvaluated();
    boolean waits = record.job().state() == JobState.PENDING;
    return waits && (evaluated == null || evaluated.isBefore(at))
        ? notable(record.job().reason(), record.seen())
        : record.seen();
  }

  /**
   * One that waits for others of its array, is held, or waits for its reservation to begin, is not
   * eligible.
   */
  private static @Nullable Instant eligible(ClusterState state, Job job) {
    if (job.state() != JobState.PENDING) {
      return job.eligible();
    }
    String name = job.reservation();
    Reservation reservation = name == null ? null : state.reservations().get(name);
    boolean waits =
        job.hold() != Hold.NONE
            || job.reason() == Reason.JOB_ARRAY_TASK_LIMIT
            || reservation != null && reservation.start().isAfter(state.time());
    return waits ? null : job.eligible();
  }

  /** What keeps a job waiting for its turn is not kept. */
  private static Reason notable(Reason reason, Reason otherwise) {
    return switch (reason) {
      case NONE, PRIORITY, RESOURCES -> otherwise;
      default -> reason;
    };
  }

  /** A run that goes on with fewer nodes ends as its record, and goes on as a new one. */
  private static List<JobRecord> resized(ClusterState after, JobRecord record, Event.JobEdited e) {
    JobRecord old = withoutSuspension(record, e.at()).with(r -> r.resized(true).ended(e.at()));
    JobRecord rest =
        told(after, record, e.job(), e.at())
            .with(
                r ->
                    r.part(record.part() + 1)
                        .eligible(e.at())
                        .started(e.at())
                        .suspendedSeconds(0)
                        .steps(List.of())
                        .requested(TresOf.allocated(after, e.job()))
                        .allocated(TresOf.allocated(after, e.job())));
    return List.of(old, rest);
  }

  /** Whether a job that runs has lost nodes. */
  private static boolean isSmaller(@Nullable Job before, Job job) {
    Allocation held = before == null ? null : before.allocation();
    Allocation rest = job.allocation();
    return held != null
        && rest != null
        && rest.shares().size() < held.shares().size()
        && job.holdsResources()
        && !job.has(JobFlag.COMPLETING);
  }

  private static List<JobRecord> edited(
      ClusterState before, ClusterState after, Event.JobEdited e, Known known) {
    JobRecord record = known.latest(e.job().id());
    if (record == null || record.job().restarts() != e.job().restarts()) {
      return List.of();
    }
    if (isSmaller(before.job(e.job().id()), e.job())) {
      return resized(after, record, e);
    }
    if (e.change().equals(CANCEL)) {
      return List.of(record.withJob(e.job().whole()));
    }
    JobRecord told = told(after, record, e.job(), e.at());
    Instant begun = e.job().started();
    if (record.state() == JobState.RUNNING
        && begun != null
        && record.started() != null
        && record.part() == 0) {
      // Its time counts anew once its nodes have booted.
      told = told.withStarted(begun);
    }
    if (e.change().equals(HOLD) && e.job().state() != JobState.PENDING) {
      // As in Slurm it is told of as one that cannot start yet, whatever it does.
      return List.of(told.withEligible(null));
    }
    Instant eligible = record.eligible();
    // Who is held in the second in which he could start keeps having been able to.
    boolean keeps =
        told.eligible() == null
            && eligible != null
            && !eligible.isBefore(e.at())
            && e.job().hold() != Hold.NONE;
    return List.of(keeps ? told.withEligible(eligible).withPriority(record.priority()) : told);
  }

  /** What was known of the array is known of its task. */
  private static List<JobRecord> split(ClusterState after, Event.ArrayTaskSplit e, Known known) {
    JobRecord array = known.latest(e.arrayRecordId());
    Job task = after.job(e.newJobId());
    if (array == null || task == null) {
      return List.of();
    }
    List<JobRecord> records = new ArrayList<>();
    records.add(told(after, array, task, e.at()));
    Job rest = after.job(e.arrayRecordId());
    if (rest != null && e.arrayRecordId() != e.newJobId()) {
      records.add(array.withJob(rest));
    }
    return records;
  }

  private static List<JobRecord> assessed(ClusterState after, Event.JobsAssessed e, Known known) {
    List<JobRecord> records = new ArrayList<>();
    for (Event.Assessment a : e.assessments()) {
      JobRecord record = known.latest(a.jobId());
      if (record == null || record.state() != JobState.PENDING) {
        continue;
      }
      boolean first = record.eligible() == null && record.job().hold() == Hold.NONE;
      Job job = after.job(a.jobId());
      JobRecord changed = record;
      if (job != null && a.reason() != record.job().reason()) {
        changed = record.withSeen(seen(record, e.at())).withJob(job.whole());
      }
      if (record.priority() <= 1 && a.priority() != 0 && record.job().hold() == Hold.NONE) {
        changed = changed.withPriority(a.priority());
      }
      Instant able = job == null ? null : eligible(after, job);
      if (first
          && able != null
          && a.eligible() != null
          && (isSoon(record.submitted(), a.eligible())
              || record.job().dependency() != null && a.dependency() == null)) {
        changed = changed.withEligible(a.eligible());
      }
      if (a.reason() == Reason.JOB_ARRAY_TASK_LIMIT) {
        changed = changed.withEligible(null);
      }
      if (!changed.equals(record)) {
        records.add(changed);
      }
    }
    return records;
  }

  /** Whether a job could start as soon as it was there, which is told with its submission. */
  private static boolean isSoon(Instant submitted, Instant eligible) {
    return Duration.between(submitted, eligible).compareTo(Duration.ofSeconds(1)) <= 0;
  }

  private static JobRecord started(ClusterState after, JobRecord record, Event.JobStarted e) {
    Job job = after.job(e.jobId());
    if (job == null) {
      return record;
    }
    JobRecord told =
        told(after, record, job, e.at())
            .with(
                r ->
                    r.state(JobState.RUNNING)
                        .priority(job.priority())
                        .started(e.at())
                        .allocated(TresOf.allocated(after, job)));
    Instant eligible = told.eligible();
    if (eligible == null || eligible.isAfter(e.at())) {
      told = told.withEligible(e.at());
    }
    return StepRecords.begun(told, after, e.at());
  }

  private static JobRecord suspended(JobRecord record, Instant at) {
    return StepRecords.inState(
        record.with(r -> r.state(JobState.SUSPENDED).suspendedSince(at)), JobState.SUSPENDED, 0);
  }

  private static JobRecord resumed(JobRecord record, Instant at) {
    Instant since = record.suspendedSince();
    long more = since == null ? 0 : Duration.between(since, at).toSeconds();
    return StepRecords.inState(
        record.with(
            r ->
                r.state(JobState.RUNNING)
                    .suspendedSince(null)
                    .suspendedSeconds(record.suspendedSeconds() + more)),
        JobState.RUNNING,
        more);
  }

  private static List<JobRecord> completing(
      ClusterState before, ClusterState after, Event.JobCompleting e, Known known) {
    Job job = after.job(e.jobId());
    JobRecord record = known.latest(e.jobId());
    if (job == null || record == null) {
      return List.of();
    }
    Instant end = job.ended() == null ? e.at() : job.ended();
    boolean byItself =
        (e.finalState() == JobState.COMPLETED || e.finalState() == JobState.FAILED)
            && e.killedBy() == null;
    List<JobRecord> all = new ArrayList<>();
    if (byItself && record.part() > 0) {
      // Its script is a step of the first part.
      JobRecord first = known.of(new JobRecord.Key(job.id(), job.restarts(), 0));
      if (first != null) {
        all.add(StepRecords.scriptEnded(first, end, e.exitCode()));
      }
    }
    JobRecord over =
        withoutSuspension(record, end)
            .with(
                r ->
                    r.job(e.exitCode().equals(SIGNAL_1) ? job.withExitCode(BY_CONTROLLER) : job)
                        .state(e.finalState())
                        .ended(end)
                        .killedBy(e.killedBy())
                        .failedNode(
                            e.finalState() == JobState.NODE_FAIL ? failed(before, job) : ""));
    all.add(byItself ? StepRecords.scriptEnded(over, end, e.exitCode()) : over);
    return all;
  }

  private static JobRecord withoutSuspension(JobRecord record, Instant end) {
    Instant since = record.suspendedSince();
    if (since == null) {
      return record;
    }
    long more = Math.max(0, Duration.between(since, end).toSeconds());
    return record.with(
        r -> r.suspendedSince(null).suspendedSeconds(record.suspendedSeconds() + more));
  }

  private static String failed(ClusterState state, Job job) {
    if (job.failedNode() != null) {
      return job.failedNode();
    }
    return job.allocation() == null
        ? ""
        : job.allocation().shares().stream()
            .map(share -> share.node())
            .filter(name -> Ids.isDown(state, name))
            .findFirst()
            .orElse("");
  }

  private static JobRecord ended(ClusterState after, JobRecord record, Event.JobEnded e) {
    Job job = after.job(e.jobId());
    return record.with(
        r ->
            r.job(
                    (job == null ? record.job() : job)
                        .withExitCode(
                            e.finalState() == JobState.FAILED || e.finalState() == JobState.DEADLINE
                                ? BY_CONTROLLER
                                : ExitCode.OK))
                .state(e.finalState())
                .ended(e.at())
                .killedBy(e.killedBy()));
  }

  /** The run ends as its record, and the next one begins with a record of its own. */
  private static List<JobRecord> requeued(
      ClusterState before, ClusterState after, Event.JobRequeued e, Known known) {
    Job old = before.job(e.jobId());
    Job job = after.job(e.jobId());
    JobRecord record = known.latest(e.jobId());
    if (old == null || job == null || record == null) {
      return List.of();
    }
    List<JobRecord> records = new ArrayList<>();
    if (record.ended() == null) {
      JobRecord over = withoutSuspension(record, e.at());
      boolean preempted = old.preemption() != null && record.started() != null;
      String node = failed(after, old);
      JobState state =
          preempted ? JobState.PREEMPTED : node.isEmpty() ? JobState.PENDING : JobState.NODE_FAIL;
      records.add(
          over.with(
              r ->
                  r.job(state == JobState.NODE_FAIL ? old.withExitCode(BY_CONTROLLER) : old)
                      .state(state)
                      .requeued(state == JobState.PENDING)
                      .ended(e.at())
                      .failedNode(node)));
    }
    JobRecord next = submitted(after, job);
    // As in Slurm a job that has lost nodes counts as able to start since then.
    Instant eligible = record.part() > 0 ? record.started() : e.eligibleAt();
    records.add(next.with(r -> r.component(job.het() != null).eligible(eligible)));
    return records;
  }
}
