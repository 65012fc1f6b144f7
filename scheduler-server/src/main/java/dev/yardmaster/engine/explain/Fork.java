package dev.yardmaster.engine.explain;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.explain.Remedy.Lever;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Makes forks of a state with one thing changed, and the command that would change it. */
final class Fork {
  private final ClusterState state;
  private final Instant now;
  private final Job job;

  Fork(ClusterState state, Instant now, Job job) {
    this.state = state;
    this.now = now;
    this.job = job;
  }

  /**
   * The id that scontrol understands. The waiting tasks of an array of which others run or have
   * ended are named one by one: a change leaves those that run alone, and is not refused for those
   * that have ended.
   */
  String commandId() {
    ArrayInfo array = job.array();
    if (array == null || array.taskId() != null) {
      return job.displayId();
    }
    boolean others =
        state.jobs().values().stream()
            .anyMatch(
                other ->
                    other.id() != job.id()
                        && other.array() != null
                        && other.array().arrayJobId() == array.arrayJobId());
    return array.arrayJobId() + (others ? "_[" + array.waiting() + "]" : "");
  }

  /** A change of one field of the job. */
  Candidate job(
      Lever lever, String from, String to, String field, boolean byOwner, UnaryOperator<Job> edit) {
    String command = "scontrol update job=" + commandId() + " " + field + "=" + to;
    return with(lever, from, to, command, byOwner, edit);
  }

  /** A change of the job by another command. */
  Candidate with(
      Lever lever,
      String from,
      String to,
      String command,
      boolean byOwner,
      UnaryOperator<Job> edit) {
    Job changed = edit.apply(job).with(j -> j.reason(Reason.NONE).reasonText(""));
    ClusterState fork = state.apply(new Event.JobEdited(now, changed, "", lever.name()));
    return new Candidate(lever, from, to, fork, command, byOwner);
  }

  Candidate request(
      Lever lever, String from, String to, String field, UnaryOperator<JobRequest> edit) {
    return job(lever, from, to, field, true, j -> j.withRequest(edit.apply(j.request())));
  }

  Candidate partition(Lever lever, Partition changed, String from, String to, String field) {
    ClusterState fork = state.apply(new Event.PartitionChanged(now, changed, ""));
    String command = "scontrol update partition=" + changed.name() + " " + field + "=" + to;
    return new Candidate(lever, from, to, fork, command, false);
  }

  /** The end of other jobs. */
  Candidate without(List<Job> others) {
    ClusterState fork = state;
    boolean own = true;
    for (Job other : others) {
      fork =
          fork.apply(
                  new Event.JobCompleting(
                      now,
                      other.id(),
                      other.restarts(),
                      JobState.CANCELLED,
                      ExitCode.OK,
                      Reason.NONE))
              .apply(new Event.JobReleased(now, other.id(), other.restarts()));
      own &= other.owner().user().equals(job.owner().user());
    }
    String ids = others.stream().map(Job::displayId).collect(Collectors.joining(" "));
    return new Candidate(Lever.OTHER_JOB_ENDS, ids, ids, fork, "scancel " + ids, own);
  }

  static String time(long minutes) {
    return minutes < 0 ? "UNLIMITED" : TimeLimits.formatSqueue(60 * minutes);
  }

  /** Generic resources of a scope in the notation of the field that changes them. */
  static String gres(JobRequest request, GresRequest.Scope scope) {
    return request.gres().stream()
        .filter(g -> g.scope() == scope)
        .map(Fork::gres)
        .collect(Collectors.joining(","));
  }

  private static String gres(GresRequest g) {
    String prefix = g.scope() == GresRequest.Scope.NODE ? "" : "gres/";
    return prefix + (g.type() == null ? g.name() : g.name() + ":" + g.type()) + ":" + g.count();
  }

  /** The field of scontrol(1) that changes what is asked for in a scope. */
  static String gresField(GresRequest.Scope scope) {
    return switch (scope) {
      case NODE -> "gres";
      case JOB -> "tresperjob";
      case SOCKET -> "trespersocket";
      case TASK -> "trespertask";
    };
  }
}
