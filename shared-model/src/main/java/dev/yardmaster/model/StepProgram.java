package dev.yardmaster.model;

import java.util.List;
import java.util.SortedMap;

/**
 * What the tasks of a step run, and where their standard streams are.
 *
 * @param arguments the command and its arguments
 * @param host where srun listens for the nodes
 * @param key a secret that a node shows when it connects
 */
public record StepProgram(
    List<String> arguments,
    SortedMap<String, String> environment,
    String workDir,
    String host,
    int port,
    String key) {
  public StepProgram {
    arguments = List.copyOf(arguments);
    environment = Immutable.sortedMap(environment);
  }

  /** Without the secret and the environment. */
  @Override
  public String toString() {
    return "StepProgram" + arguments;
  }
}
