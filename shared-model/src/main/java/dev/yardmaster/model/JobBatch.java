package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.SortedMap;

/**
 * How a job is started, without its script and environment (those are kept apart as {@link
 * JobScript}, because lists of jobs never need them).
 *
 * @param batch true for sbatch; false for salloc and srun
 * @param command path of the script, empty for --wrap
 * @param submitLine the command line as typed
 * @param workDir working directory
 * @param stdoutPattern -o pattern with its % codes; empty for the default
 * @param openMode {@code a} append, {@code t} truncate, empty for the cluster's default
 * @param signal {@code --signal} as written; empty for none
 * @param killOnInvalidDep {@code yes} or {@code no} of --kill-on-invalid-dep; empty for the
 *     cluster's rule
 * @param shown options of sbatch(1) that decide nothing and are only shown, by name
 */
@RecordBuilder
public record JobBatch(
    boolean batch,
    String command,
    String submitLine,
    String workDir,
    String stdinPattern,
    String stdoutPattern,
    String stderrPattern,
    String openMode,
    String submitHost,
    String signal,
    String killOnInvalidDep,
    SortedMap<String, String> shown)
    implements JobBatchBuilder.With {
  /** Before its limit, where {@code --signal} does not say how long. */
  private static final int DEFAULT_WARN_SECONDS = 60;

  public JobBatch {
    shown = Immutable.sortedMap(shown);
  }

  /**
   * Whether it may run on nodes of reservations that get them back from it (sbatch(1), {@code
   * --signal=R:}).
   */
  public boolean yieldsToReservations() {
    int colon = signal.indexOf(':');
    return colon >= 0 && signal.substring(0, colon).contains("R");
  }

  /** How long before its end it is to get its signal; 0 when it asked for none. */
  public int warnSeconds() {
    int at = signal.indexOf('@');
    return signal.isEmpty()
        ? 0
        : at < 0 ? DEFAULT_WARN_SECONDS : Integer.parseInt(signal.substring(at + 1));
  }

  /**
   * Without a signal or options that are only shown, and with the cluster's rule for dependencies
   * that can never be met.
   */
  public JobBatch(
      boolean batch,
      String command,
      String submitLine,
      String workDir,
      String stdinPattern,
      String stdoutPattern,
      String stderrPattern,
      String openMode,
      String submitHost) {
    this(
        batch,
        command,
        submitLine,
        workDir,
        stdinPattern,
        stdoutPattern,
        stderrPattern,
        openMode,
        submitHost,
        "",
        "",
        Immutable.sortedMap());
  }
}
