package dev.yardmaster.controller;

import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.HostList;

/**
 * {@code --distribution=arbitrary}: the list of nodes names the node of each task, so that a node
 * may stand in it several times (sbatch(1)).
 */
final class ArbitraryTasks {
  private ArbitraryTasks() {}

  /**
   * Checks what goes with it.
   *
   * @throws Refusal in the words of Slurm's client, or of the controller for a number of tasks that
   *     is not that of the names
   */
  static void check(Options options, HostList named) {
    if (options.has("nodes")) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE, "--nodes is incompatible with --distribution=arbitrary");
    }
    if (named.isEmpty()) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "With Arbitrary distribution you need to specify a nodelist or hostfile with the -w"
              + " option");
    }
    int tasks = options.count("ntasks", 1, (int) named.size());
    if (tasks != named.size()) {
      throw new Refusal(
          SlurmError.BAD_TASK_COUNT,
          "\n--nodelist names the nodes of "
              + named.size()
              + " tasks, and --ntasks="
              + tasks
              + " asks for others");
    }
  }
}
