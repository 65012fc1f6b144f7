package dev.yardmaster.controller;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** How many bytes Slurm takes for what a submission says. */
final class Lengths {
  private static final int WORD = 1024;
  private static final int PATH = 4096;
  private static final int LIST = 128 * 1024;

  private static final Map<String, Integer> LONGEST = new TreeMap<>();

  static {
    for (String option :
        new String[] {
          "account",
          "comment",
          "extra",
          "constraint",
          "licenses",
          "mail-user",
          "mcs-label",
          "job-name",
          "network",
          "partition",
          "prefer",
          "qos",
          "reservation",
          "gres",
          "gpus",
          "gpus-per-node",
          "gpus-per-socket",
          "gpus-per-task",
          "cpus-per-gpu",
          "mem-per-gpu",
          "wckey"
        }) {
      LONGEST.put(option, WORD);
    }
    for (String option : new String[] {"error", "input", "output", "chdir"}) {
      LONGEST.put(option, PATH);
    }
    LONGEST.put("array", 4 * WORD);
    LONGEST.put("bb", 8 * WORD);
    LONGEST.put("dependency", LIST);
    LONGEST.put("mem-bind", LIST);
  }

  private Lengths() {}

  /**
   * Checks all options.
   *
   * @throws Refusal for the first that is too long, with its length and what is allowed
   */
  static void check(Options options) {
    LONGEST.forEach(
        (option, longest) -> {
          String value = options.get(option);
          if (value == null) {
            return;
          }
          int bytes = value.getBytes(StandardCharsets.UTF_8).length;
          if (bytes > longest) {
            throw new Refusal(
                SlurmError.PATHNAME_TOO_LONG,
                "\n--%s has %d bytes, at most %d are allowed".formatted(option, bytes, longest));
          }
        });
  }
}
