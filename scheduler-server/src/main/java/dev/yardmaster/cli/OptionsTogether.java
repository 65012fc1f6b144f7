package dev.yardmaster.cli;

import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Options of sbatch, salloc and srun that exclude each other, with the words of Slurm's commands.
 * Only what is given as an option counts; a variable of the environment gives way.
 */
final class OptionsTogether {
  /** What {@code --ntasks-per-gpu} leaves no room for, in the order in which it is looked for. */
  private static final List<String> TASKS_OTHERWISE =
      List.of("tres-per-task", "gpus-per-task", "gpus-per-socket", "ntasks-per-node");

  private OptionsTogether() {}

  /**
   * Checks the options of a job or of one component of it.
   *
   * @param options those of the command line and of the script
   */
  static void check(String program, Map<String, String> options) throws CommandFailure {
    Set<String> given = options.keySet();
    if (options.getOrDefault("gres", "").contains("gres/gpu") && given.contains("gpus-per-node")) {
      throw fatal(program, "--gpus-per-node and --gres=gpu are mutually exclusive.");
    }
    if (given.contains("ntasks-per-gpu")) {
      for (String other : TASKS_OTHERWISE) {
        if (given.contains(other)) {
          throw fatal(
              program,
              "--"
                  + other
                  + " is mutually exclusive with --ntasks-per-gpu and SLURM_NTASKS_PER_GPU");
        }
      }
    }
    if (given.contains("core-spec") && given.contains("thread-spec")) {
      throw fatal(program, "-S/--core-spec and --thred-spec options are mutually exclusive");
    }
    if (given.contains("exclusive") && given.contains("oversubscribe")) {
      throw fatal(program, "--exclusive and --oversubscribe options are mutually exclusive");
    }
    nodeList(program, options);
  }

  private static void nodeList(String program, Map<String, String> options) throws CommandFailure {
    String list = options.get("nodelist");
    if (list == null || list.isEmpty() || list.contains("{") || options.containsKey("nodes")) {
      return;
    }
    try {
      HostList.parse(list);
    } catch (NotationException e) {
      throw new CommandFailure(
          1,
          program + ": fatal: Invalid node list specified",
          Hint.of("--nodelist: " + e.getMessage()));
    }
  }

  private static CommandFailure fatal(String program, String text) {
    return new CommandFailure(1, program + ": fatal: " + text);
  }
}
