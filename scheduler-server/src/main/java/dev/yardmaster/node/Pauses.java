package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** Keeps runs stopped: SIGTSTP, and SIGSTOP when their grace is over. Owned by its thread. */
final class Pauses {
  private static final Duration LOOK_AGAIN = Duration.ofMillis(100);

  /** How often a paused run is looked at again. */
  private static final int STOP_AGAIN = 4;

  private final ScheduledExecutorService thread;
  private final BiConsumer<Command.RunningJob, Integer> signal;
  private final Set<Command.RunningJob> paused = new HashSet<>();

  /**
   * @param signal sends a signal to all that a run has
   */
  Pauses(ScheduledExecutorService thread, BiConsumer<Command.RunningJob, Integer> signal) {
    this.thread = thread;
    this.signal = signal;
  }

  void pause(Command.RunningJob run, Effect.Pause pause) {
    paused.add(run);
    signal.accept(run, Processes.SIGTSTP);
    thread.schedule(() -> stop(run, 0), pause.graceSeconds(), TimeUnit.SECONDS);
  }

  /** It may go on. */
  void end(Command.RunningJob run) {
    paused.remove(run);
  }

  /** Stops what a paused run has; a little later again, for what was just being started. */
  private void stop(Command.RunningJob run, int times) {
    if (!paused.contains(run)) {
      return;
    }
    signal.accept(run, Processes.SIGSTOP);
    if (times < STOP_AGAIN) {
      thread.schedule(
          () -> stop(run, times + 1), LOOK_AGAIN.toMillis() << times, TimeUnit.MILLISECONDS);
    }
  }
}
