package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Submitting, holding, releasing, requeueing, cancelling and signalling jobs. */
final class JobCommands {
  private static final int SIGKILL = 9;
  private static final int SIGCONT = 18;
  private static final int SIGSTOP = 19;

  /** Errors that leave a failed job behind: it was looked at already. */
  private static final Set<SlurmError> NEVER =
      EnumSet.of(
          SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE,
          SlurmError.REQUESTED_PART_CONFIG_UNAVAILABLE,
          SlurmError.REQUESTED_TOPO_CONFIG_UNAVAILABLE);

  /** What is found when nodes are looked for, which those of a held job are not. */
  private static final Set<SlurmError> OF_NODES =
      EnumSet.of(
          SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE,
          SlurmError.REQUESTED_TOPO_CONFIG_UNAVAILABLE);

  private final AdmissionCheck admission;
  private final Runs runs;
  private final ZoneId zone;

  JobCommands(AdmissionCheck admission, Runs runs, ZoneId zone) {
    this.admission = admission;
    this.runs = runs;
    this.zone = zone;
  }

  Reply submit(Turn turn, Command.Submit command) {
    Reply repeated = repeated(turn, command.by(), command.submission());
    if (repeated != null) {
      return repeated;
    }
    SubmissionReader.Read read = read(turn, command);
    int count = turn.state().jobs().size();
    if (count >= turn.settings().maxJobCount()) {
      throw new Refusal(
          SlurmError.MAX_JOB_COUNT,
          "\nthere are %d jobs, MaxJobCount=%d".formatted(count, turn.settings().maxJobCount()));
    }
    Job job =
        dev.yardmaster.engine.gate.Dependencies.submitted(turn.state(), read.job(), turn.now());
    turn.emit(new Event.JobSubmitted(turn.now(), job));
    JobScript script = read.script();
    if (script != null) {
      turn.script(job.id(), script);
    }
    requestPassFor(turn, job);
    return new Reply.Submitted(job.id(), read.notices());
  }

  /** The answer to a submission that was accepted before and whose answer was lost; else null. */
  private static @Nullable Reply repeated(Turn turn, Identity by, JobSubmission submission) {
    String request = submission.options().get(JobSubmission.REQUEST_ID);
    Integer id = request == null ? null : turn.index().ofRequest(request);
    Job job = id == null ? null : turn.state().job(id);
    if (job == null || job.reason() == Reason.BAD_CONSTRAINTS) {
      return null;
    }
    boolean same = by.isRoot() || by.uid() == job.owner().uid();
    return same ? new Reply.Submitted(job.id(), List.of()) : null;
  }

  /** Accepts all components of a heterogeneous job, each counting for the limits of the next. */
  Reply submitHet(Turn turn, Command.SubmitHet command) {
    List<String> notices = new ArrayList<>();
    int size = command.components().size();
    int leader = turn.nextJobId();
    if (size < 2) {
      throw new Refusal(SlurmError.NOT_HET_JOB, "\na heterogeneous job has several components");
    }
    Reply repeated = repeated(turn, command.by(), command.components().getFirst());
    if (repeated != null) {
      return repeated;
    }
    boolean external = false;
    for (int i = 0; i < size; i++) {
      SubmissionReader.Read read =
          read(turn, new Command.Submit(command.by(), component(command.components(), i)));
      if (read.job().array() != null) {
        throw new Refusal(SlurmError.INVALID_ARRAY, "\na heterogeneous job cannot be an array");
      }
      Job job = read.job().withHet(new HetInfo(leader, i, size));
      external |= i == 0 && job.request().external();
      if (external && !job.request().external()) {
        throw new Refusal(
            SlurmError.INVALID_EXTERNAL_JOB,
            i + ": non-external component cannot follow an external hetjob leader");
      }
      if (i > 0 && !job.request().licenses().isEmpty()) {
        throw new Refusal(
            SlurmError.INVALID_LICENSES, i + ": license request allowed only on leader job");
      }
      turn.emit(new Event.JobSubmitted(turn.now(), job));
      JobScript script = read.script();
      if (script != null) {
        turn.script(job.id(), script);
      }
      notices.addAll(read.notices());
    }
    requestPassFor(turn, turn.job(leader));
    return new Reply.Submitted(leader, notices);
  }

  /**
   * What sbatch(1) sends waits for others to come; for salloc(1) and srun(1) somebody is waiting.
   */
  private static void requestPassFor(Turn turn, Job job) {
    if (job.batch().batch() || job.request().external()) {
      turn.requestPass();
    } else {
      turn.requestPassAtOnce(false);
    }
  }

