package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.Suspension;
import java.util.List;

/**
 * Stops running jobs and lets them go on. As scontrol(1) says, what an operator suspends gives its
 * CPUs to others and keeps its memory and devices; resumed, it shares its CPUs with whoever has
 * them by then.
 */
final class Suspensions {
  private static final int SIGCONT = 18;

  Reply suspend(Turn turn, Command.SuspendJobs command) {
    List<JobSelector.Target> targets = JobSelector.select(turn, command.jobs());
    JobCommands.requireWhole(targets);
    List<Job> jobs = targets.stream().map(JobSelector.Target::job).toList();
    for (Job job : jobs) {
      requirePrivilege(turn, job, command.by());
      requireState(job, command.resume());
    }
    for (Job job : jobs) {
      JobCommands.edit(turn, job, command.by(), command.resume() ? "resume" : "suspend");
      if (command.resume()) {
        resume(turn, job);
      } else if (job.state() == JobState.RUNNING) {
        suspend(turn, job, Suspension.Cause.OPERATOR, 0);
      } else {
        // The gang scheduler has stopped it; from now on it waits for the operator.
        resume(turn, job);
        suspend(turn, turn.job(job.id()), Suspension.Cause.OPERATOR, 0);
      }
    }
    turn.requestPass();
    return new Reply.Done(List.of());
  }

  /**
   * A privileged user or a coordinator of the job's account may suspend (scontrol(1)), and in fact
   * its owner as well.
   */
  private static void requirePrivilege(Turn turn, Job job, Identity by) {
    if (by.uid() == job.owner().uid() && by.user().equals(job.owner().user())) {
      return;
    }
    AccountUser user = turn.state().accounting().users().get(by.user());
    Account account = turn.state().accounting().accounts().get(job.owner().account());
    boolean operator = user != null && user.adminLevel() != AccountUser.AdminLevel.NONE;
    boolean coordinator = account != null && account.coordinators().contains(by.user());
    if (!operator && !coordinator && !turn.settings().isAdministrator(by)) {
      throw new Refusal(
          SlurmError.ACCESS_DENIED,
          "\nonly its owner, an operator or a coordinator of its account may suspend job "
              + job.displayId());
    }
  }

  private static void requireState(Job job, boolean resume) {
    if (job.state().isFinished() || job.has(JobFlag.COMPLETING)) {
      throw new Refusal(SlurmError.JOB_FINISHED);
    }
    if (job.state() == JobState.PENDING) {
      throw new Refusal(SlurmError.JOB_PENDING);
    }
    if (resume && job.state() != JobState.SUSPENDED) {
      throw new Refusal(SlurmError.JOB_NOT_SUSPENDED);
    }
    if (!resume && job.lendsCpus()) {
      throw new Refusal(SlurmError.JOB_NOT_RUNNING);
    }
  }

  /**
   * Stops a running job.
   *
   * @param by the job that gets its cores; 0 for none
   */
  static void suspend(Turn turn, Job job, Suspension.Cause cause, int by) {
    turn.emit(new Event.JobSuspended(turn.now(), job.id(), job.restarts(), cause, by));
    Allocation allocation = job.allocation();
    for (NodeShare share : allocation == null ? List.<NodeShare>of() : allocation.shares()) {
      turn.effect(
          new Effect.Pause(
              share.node(), job.id(), job.restarts(), turn.settings().suspendGraceSeconds()));
    }
  }

  /** Lets a suspended job go on. */
  static void resume(Turn turn, Job job) {
    turn.emit(new Event.JobResumed(turn.now(), job.id(), job.restarts()));
    Allocation allocation = job.allocation();
    for (NodeShare share : allocation == null ? List.<NodeShare>of() : allocation.shares()) {
      turn.effect(new Effect.Signal(share.node(), job.id(), job.restarts(), SIGCONT, false));
    }
  }
}
