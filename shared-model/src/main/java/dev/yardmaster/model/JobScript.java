package dev.yardmaster.model;

import java.util.List;
import java.util.SortedMap;

/**
 * What a batch job executes: the script's text, its arguments, and the environment to start it
 * with.
 */
public record JobScript(
    String script, List<String> arguments, SortedMap<String, String> environment) {
  public JobScript {
    arguments = List.copyOf(arguments);
  }
}
