package dev.yardmaster.cli;

import java.util.List;

/** One of Slurm's commands. */
@FunctionalInterface
interface Command {
  /**
   * Runs it.
   *
   * @param arguments without the command's name
   * @return the exit code
   */
  int run(List<String> arguments, Io io) throws CommandFailure;
}
