package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * PrologSlurmctld and EpilogSlurmctld (slurm.conf(5)): a run begins when the first is over, and is
 * completing until the second is. A job whose prolog fails goes back to the queue or ends; how an
 * epilog ended is told in the log alone.
 */
final class ControllerPrograms {
  private final StepBook book;
  private final Set<Command.RunningJob> preparing = new HashSet<>();
  private final Set<Command.RunningJob> finishing = new HashSet<>();

  ControllerPrograms(StepBook book) {
    this.book = book;
  }

  /**
   * Begins PrologSlurmctld of a run that has started.
   *
   * @return whether there is one, so that the run waits for it
   */
  boolean prepare(Turn turn, Job job) {
    return begin(turn, job, false, preparing);
  }

  /** Begins it again where it was at work when the controller ended. */
  void prepareAgain(Turn turn) {
    for (Job job : turn.state().jobs().values()) {
      if (job.state() == JobState.RUNNING && job.has(JobFlag.CONFIGURING)) {
        prepare(turn, job);
      }
    }
  }

  /** Begins EpilogSlurmctld of a run that is completing. */
  void finish(Turn turn, Job job) {
    begin(turn, job, true, finishing);
  }

  boolean isPreparing(Job job) {
    return preparing.contains(run(job));
  }

  boolean isFinishing(Job job) {
    return finishing.contains(run(job));
  }

  private static Command.RunningJob run(Job job) {
    return new Command.RunningJob(job.id(), Runs.presentRun(job));
  }

  private static boolean begin(Turn turn, Job job, boolean epilog, Set<Command.RunningJob> atWork) {
    Settings settings = turn.settings();
    List<String> programs = epilog ? settings.epilog() : settings.prolog();
    if (programs.isEmpty()) {
      return false;
    }
    if (atWork.add(run(job))) {
      turn.effect(
          new Effect.ControllerScript(
              job,
              run(job).restarts(),
              epilog,
              turn.state().config().clusterName(),
              programs,
              epilog ? settings.epilogTimeout() : settings.prologTimeout()));
    }
    return true;
  }

  /** Nothing is known any more of what is at work. */
  void forget() {
    preparing.clear();
    finishing.clear();
  }

  Reply ended(Turn turn, Command.ControllerScriptEnded report, Runs runs) {
    (report.epilog() ? finishing : preparing)
        .remove(new Command.RunningJob(report.jobId(), report.restarts()));
    Job job = turn.state().job(report.jobId());
    if (job != null && Runs.presentRun(job) == report.restarts()) {
      if (report.epilog()) {
        runs.settle(turn, job);
      } else if (job.state() == JobState.RUNNING && job.has(JobFlag.CONFIGURING)) {
        prologEnded(turn, job, report.well(), runs);
      }
    }
    return new Reply.Done(List.of());
  }

  private void prologEnded(Turn turn, Job job, boolean well, Runs runs) {
    if (well) {
      if (!PowerSaving.mustWake(turn.state(), job)) {
        Set<JobFlag> flags = new HashSet<>(job.flags());
        flags.remove(JobFlag.CONFIGURING);
        Job ready = job.withFlags(flags);
        turn.emit(new Event.JobEdited(turn.now(), ready, "slurm", "PrologSlurmctld is over"));
        Runs.launch(turn, turn.job(job.id()));
      }
      return;
    }
    List<Job> components = Runs.components(turn.state(), job);
    Job leader = components.getFirst();
    if (leader.batch().batch() && leader.requeue()) {
      for (Job component : components) {
        if (component.state() == JobState.RUNNING) {
          runs.requeue(turn, component, Reason.BEGIN_TIME, false, null);
        }
      }
    } else {
      book.tell(job.id(), "PrologSlurmctld failed, job killed");
      runs.cancel(turn, leader, 0);
    }
  }
}
