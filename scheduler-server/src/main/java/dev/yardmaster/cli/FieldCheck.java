package dev.yardmaster.cli;

import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.MailTypes;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.ZoneId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that scontrol(1) itself looks at before it asks the controller: their names, which may
 * be cut short, and what it says of a wrong one.
 */
final class FieldCheck {
  /** Fields of a job that are a number. */
  private static final Map<String, String> JOB_NUMBERS = new LinkedHashMap<>();

  /** Fields of a job that are yes, no or a number. */
  private static final Map<String, String> JOB_SWITCHES =
      Map.of(
          "contiguous",
          "Contiguous",
          "oversubscribe",
          "OverSubscribe",
          "shared",
          "OverSubscribe",
          "reboot",
          "reboot");

  private static final Set<String> PARTITION_NUMBERS =
      Set.of(
          "PriorityJobFactor",
          "PriorityTier",
          "DefMemPerCPU",
          "DefMemPerNode",
          "MaxMemPerCPU",
          "MaxMemPerNode",
          "GraceTime");

  private static final Set<String> PARTITION_COUNTS =
      Set.of("MaxNodes", "MinNodes", "MaxCPUsPerNode", "MaxCPUsPerSocket");

  private static final Set<String> PARTITION_SWITCHES =
      Set.of(
          "Default",
          "DisableRootJobs",
          "ExclusiveUser",
          "Hidden",
          "LLN",
          "PowerDownOnIdle",
          "RootOnly",
          "ReqResv");

  /** Fields of a partition that the controller looks at. */
  private static final Set<String> PARTITION_OTHERS =
      Set.of(
          "allowaccounts",
          "allowgroups",
          "allowqos",
          "allocnodes",
          "alternate",
          "denyaccounts",
          "denyqos",
          "exclusivetopo",
          "jobdefaults",
          "nodes",
          "nodename",
          "node",
          "preemptmode",
          "priority",
          "qos",
          "topology",
          "tresbillingweights");

  /** Fields of a reservation that know += and -=. */
  private static final Set<String> SIGNED =
      Set.of(
          "accounts", "allowedpartitions", "flags", "groups", "users", "qos", "duration", "nodes");

  /** Fields of a reservation with the letters that each needs at least; 0 for all of them. */
  private static final Map<String, Integer> RESERVATION = new LinkedHashMap<>();

  static {
    for (String name :
        List.of(
            "Priority",
            "CPUsPerTask",
            "NumTasks",
            "Requeue",
            "ReqSockets",
            "ReqCores",
            "ReqThreads",
            "TasksPerNode",
            "MinCPUsNode",
            "MinMemoryNode",
            "MinMemoryCPU",
            "MinTmpDiskNode",
            "SegmentSize",
            "CoreSpec",
            "ThreadSpec",
            "wait-for-switch")) {
      JOB_NUMBERS.put(name.toLowerCase(Locale.ROOT), name);
    }
    RESERVATION.put("reservationname", 3);
    RESERVATION.put("reservation", 3);
    RESERVATION.put("skip", 2);
    RESERVATION.put("accounts", 1);
    RESERVATION.put("account", 1);
    RESERVATION.put("allowedpartitions", 2);
    RESERVATION.put("comment", 3);
    RESERVATION.put("flags", 2);
    RESERVATION.put("groups", 1);
    RESERVATION.put("users", 1);
    RESERVATION.put("qos", 1);
    RESERVATION.put("burstbuffer", 2);
    RESERVATION.put("starttime", 2);
    RESERVATION.put("endtime", 1);
    RESERVATION.put("duration", 1);
    RESERVATION.put("maxstartdelay", 2);
    RESERVATION.put("nodecnt", 5);
    RESERVATION.put("nodecount", 5);
    RESERVATION.put("corecnt", 5);
    RESERVATION.put("corecount", 5);
    RESERVATION.put("cpucnt", 5);
    RESERVATION.put("cpucount", 5);
    RESERVATION.put("nodes", 5);
    RESERVATION.put("features", 2);
    RESERVATION.put("licenses", 2);
    RESERVATION.put("partitionname", 1);
    RESERVATION.put("tres", 1);
    RESERVATION.put("trespernode", 5);
  }

  private FieldCheck() {}

  private static boolean isNumber(String value) {
    return value.matches("(?i)[0-9]{1,19}|INFINITE|UNLIMITED");
  }

  private static boolean isYesOrNo(String value) {
    return value.equalsIgnoreCase("yes") || value.equalsIgnoreCase("no");
  }

  private static CommandFailure error(String... lines) {
    return new CommandFailure(
        1, List.of(lines).stream().map(line -> "scontrol: error: " + line).toList());
  }

  /** A user beside the id of a job says nothing, and must be one all the same. */
  static void user(@Nullable String name, Machine machine) throws CommandFailure {
    if (name != null && !name.matches("[0-9]{1,10}") && !machine.hasUser(name)) {
      throw new CommandFailure(1, "Invalid UserID: " + name, "Request aborted");
    }
  }

