package dev.yardmaster.controller;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeShare;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The signal that a job asked for some time before its limit (sbatch(1), {@code --signal}), so that
 * it can save its work; with PreemptParameters=send_user_signal also when it is preempted.
 */
final class UserSignals {
  private static final int DEFAULT_SECONDS = 60;
  private static final int SIGCONT = 18;

  private final StepBook steps;
  private final Set<Command.RunningJob> sent = new HashSet<>();

  UserSignals(StepBook steps) {
    this.steps = steps;
  }

  /**
   * What {@code --signal} says.
   *
   * @param batch whether the batch script itself gets it, rather than the steps
   * @param seconds how long before the limit
   */
  record Wish(boolean batch, int signal, int seconds) {
    static @Nullable Wish of(String text) {
      if (text.isEmpty() || !Signals.isOption(text)) {
        return null;
      }
      String[] timed = text.split("@", 2);
      int colon = timed[0].indexOf(':');
      String flags = colon < 0 ? "" : timed[0].substring(0, colon);
      int seconds = timed.length < 2 ? DEFAULT_SECONDS : Integer.parseInt(timed[1]);
      return new Wish(flags.contains("B"), Signals.number(timed[0].substring(colon + 1)), seconds);
    }
  }

  /**
   * When a running job is to get its signal before its limit; null when it asked for none, and for
   * one that must leave for another job.
   */
  static @Nullable Instant due(Job job) {
    Wish wish = Wish.of(job.batch().signal());
    Instant end = job.ended();
    return wish == null
            || end == null
            || job.state() != JobState.RUNNING
            || job.preemption() != null
        ? null
        : end.minusSeconds(wish.seconds());
  }

  /** Sends the signal when it is time, once in each run. */
  void fire(Turn turn, Job job) {
    Instant due = due(job);
    if (due != null && !due.isAfter(turn.now())) {
      send(turn, job);
    }
  }

  /**
   * Sends the signal that a job asked for, after a SIGCONT so that it is heard; false when it asked
   * for none or has got it.
   */
  boolean send(Turn turn, Job job) {
    Wish wish = Wish.of(job.batch().signal());
    Allocation allocation = job.allocation();
    if (wish == null
        || wish.signal() < 1
        || allocation == null
        || job.request().external()
        || !sent.add(new Command.RunningJob(job.id(), job.restarts()))) {
      return false;
    }
    if (wish.batch()) {
      NodeShare first = allocation.shares().getFirst();
      turn.effect(new Effect.Signal(first.node(), job.id(), job.restarts(), SIGCONT, true));
      turn.effect(new Effect.Signal(first.node(), job.id(), job.restarts(), wish.signal(), true));
      return true;
    }
    toSteps(turn, job, SIGCONT);
    toSteps(turn, job, wish.signal());
    return true;
  }

  /** Signals the steps of a job. As in Slurm its batch script is not told. */
  void toSteps(Turn turn, Job job, int signal) {
    List<JobStep> running = steps.of(job.id());
    for (JobStep step : running) {
      for (JobStep.OnNode node : step.layout()) {
        turn.effect(
            new Effect.SignalStep(node.node(), job.id(), job.restarts(), step.stepId(), signal, 0));
      }
    }
  }
}
