package dev.yardmaster.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The fields of {@code scontrol update node}, which may be shortened as Slurm allows. */
final class NodeFields {
  private record Field(String name, int least, String canonical) {
    Field(String name, int least) {
      this(name, least, name);
    }
  }

  /** In the order in which Slurm compares. */
  private static final List<Field> FIELDS =
      List.of(
          new Field("nodeaddr", 5),
          new Field("nodehostname", 5),
          new Field("activefeatures", 3),
          new Field("certtoken", 1),
          new Field("cpubind", 7),
          new Field("extra", 1),
          new Field("features", 1, "availablefeatures"),
          new Field("availablefeatures", 3),
          new Field("gres", 1),
          new Field("instanceid", 9),
          new Field("instancetype", 9),
          new Field("weight", 1),
          new Field("comment", 2),
          new Field("reason", 1),
          new Field("resumeafter", 1),
          new Field("state", 1),
          new Field("topology", 4));

  /** What CpuBind may be; tasks are not bound by it here. */
  private static final Set<String> BINDINGS =
      Set.of(
          "no", "none", "socket", "sockets", "ldom", "ldoms", "core", "cores", "thread", "threads",
          "off");

  private static final List<String> STATES =
      List.of(
          "noresp",
          "cancel_reboot",
          "drain",
          "fail",
          "future",
          "resume",
          "power_down_asap",
          "power_down_force",
          "power_down",
          "power_up",
          "undrain",
          "unknown",
          "down",
          "idle",
          "allocated",
          "error",
          "mixed");

  private NodeFields() {}

  /** The fields under their full names, with checked values. */
  static Map<String, String> of(Map<String, String> given) throws CommandFailure {
    Map<String, String> fields = new LinkedHashMap<>();
    for (Map.Entry<String, String> entry : given.entrySet()) {
      String key = entry.getKey();
      String value = entry.getValue();
      Field field =
          FIELDS.stream()
              .filter(f -> Scontrol.is(key, f.name(), f.least()))
              .findFirst()
              .orElseThrow(
                  () ->
                      new CommandFailure(
                          1,
                          "Update of this parameter is not supported: " + key + "=" + value,
                          "Request aborted"));
      switch (field.canonical()) {
        case "weight" -> {
          requireNumber(key, value, "Weight");
          fields.put("weight", value);
        }
        case "resumeafter" -> {
          if (!value.equals("-1") && !value.equalsIgnoreCase("INFINITE")) {
            requireNumber(key, value, "ResumeAfter");
          }
          fields.put("resumeafter", value);
        }
        case "cpubind" -> {
          if (!isBinding(value)) {
            throw new CommandFailure(1, "scontrol: error: Invalid input " + key + "=" + value);
          }
          fields.put("cpubind", value);
        }
        // Nobody needs the token here, so it does not leave this process.
        case "certtoken" -> fields.put("certtoken", "");
        case "state" -> fields.put("state", state(key, value));
        default -> fields.put(field.canonical(), value);
      }
    }
    return fields;
  }

  /** One unit at most, and whether it is told of; an empty value takes nothing back. */
  private static boolean isBinding(String value) {
    boolean one = false;
    for (String word : value.toLowerCase(Locale.ROOT).split("[,;]+", -1)) {
      if (BINDINGS.contains(word)) {
        if (one) {
          return false;
        }
        one = true;
      } else if (!word.isEmpty() && !word.equals("v") && !word.equals("verbose")) {
        return false;
      }
    }
    return true;
  }

  private static void requireNumber(String key, String value, String name) throws CommandFailure {
    if (!value.matches("[0-9]{1,10}")) {
      throw new CommandFailure(
          1, "scontrol: error: Invalid value " + key + "=" + value + " for " + name);
    }
  }

  private static String state(String key, String value) throws CommandFailure {
    String word = value.toLowerCase(Locale.ROOT);
    for (String known : STATES) {
      int least = known.startsWith("power_down_") ? 12 : known.startsWith("power_") ? 7 : 3;
      if (Scontrol.is(word, known, least)) {
        return known.toUpperCase(Locale.ROOT);
      }
    }
    throw new CommandFailure(
        1,
        List.of(
            "Invalid input: " + key + "=" + value,
            "Request aborted",
            "Valid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP UNDRAIN",
            "Not all states are valid given a node's prior state"));
  }
}
