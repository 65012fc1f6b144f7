package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.JobId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads dependencies and checks that what they wait for exists, where its outcome matters: a job
 * that is not known, or not any more, is over for all others (sbatch(1), --dependency).
 */
final class Dependencies {
  private Dependencies() {}

  /**
   * @param self the job that will wait, or -1 for one that has no id yet
   * @throws Refusal as Slurm, when the text is wrong or a job it names is not known
   */
  static Dependency read(String text, ClusterState state, int self) {
    Dependency dependency;
    try {
      dependency = Dependency.parse(text);
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.DEPENDENCY_PROBLEM, "\n--dependency: " + e.getMessage());
    }
    for (Dependency.Term term : dependency.terms()) {
      if (term.type() == Dependency.Type.EXPAND) {
        throw new Refusal(SlurmError.NOT_SUPPORTED, "\n--dependency=expand is not supported");
      }
      JobId target = term.target();
      boolean outcome =
          term.type() == Dependency.Type.AFTEROK || term.type() == Dependency.Type.AFTERNOTOK;
      if (target != null && (target.job() == self || outcome && !isKnown(target, state))) {
        throw new Refusal(
            SlurmError.DEPENDENCY_PROBLEM,
            "\n--dependency="
                + text
                + (target.job() == self
                    ? ": a job cannot wait for itself"
                    : ": there is no job " + target));
      }
    }
    if (self > 0 && waitsFor(dependency, self, state, new HashSet<>())) {
      throw new Refusal(
          SlurmError.CIRCULAR_DEPENDENCY, "\n--dependency=" + text + ": that waits for " + self);
    }
    return new Dependency(
        dependency.any(), dependency.terms().stream().map(term -> ofArray(term, state)).toList());
  }

  /** Whether what a job is to wait for waits, by whatever way, for the job. */
  private static boolean waitsFor(
      Dependency dependency, long self, ClusterState state, Set<Long> seen) {
    for (Dependency.Term term : dependency.terms()) {
      JobId target = term.target();
      if (target == null || !seen.add(target.job())) {
        continue;
      }
      for (Job job : records(target.job(), state)) {
        Dependency further = job.state() == JobState.PENDING ? job.dependency() : null;
        if (target.job() == self || further != null && waitsFor(further, self, state, seen)) {
          return true;
        }
      }
    }
    return false;
  }

  /** A job, or all that there is of an array. */
  private static List<Job> records(long id, ClusterState state) {
    return state.jobs().values().stream()
        .filter(job -> job.id() == id || job.array() != null && job.array().arrayJobId() == id)
        .toList();
  }

  /** An array is named as such, whole where no task of it is. */
  private static Dependency.Term ofArray(Dependency.Term term, ClusterState state) {
    JobId target = term.target();
    Job job = target == null ? null : state.job((int) target.job());
    JobId whole =
        target != null
                && target.task() == JobId.NO_TASK
                && job != null
                && job.array() != null
                && job.array().arrayJobId() == target.job()
            ? JobId.of(target.job(), JobId.ALL_TASKS)
            : target;
    return new Dependency.Term(term.type(), whole, term.delayMinutes(), null);
  }

  private static boolean isKnown(JobId target, ClusterState state) {
    Job job = target.job() > Integer.MAX_VALUE ? null : state.job((int) target.job());
    if (job == null || target.task() == JobId.NO_TASK) {
      return job != null;
    }
    return state.jobs().values().stream()
        .map(Job::array)
        .anyMatch(a -> a != null && a.arrayJobId() == target.job() && hasTask(a, target.task()));
  }

  private static boolean hasTask(ArrayInfo array, long task) {
    Integer own = array.taskId();
    return own == null ? array.waiting().contains((int) task) : own == task;
  }
}