  /** Checks the fields of an update of a job. */
  static void job(Map<String, String> fields, Instant now, ZoneId zone) throws CommandFailure {
    for (Map.Entry<String, String> field : Map.copyOf(fields).entrySet()) {
      String name = field.getKey();
      String value = field.getValue();
      String number = JOB_NUMBERS.get(name);
      String yes = JOB_SWITCHES.get(name);
      boolean none = name.endsWith("spec") && (value.equals("-1") || value.equals("*"));
      if (number != null && !none && !(isNumber(value) && fits(value))) {
        throw error("Invalid " + number + " value: " + value);
      }
      if (yes != null && !isYesOrNo(value) && !isNumber(value)) {
        throw error("Invalid " + yes + " value: " + value);
      }
      if (name.equals("mailtype") && MailTypes.parse(value) == null) {
        throw new CommandFailure(1, "Invalid MailType: " + value);
      }
      JobValues.check(fields, name, value);
      checkSegments(name, value);
      checkNodeCount(name, value);
      checkSpan(name, value);
      if (name.equals("endtime")
          || name.equals("deadline")
          || name.equals("starttime")
          || name.equals("eligibletime")) {
        checkTime(fields, name, value, now, zone);
        readByTheClockOf(zone, now, fields, name);
      }
    }
  }

  /** Numbers of jobs have 32 bits. */
  private static boolean fits(String value) {
    return !value.matches("[0-9]+") || value.length() < 11 && Long.parseLong(value) >> 32 == 0;
  }

  /**
   * A field that a job does not have is told as it was written.
   *
   * @param words the command line
   */
  static void known(Map<String, String> fields, List<String> words) throws CommandFailure {
    for (Map.Entry<String, String> field : fields.entrySet()) {
      String name = field.getKey();
      boolean alone = name.equals("resetaccruetime") && field.getValue().isEmpty();
      if (!alone && !JobFieldNames.isKnown(name)) {
        String written =
            words.stream()
                .filter(word -> word.toLowerCase(Locale.ROOT).startsWith(name + "="))
                .findFirst()
                .orElse(name + "=" + field.getValue());
        throw new CommandFailure(
            1, "Update of this parameter is not supported: " + written, "Request aborted");
      }
    }
  }

  /** As in Slurm what is no count of nodes is told of, and does not fail. */
  private static void checkNodeCount(String name, String value) throws CommandFailure {
    if (!name.equals("numnodes")) {
      return;
    }
    if (!value.matches("[0-9]+[kKmM]?(-[0-9]+[kKmM]?)?")) {
      throw new CommandFailure(0, "scontrol: error: \"" + value + "\" is not a valid node count");
    }
    if (value.matches("[0-9]{1,9}-[0-9]{1,9}")) {
      String[] ends = value.split("-");
      if (Integer.parseInt(ends[1]) < Integer.parseInt(ends[0])) {
        throw new CommandFailure(
            0,
            "scontrol: error: Maximum node count "
                + ends[1]
                + " is less than minimum node count "
                + ends[0]);
      }
    }
  }

  private static void checkSegments(String name, String value) throws CommandFailure {
    String label =
        switch (name) {
          case "spreadsegments" -> "SpreadSegments";
          case "consolidatesegments" -> "ConsolidateSegments";
          default -> null;
        };
    if (label != null && !value.toLowerCase(Locale.ROOT).matches("y(es?)?|no?")) {
      throw error("Invalid " + label + " value: " + value);
    }
  }

  private static void checkSpan(String name, String value) throws CommandFailure {
    String label =
        switch (name) {
          case "timelimit" -> "TimeLimit";
          case "timemin" -> "TimeMin";
          case "delayboot" -> "DelayBoot";
          default -> null;
        };
    if (label != null && isNoSpan(value.replaceFirst("^[+-]=?", ""))) {
      throw error("Invalid " + label + " value");
    }
  }

  private static boolean isNoSpan(String value) {
    try {
      TimeLimits.parseMinutes(value);
      return false;
    } catch (NotationException e) {
      return true;
    }
  }

  /** A time that cannot be read changes nothing. */
  private static void checkTime(
      Map<String, String> fields, String name, String value, Instant now, ZoneId zone)
      throws CommandFailure {
    String problem = problemOfTime(value, now, zone);
    if (problem != null && fields.size() == 1) {
      throw new CommandFailure(1, problem, "No changes specified");
    }
  }

  /**
   * A time as a moment, so that it means the same where the clock shows something else than the
   * user's.
   *
   * @param read what the text means there
   */
  static String absolute(String text, Instant read) {
    boolean elsewhereToo = text.strip().toLowerCase(Locale.ROOT).startsWith("now");
    return elsewhereToo ? text : "uts" + read.getEpochSecond();
  }

  /**
   * Fields with times are read by the clock of the user, one after the other, where they can be.
   */
  private static void readByTheClockOf(
      ZoneId zone, Instant now, Map<String, String> fields, String... names) {
    Instant before = null;
    for (String name : names) {
      String text = fields.get(name);
      if (text == null || problemOfTime(text, now, zone) != null) {
        continue;
      }
      Instant read =
          before == null
              ? Instants.parse(text, now, zone)
              : Instants.parseAfter(text, before, now, zone);
      fields.put(name, absolute(text, read));
      before = read;
    }
  }

