package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * When srun ends the tasks of a step that are left: WaitTime and KillOnBadExit of slurm.conf(5), or
 * the options in their place.
 *
 * @param waitSeconds how long after the first task has ended; 0 for never
 * @param onBadExit whether as soon as one fails
 * @param killWaitSeconds how long they have between SIGTERM and SIGKILL (KillWait)
 */
record StepEnds(long waitSeconds, boolean onBadExit, long killWaitSeconds) {
  private static final String WAIT = "wait";
  private static final String KILL = "kill-on-bad-exit";
  private static final long KILL_WAIT = 30;

  /** How long Slurm gives an aborted step beside KillWait. */
  private static final long ABORT_SECONDS = 2;

  static StepEnds of(SchedulerClient client, Map<String, String> options) throws CommandFailure {
    SortedMap<String, String> config;
    try {
      config = client.config();
    } catch (ClientException e) {
      throw Submissions.failure("srun", e, "srun: error: ");
    }
    long wait =
        options.containsKey(WAIT) ? number(options.get(WAIT), 0) : of(config, "WaitTime", 0);
    String kill = options.get(KILL);
    boolean kills = kill == null ? of(config, "KillOnBadExit", 0) != 0 : !kill.equals("0");
    return new StepEnds(wait, kills, of(config, "KillWait", KILL_WAIT));
  }

  private static long of(SortedMap<String, String> config, String key, long otherwise) {
    return number(config.get(key), otherwise);
  }

  /** A number with what unit may follow it. */
  private static long number(@Nullable String text, long otherwise) {
    String digits = text == null ? "" : text.strip().replaceFirst("[^0-9].*", "");
    return digits.matches("[0-9]{1,9}") ? Long.parseLong(digits) : otherwise;
  }

  /** How long srun waits at most for the end of a step that it has aborted. */
  long abortSeconds() {
    return killWaitSeconds + ABORT_SECONDS;
  }
}
