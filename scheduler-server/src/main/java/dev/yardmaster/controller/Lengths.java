package dev.yardmaster.controller;

import dev.yardmaster.model.SchedulingPolicy;
import dev.yardmaster.model.SlurmError;
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

  /** Fields of {@code scontrol update job} by the option that they are in a submission. */
  private static final Map<String, String> FIELDS =
      Map.ofEntries(
          Map.entry("account", "account"),
          Map.entry("admincomment", "comment"),
          Map.entry("comment", "comment"),
          Map.entry("dependency", "dependency"),
          Map.entry("features", "constraint"),
          Map.entry("gres", "gres"),
          Map.entry("jobname", "job-name"),
          Map.entry("licenses", "licenses"),
          Map.entry("name", "job-name"),
          Map.entry("partition", "partition"),
          Map.entry("qos", "qos"),
          Map.entry("reservation", "reservation"),
          Map.entry("reservationname", "reservation"),
          Map.entry("trespernode", "gres"),
          Map.entry("wckey", "wckey"));

  private static final long DEFAULT_SCRIPT = 4L << 20;

  private static final long DEFAULT_LINE = 1L << 20;

  private Lengths() {}

  /**
   * Checks a script (slurm.conf(5), SchedulerParameters: max_script_size).
   *
   * @throws Refusal when it is too long
   */
  static void checkScript(String script, SchedulingPolicy policy) {
    String text = policy.parameters().getOrDefault("max_script_size", "");
    long longest = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : DEFAULT_SCRIPT;
    // Counting bytes costs a copy; a character has no more than three.
    if (script.length() * 3L > longest
        && script.getBytes(StandardCharsets.UTF_8).length > longest) {
      throw new Refusal(
          SlurmError.PATHNAME_TOO_LONG,
          "\nthe script has more than "
              + longest
              + " bytes; max_script_size of SchedulerParameters says so");
    }
  }

  /**
   * Checks the line of a command that submits (slurm.conf(5), SchedulerParameters:
   * max_submit_line_size).
   *
   * @throws Refusal when it is too long
   */
  static void checkLine(String line, SchedulingPolicy policy) {
    String text = policy.parameters().getOrDefault("max_submit_line_size", "");
    long longest = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : DEFAULT_LINE;
    if (line.length() * 3L > longest && line.getBytes(StandardCharsets.UTF_8).length > longest) {
      throw new Refusal(
          SlurmError.PATHNAME_TOO_LONG,
          "\nthe command has more than "
              + longest
              + " bytes; max_submit_line_size of SchedulerParameters says so");
    }
  }

  /** The same for the fields of an update. */
  static void checkFields(Map<String, String> fields) {
    fields.forEach((field, value) -> check(field, FIELDS.getOrDefault(field, ""), value));
  }

  /**
   * Checks all options.
   *
   * @throws Refusal for the first that is too long, with its length and what is allowed
   */
  static void check(Options options) {
    LONGEST.forEach(
        (option, longest) -> {
          String value = options.get(option);
          if (value != null) {
            check("--" + option, option, value);
          }
        });
  }

  private static void check(String shown, String option, String value) {
    int longest = LONGEST.getOrDefault(option, Integer.MAX_VALUE);
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > longest) {
      throw new Refusal(
          SlurmError.PATHNAME_TOO_LONG,
          "\n%s has %d bytes, at most %d are allowed".formatted(shown, bytes, longest));
    }
  }
}
