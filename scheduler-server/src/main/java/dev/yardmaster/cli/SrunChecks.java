package dev.yardmaster.cli;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What srun finds wrong by itself before it asks anybody. */
final class SrunChecks {
  private static final Set<String> MPI = Set.of("none", "pmi2", "pmix");
  private static final Set<String> CPU_BIND =
      Set.of(
          "q",
          "quiet",
          "v",
          "verbose",
          "none",
          "no",
          "rank",
          "sockets",
          "cores",
          "threads",
          "ldoms",
          "rank_ldom",
          "boards",
          "help");

  private SrunChecks() {}

  /** {@code --jobid} must be a number. */
  static void checkJobId(@Nullable String text) throws CommandFailure {
    if (text == null || text.matches("[0-9]*[1-9][0-9]*.*")) {
      return;
    }
    throw new CommandFailure(
        1, "srun: fatal: Bad job/step specified: " + text + ": " + JobIds.wrong(text));
  }

  static void check(Map<String, String> options, List<String> command, boolean inside)
      throws CommandFailure {
    String bind = options.get("cpu-bind");
    if (bind != null) {
      for (String word : bind.split("[,:]", -1)) {
        boolean list = word.matches("(?i)(map_cpu|mask_cpu|map_ldom|mask_ldom|map|mask)(=.*)?");
        if (!list && !bind.contains("_") && !CPU_BIND.contains(word)) {
          throw new CommandFailure(
              1,
              "srun: error: unrecognized --cpu-bind argument \"" + word + "\"",
              "srun: fatal: Failed to parse --cpu-bind= values.");
        }
      }
    }
    String mpi = options.get("mpi");
    if (mpi != null && !mpi.equals("list") && !MPI.contains(mpi)) {
      throw new CommandFailure(
          1,
          "srun: error: MPI: Cannot create context for mpi/" + mpi,
          "srun: error: MPI: Unable to load any plugin",
          "srun: error: Invalid MPI type '" + mpi + "', --mpi=list for acceptable types");
    }
    String pty = options.getOrDefault("pty", "");
    if (!pty.matches("[0-9]{0,9}")) {
      throw new CommandFailure(1, "srun: fatal: --pty=" + pty + " must be numeric file descriptor");
    }
    if (options.containsKey("no-allocate")) {
      throw new CommandFailure(
          1, "srun: --no-allocate: not available yet in this version of Yardmaster");
    }
    if (options.containsKey("het-group") && !inside) {
      throw new CommandFailure(
          1, "srun: error: --het-group expected to be used within an HetJob allocation");
    }
    if (options.containsKey("relative") && !inside) {
      throw new CommandFailure(
          1, "srun: fatal: --relative option invalid for job allocation request");
    }
    if (command.isEmpty()) {
      throw new CommandFailure(1, "srun: fatal: No command given to execute.");
    }
  }
}
