package dev.yardmaster.controller;

import dev.yardmaster.engine.ExpectedNodes;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * {@code scontrol update job}: all fields of a request are checked, and the changed job is checked
 * like a submission, before anything takes effect.
 */
final class JobUpdates {
  /** Fields of a job that has started which may still be changed. */
  private static final Set<String> ALWAYS =
      Set.of(
          "admincomment",
          "comment",
          "deadline",
          "endtime",
          "extra",
          "jobname",
          "mailtype",
          "mailuser",
          "name",
          "nice",
          "priority",
          "requeue",
          "sitefactor",
          "switches",
          "timelimit",
          "timemin",
          "wait-for-switch",
          "arraytaskthrottle",
          "wckey");

  /** What Slurm does not look at where the job no longer waits, though it be the same. */
  private static final Set<String> ONLY_WAITING =
      Set.of("dependency", "eligibletime", "features", "prefer", "starttime");

  private static final Set<String> MEMORY = Set.of("minmemorycpu", "minmemorynode");

  /** What a job asks of nodes that they no longer have. */
  private static final Set<SlurmError> OF_NODES =
      EnumSet.of(
          SlurmError.INVALID_FEATURE,
          SlurmError.INVALID_NODE_NAME,
          SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE,
          SlurmError.INVALID_NODE_COUNT);

  private final AdmissionCheck admission;
  private final ZoneId zone;

  JobUpdates(AdmissionCheck admission, ZoneId zone) {
    this.admission = admission;
    this.zone = zone;
  }

  /**
   * What a field's reader needs to know.
   *
   * @param administrator whether the sender may raise priorities and limits
   */
  record Context(
      ClusterState state, Settings settings, Instant now, ZoneId zone, boolean administrator) {}

  Reply update(Turn turn, Command.UpdateJob command) {
    Identity by = command.by();
    Lengths.checkFields(command.fields());
    Context context =
        new Context(
            turn.state(), turn.settings(), turn.now(), zone, turn.settings().isAdministrator(by));
    List<String> passedOver = new ArrayList<>();
    List<JobSelector.Target> targets = new ArrayList<>();
    Refusal last = null;
    for (JobSelector.Target target : JobSelector.select(turn, command.jobs())) {
      CrontabCommands.requireNone(target.job());
      JobCommands.requireOwner(turn, target.job(), by, SlurmError.INVALID_USER_ID);
      try {
        check(changed(target.job(), command.fields(), context), target.job(), turn, by);
        targets.add(target);
      } catch (Refusal e) {
        last = e;
        if (!isTooLate(target.job(), e)) {
          throw e;
        }
        passedOver.add(named(target.job()) + ": " + e.reply().error().text());
      }
    }
    if (targets.isEmpty() && last != null) {
      if (passedOver.size() == 1) {
        return new Reply.Done(passedOver); // of arrays it is said task by task
      }
      throw last;
    }
    String change =
        command.fields().entrySet().stream()
            .map(f -> f.getKey() + "=" + f.getValue())
            .collect(Collectors.joining(" "));
    for (JobSelector.Target target : targets) {
      for (Job job : JobCommands.own(turn, target)) {
        Job changed =
            ExpectedNodes.changed(turn.state(), job, changed(job, command.fields(), context));
        if (!changed.equals(job)) {
          JobCommands.edit(turn, shown(changed, turn), by, change);
          Shrinking.end(turn, job, changed);
        }
      }
    }
    turn.requestPass();
    return new Reply.Done(passedOver);
  }

  /** The tasks of an array are told by their numbers in brackets, also one alone. */
  private static String named(Job job) {
    ArrayInfo array = job.array();
    return array == null || array.taskId() == null
        ? job.displayId()
        : array.arrayJobId() + "_[" + array.taskId() + "]";
  }

  /** What is seen until a pass looks at the job: its new priority, and as in Slurm no reason. */
  private static Job shown(Job job, Turn turn) {
    Job shown = Weights.anew(turn, job);
    return job.state() != JobState.PENDING || job.hold() != Hold.NONE
        ? shown
        : shown.with(j -> j.reason(Reason.NONE).reasonText(""));
  }

  /** Tasks that have started already do not keep those of their array from a change that wait. */
  private static boolean isTooLate(Job job, Refusal e) {
    SlurmError error = e.reply().error();
    boolean grows = error == SlurmError.NOT_SUPPORTED && job.state() != JobState.PENDING;
    return job.array() != null
        && (grows
            || error == SlurmError.JOB_ALREADY_FINISHED
            || error == SlurmError.JOB_NOT_PENDING);
  }