  /** A component, which keeps off the nodes that others insist on, so that they can all start. */
  private static JobSubmission component(List<JobSubmission> all, int index) {
    JobSubmission component = all.get(index);
    TreeMap<String, String> options = new TreeMap<>(component.options());
    for (JobSubmission other : all) {
      String nodes = other.options().getOrDefault("nodelist", "");
      if (other != component && !nodes.isEmpty()) {
        options.merge("exclude", nodes, (own, more) -> own.isEmpty() ? more : own + "," + more);
      }
    }
    return component.withOptions(Immutable.sortedMap(options));
  }

  /** A submission that was read and would be accepted; nothing is changed. */
  SubmissionReader.Read read(Turn turn, Command.Submit command) {
    SubmissionReader reader = new SubmissionReader(turn.state(), turn.settings(), zone, turn.now());
    SubmissionReader.Read read = reader.read(command.submission(), command.by(), turn.nextJobId());
    Job job = read.job().withSimulatedRuntime(command.simulatedRuntime());
    AccountingFrequency.check(command.submission().options(), turn.state().config());
    boolean held = job.hold() != Hold.NONE;
    if (job.request().maxNodes() == 0 && !held) {
      throw new Refusal(
          new Reply.Refused(SlurmError.INVALID_NODE_COUNT, "\n--nodes=0: at least 1"), job);
    }
    Reply.Refused refused = admission.check(turn.state(), job, command.by());
    if (refused != null && held && OF_NODES.contains(refused.error())) {
      // Nodes are looked for when it is released.
      refused = null;
    }
    boolean waits = held || job.begin() != null || job.dependency() != null;
    if (refused == null && waits && command.submission().options().containsKey("immediate")) {
      throw new Refusal(
          new Reply.Refused(SlurmError.DEPENDENCY_PROBLEM, "\nit cannot start at once"), job);
    }
    if (refused != null) {
      throw new Refusal(refused, NEVER.contains(refused.error()) ? job : null);
    }
    job = job.withExpectedNodes(admission.expectedNodes(turn.state(), job));
    return new SubmissionReader.Read(job, read.script(), read.notices());
  }

  Reply hold(Turn turn, Command.HoldJobs command) {
    return EachTask.of(
        turn,
        command.by(),
        command.jobs(),
        SlurmError.INVALID_USER_ID,
        job -> holdOne(turn, command, job));
  }

  private static void holdOne(Turn turn, Command.HoldJobs command, Job job) {
    boolean byAdmin = turn.settings().isAdministrator(command.by()) && !command.byOwner();
    CrontabCommands.requireNone(job);
    if (job.state().isFinished()) {
      throw new Refusal(SlurmError.JOB_ALREADY_FINISHED);
    }
    if (job.hold() == Hold.ADMIN) {
      return;
    }
    boolean waits = job.state() == JobState.PENDING;
    // One that runs goes on, and is held should it come back to the queue.
    Job held =
        job.with(
            j ->
                j.hold(byAdmin ? Hold.ADMIN : Hold.USER)
                    .priority(0)
                    .eligible(waits ? null : job.eligible())
                    .planned(waits ? null : job.planned())
                    .reason(byAdmin ? Reason.JOB_HELD_ADMIN : Reason.JOB_HELD_USER)
                    .reasonText(waits ? "" : job.reasonText()));
    edit(turn, held, command.by(), "hold");
  }

  Reply release(Turn turn, Command.ReleaseJobs command) {
    Reply reply =
        EachTask.of(
            turn,
            command.by(),
            command.jobs(),
            SlurmError.INVALID_USER_ID,
            job -> releaseOne(turn, command, job));
    turn.requestPass();
    return reply;
  }

  private static void releaseOne(Turn turn, Command.ReleaseJobs command, Job job) {
    boolean task = job.array() != null && command.jobs().matches("[0-9]+");
    CrontabCommands.requireNone(job);
    if (job.state().isFinished()) {
      throw new Refusal(SlurmError.JOB_ALREADY_FINISHED);
    }
    if (job.state() != JobState.PENDING && job.hold() == Hold.NONE && !task) {
      throw new Refusal(SlurmError.JOB_NOT_PENDING);
    }
    if (job.hold() == Hold.ADMIN && !turn.settings().isAdministrator(command.by())) {
      throw new Refusal(
          SlurmError.ACCESS_DENIED, "\njob " + job.displayId() + " is held by an administrator");
    }
    if (job.hold() == Hold.NONE) {
      return;
    }
    EnumSet<JobFlag> flags = EnumSet.noneOf(JobFlag.class);
    flags.addAll(job.flags());
    flags.removeAll(Set.of(JobFlag.REQUEUE_HOLD, JobFlag.SPECIAL_EXIT));
    // As in Slurm the time of its hold does not count for its age.
    Instant begin = job.begin();
    boolean later = begin != null && begin.isAfter(turn.now());
    boolean waits = later || job.dependency() != null || job.state() != JobState.PENDING;
    Job released =
        job.with(
            j ->
                j.hold(Hold.NONE)
                    .priority(1)
                    .flags(flags)
                    .eligible(waits ? job.eligible() : turn.now())
                    .reason(Reason.NONE)
                    .reasonText(""));
    edit(turn, Weights.anew(turn, released), command.by(), "release");
  }