  /** Slurm's words for a time that cannot be read; null for one that can. */
  private static @Nullable String problemOfTime(String value, Instant now, ZoneId zone) {
    try {
      Instants.parse(value, now, zone);
      return null;
    } catch (NotationException e) {
      return TimeFault.message(value);
    }
  }

  /** Checks the fields of a new or changed partition. */
  static void partition(Map<String, String> fields) throws CommandFailure {
    for (Map.Entry<String, String> field : fields.entrySet()) {
      String value = field.getValue();
      String given = field.getKey() + "=" + value;
      String number = named(PARTITION_NUMBERS, field.getKey());
      String count = named(PARTITION_COUNTS, field.getKey());
      String yes = named(PARTITION_SWITCHES, field.getKey());
      boolean limit = Set.of("maxtime", "defaulttime").contains(field.getKey());
      boolean share = Set.of("oversubscribe", "shared").contains(field.getKey());
      if (number != null && !isNumber(value)) {
        throw error("Invalid " + number + " value: " + value);
      } else if (count != null && !isNumber(value)) {
        throw error("Invalid numeric value \"" + value + "\" for " + count + ".");
      } else if (yes != null && !isYesOrNo(value)) {
        throw error("Invalid input: " + given, "Acceptable " + yes + " values are YES and NO");
      } else if (limit && isNoSpan(value)) {
        throw error("Invalid input " + given);
      } else if (share && !value.matches("(?i)NO|EXCLUSIVE|(YES|FORCE)(:[0-9]+)?")) {
        throw error(
            "Invalid input: " + given,
            "Acceptable OverSubscribe values are NO, EXCLUSIVE, YES:#, and FORCE:#");
      } else if (field.getKey().equals("preemptmode")
          && !value.matches("(?i)(off|cancel|gang|requeue|suspend|within|priority|,)*")) {
        throw error("Invalid input: " + given);
      }
      boolean other = PartitionValues.check(field.getKey(), value);
      boolean known = number != null || count != null || yes != null || limit || share || other;
      if (!known && !field.getKey().equals("state") && !PARTITION_OTHERS.contains(field.getKey())) {
        throw new CommandFailure(
            1,
            "scontrol: error: Update of this parameter is not supported: " + given,
            "",
            "scontrol: error: Request aborted");
      }
    }
  }

  private static @Nullable String named(Set<String> names, String field) {
    return names.stream().filter(field::equalsIgnoreCase).findFirst().orElse(null);
  }

  /**
   * Checks the fields of a reservation and gives them their whole names.
   *
   * @param done {@code created} for a new one, {@code update} for one that is changed
   */
  static void reservation(Map<String, String> fields, String done, Instant now, ZoneId zone)
      throws CommandFailure {
    String end = "No reservation " + done + ".";
    for (Map.Entry<String, String> field : new LinkedHashMap<>(fields).entrySet()) {
      String name = field.getKey();
      String value = field.getValue();
      String whole = whole(name);
      if (whole == null) {
        throw error("Unknown parameter " + name + "=" + value + ".  " + end);
      }
      if (!whole.equals(name)) {
        fields.remove(name);
        fields.put(whole, value);
      }
      boolean signed = value.startsWith("+=") || value.startsWith("-=");
      String given = name + (signed ? "" : "=") + value;
      checkReserved(whole, given, value, end);
      if (whole.equals("starttime") || whole.equals("endtime")) {
        String problem = problemOfTime(signed ? value.substring(2) : value, now, zone);
        if (problem != null) {
          String which = whole.equals("starttime") ? "start" : "end";
          throw new CommandFailure(
              1,
              problem,
              "scontrol: error: Invalid " + which + " time " + given + ".  " + end,
              done.equals("created")
                  ? "Error creating the reservation: Invalid time specified"
                  : "slurm_update error: Invalid time specified");
        }
      }
      if (signed && !SIGNED.contains(whole)) {
        throw error("The +=/-= notation is not supported when updating " + name + ".  " + end);
      }
    }
    readByTheClockOf(zone, now, fields, "starttime", "endtime");
  }

  private static void checkReserved(String name, String given, String value, String end)
      throws CommandFailure {
    boolean span = name.equals("duration") || name.equals("maxstartdelay");
    if (span && isNoSpan(value.replaceFirst("^[+-]=", ""))) {
      throw error("Invalid duration " + given + ".  " + end);
    }
    if (name.equals("nodecnt") && !value.contains(",") && !value.matches("[0-9]+[kKmM]?(-.*)?")) {
      throw error("\"" + value + "\" is not a valid node count");
    }
  }

  private static @Nullable String whole(String name) {
    for (Map.Entry<String, Integer> field : RESERVATION.entrySet()) {
      if (name.length() >= field.getValue() && field.getKey().startsWith(name)) {
        return switch (field.getKey()) {
          case "nodecount" -> "nodecnt";
          case "corecount", "cpucnt", "cpucount" -> "corecnt";
          case "reservation" -> "reservationname";
          case "account" -> "accounts";
          default -> field.getKey();
        };
      }
    }
    return null;
  }
}