  private Job changed(Job job, Map<String, String> fields, Context context) {
    Job changed = job;
    for (Map.Entry<String, String> field : fields.entrySet()) {
      String name = field.getKey();
      boolean nodes = name.equals("nodelist") || name.equals("reqnodelist");
      if (nodes && job.state() == JobState.RUNNING && field.getValue().isEmpty()) {
        throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + name + "= of a job that runs");
      }
      if (Shrinking.isOne(job, name)) {
        changed = Shrinking.changed(changed, name, field.getValue(), context);
      } else if (job.state() == JobState.RUNNING && MEMORY.contains(name)) {
        throw memoryOfRunning(context, name);
      } else if (job.state() != JobState.PENDING && !ALWAYS.contains(name)) {
        changed = unchangedOrRefused(changed, field, context);
      } else {
        changed = JobFields.apply(changed, name, field.getValue(), context);
      }
    }
    return billedAsBefore(changed, job);
  }

  /** Slurm weighs what a job asks for when it is submitted, and when that itself changes. */
  private static Job billedAsBefore(Job changed, Job job) {
    boolean same = ReqTres.of(changed.request()).equals(ReqTres.of(job.request()));
    if (job.state() != JobState.PENDING || same && changed.partition().equals(job.partition())) {
      return changed;
    }
    String before = job.batch().shown().getOrDefault(Job.BILLED_IN, job.partition());
    boolean other = same && !before.equals(changed.partition());
    return JobFields.shown(changed, Job.BILLED_IN, other ? before : "");
  }

  /** A field that only a pending job can change may be said again as it is. */
  private static Job unchangedOrRefused(Job job, Map.Entry<String, String> field, Context context) {
    if (ONLY_WAITING.contains(field.getKey())) {
      throw tooLate(job);
    }
    Job changed = JobFields.apply(job, field.getKey(), field.getValue(), context);
    boolean same =
        field.getKey().equals("partition")
            ? changed.partition().equals(job.partition())
            : changed.equals(job);
    if (!same) {
      throw tooLate(job);
    }
    return job;
  }

  private static Refusal tooLate(Job job) {
    return new Refusal(
        job.state().isFinished() ? SlurmError.JOB_ALREADY_FINISHED : SlurmError.JOB_NOT_PENDING,
        "\njob " + job.displayId() + " is " + job.state());
  }

  /**
   * Slurm lets go of memory of jobs that run with the step that PrologFlags=Contain makes for what
   * does not come by srun, and here jobs keep theirs to the end.
   */
  private static Refusal memoryOfRunning(Context context, String name) {
    String flags = context.state().config().setting("PrologFlags").orElse("");
    return flags.toLowerCase(Locale.ROOT).contains("contain")
        ? new Refusal(SlurmError.NOT_SUPPORTED, "\n" + name + ": a job that runs keeps its memory")
        : new Refusal(
            SlurmError.EXTERN_ONLY, "\n" + name + " of a job that runs needs PrologFlags=Contain");
  }

  private void check(Job changed, Job job, Turn turn, Identity by) {
    if (job.state().isFinished() && !changed.equals(job)) {
      return;
    }
    if (job.state() == JobState.PENDING) {
      long min = changed.timeMinMinutes();
      boolean limited = changed.timeLimitMinutes() != Partition.UNLIMITED;
      if (min != 0 && limited && min > changed.timeLimitMinutes()) {
        throw new Refusal(SlurmError.INVALID_TIME_MIN);
      }
      // As in Slurm a deadline that cannot be met any more is no fault of a change.
      Reply.Refused refused = admission.check(turn.state(), changed.withDeadline(null), by);
      if (refused != null && !(asksTheSame(changed, job) && wasSo(refused, job, turn, by))) {
        throw new Refusal(refused);
      }
    }
  }

  private static boolean asksTheSame(Job changed, Job job) {
    return changed.request().equals(job.request())
        && changed.partitions().equals(job.partitions())
        && changed.owner().equals(job.owner())
        && Objects.equals(changed.reservation(), job.reservation());
  }

  /** Whether it is no fault of the change: the nodes have changed since the job was submitted. */
  private boolean wasSo(Reply.Refused refused, Job job, Turn turn, Identity by) {
    if (!OF_NODES.contains(refused.error())) {
      return false;
    }
    Reply.Refused before = admission.check(turn.state(), job, by);
    return before != null && before.error() == refused.error();
  }
}