  Reply requeue(Turn turn, Command.RequeueJobs command) {
    requireWhole(JobSelector.select(turn, command.jobs()));
    return EachTask.of(
        turn,
        command.by(),
        command.jobs(),
        SlurmError.ACCESS_DENIED,
        job -> requeueOne(turn, command, job));
  }

  private void requeueOne(Turn turn, Command.RequeueJobs command, Job job) {
    boolean begun = job.state() != JobState.PENDING && !job.state().isFinished();
    if (command.incomplete() && !begun) {
      return;
    }
    if (!job.requeue()) {
      throw new Refusal(SlurmError.DISABLED, "\njob " + job.displayId() + " has Requeue=0");
    }
    if (!job.batch().batch()) {
      throw new Refusal(SlurmError.BATCH_ONLY, "\njob " + job.displayId() + " has no script");
    }
    if (job.state() == JobState.PENDING) {
      throw new Refusal(SlurmError.JOB_PENDING, "\njob " + job.displayId());
    }
    edit(turn, job, command.by(), command.hold() ? "requeuehold" : "requeue");
    Reason reason = command.hold() ? Reason.JOB_HELD_USER : Reason.BEGIN_TIME;
    runs.requeue(turn, job, reason, command.hold(), "DUE TO JOB REQUEUE");
    if (command.hold()) {
      Job held = turn.job(job.id());
      EnumSet<JobFlag> flags = EnumSet.noneOf(JobFlag.class);
      flags.addAll(held.flags());
      if (command.special()) {
        flags.add(JobFlag.SPECIAL_EXIT);
      }
      edit(
          turn,
          held.with(j -> j.flags(flags).reasonText("job requeued in held state")),
          command.by(),
          "requeuehold");
    }
  }

  Reply cancel(Turn turn, Command.CancelJobs command) {
    int signal = command.signal().isEmpty() ? SIGKILL : Signals.number(command.signal());
    if (signal < 0) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Unknown job signal: " + command.signal() + "\nsignals are names such as USR1, or 1-64");
    }
    if (command.filters().containsKey("admin-comment")
        && !turn.settings().isAdministrator(command.by())) {
      throw new Refusal(SlurmError.INVALID_USER_ID, "\n--admin-comment is for administrators");
    }
    List<JobSelector.Target> targets = CancelFilter.select(turn, command);
    List<String> notices = new ArrayList<>();
    Refusal lastRefusal = null;
    int done = 0;
    for (JobSelector.Target target : targets) {
      try {
        requireOwner(turn, target.job(), command.by(), SlurmError.ACCESS_DENIED);
        cancelOne(turn, command, target, signal);
        done++;
      } catch (Refusal e) {
        lastRefusal = e;
        notices.add(
            "error: Kill job error on job id "
                + target.job().displayId()
                + ": "
                + e.reply().error().text());
      }
    }
    if (lastRefusal != null && done == 0) {
      throw targets.size() == 1 && !command.jobs().isEmpty()
          ? lastRefusal
          : new Refusal(lastRefusal.reply().error(), String.join("\n", notices));
    }
    turn.requestPass();
    return new Reply.Done(notices);
  }

  private void cancelOne(
      Turn turn, Command.CancelJobs command, JobSelector.Target target, int signal) {
    if (target.isPart() && target.job().state() == JobState.PENDING) {
      throw new Refusal(SlurmError.NOT_WHOLE_HET_JOB);
    }
    cancelWhole(turn, command, target, signal);
  }

  private void cancelWhole(
      Turn turn, Command.CancelJobs command, JobSelector.Target target, int signal) {
    if (target.job().state().isFinished()) {
      throw new Refusal(SlurmError.JOB_FINISHED);
    }
    String comment = command.filters().get("admin-comment");
    if (comment != null) {
      edit(
          turn,
          turn.job(target.job().id()).withAdminComment(comment),
          command.by(),
          "admincomment=" + comment);
    }
    CrontabCommands.cancelled(turn, target.job(), command);
    boolean batch = command.filters().containsKey("batch");
    boolean pending = target.job().state() == JobState.PENDING;
    if (signal != SIGKILL || (batch && !pending)) {
      Job job = turn.job(target.job().id());
      if (pending) {
        throw new Refusal(SlurmError.TRY_AGAIN);
      }
      if (job.allocation() == null) {
        throw new Refusal(SlurmError.JOB_NOT_RUNNING);
      }
      signal(turn, command, job, job.allocation(), signal);
      return;
    }
    Job record = turn.job(target.job().id());
    ArrayInfo array = record.array();
    IndexSet tasks = target.tasks();
    if (tasks != null && array != null && !array.waiting().andNot(tasks).isEmpty()) {
      // Some of the waiting tasks of an array: they are no longer among them, and nothing more.
      edit(turn, record.withArray(array.cancelled(tasks)), command.by(), "cancel");
      return;
    }
    for (Job job : List.of(record)) {
      if (job.state().isFinished()) {
        // The leader of a heterogeneous job has taken it along.
        continue;
      }
      edit(turn, job, command.by(), "cancel");
      if (job.state() != JobState.PENDING) {
        runs.cancel(turn, job, command.by().uid());
      } else {
        turn.emit(
            new Event.JobEnded(
                turn.now(), job.id(), JobState.CANCELLED, job.reason(), command.by().uid()));
      }
    }
  }

  /**
   * scancel(1), {@code --signal}: the steps get it; with {@code --batch} the batch script alone,
   * with {@code --full} all there is of the job.
   */
  private void signal(
      Turn turn, Command.CancelJobs command, Job job, Allocation allocation, int signal) {
    boolean batch = command.filters().containsKey("batch");
    if (batch || command.filters().containsKey("full")) {
      for (NodeShare share :
          job.request().external() ? List.<NodeShare>of() : allocation.shares()) {
        turn.effect(new Effect.Signal(share.node(), job.id(), job.restarts(), signal, batch));
      }
    } else {
      runs.signalSteps(turn, job, signal);
    }
    EnumSet<JobFlag> flags = EnumSet.noneOf(JobFlag.class);
    flags.addAll(job.flags());
    boolean changes =
        signal == SIGSTOP
            ? flags.add(JobFlag.STOPPED)
            : signal == SIGCONT && flags.remove(JobFlag.STOPPED);
    if (changes) {
      edit(turn, job.withFlags(flags), command.by(), "signal");
    }
  }

  /** What concerns a heterogeneous job as a whole is asked of its leader. */
  static void requireWhole(List<JobSelector.Target> targets) {
    for (JobSelector.Target target : targets) {
      if (target.isPart()) {
        throw new Refusal(SlurmError.NOT_HET_JOB_LEADER, "\njob " + target.job().displayId());
      }
    }
  }

  /** An interactive job has done what it was for. */
  Reply complete(Turn turn, Command.CompleteJob command) {
    Job job = JobSelector.selectOne(turn, command.job()).getFirst().job();
    requireOwner(turn, job, command.by(), SlurmError.ACCESS_DENIED);
    if (job.state() != JobState.RUNNING) {
      throw new Refusal(SlurmError.JOB_FINISHED);
    }
    runs.scriptEnded(turn, job, command.exit());
    return new Reply.Done(List.of());
  }

  /** Makes chosen tasks of an array records of their own. */
  static List<Job> own(Turn turn, JobSelector.Target target) {
    if (target.tasks() == null) {
      return List.of(turn.job(target.job().id()));
    }
    return target.tasks().stream()
        .mapToObj(task -> turn.job(split(turn, target.job().id(), task)))
        .toList();
  }

  /** Makes one waiting task a record of its own; the last one keeps the record of the array. */
  static int split(Turn turn, int record, int task) {
    ArrayInfo array = turn.job(record).array();
    boolean last = array != null && array.waiting().size() == 1;
    int id = last ? record : turn.nextJobId();
    turn.emit(new Event.ArrayTaskSplit(turn.now(), record, task, id));
    return id;
  }

  static void requireOwner(Turn turn, Job job, Identity by, SlurmError denied) {
    boolean owner = by.uid() == job.owner().uid() && by.user().equals(job.owner().user());
    if (!owner && !turn.settings().isAdministrator(by)) {
      throw new Refusal(
          denied,
          "\njob " + job.displayId() + " belongs to " + job.owner().user() + ", not " + by.user());
    }
  }

  static void edit(Turn turn, Job job, Identity by, String change) {
    turn.emit(new Event.JobEdited(turn.now(), job, by.user(), change));
  }
}
