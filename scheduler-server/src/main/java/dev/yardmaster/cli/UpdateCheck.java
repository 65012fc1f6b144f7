package dev.yardmaster.cli;

import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationFlagWords;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What scontrol checks by itself before it asks the controller. */
final class UpdateCheck {
  private static final Set<String> PARTITION_STATES = Set.of("up", "down", "drain", "inactive");

  /** Fields of a job that may stand without a value. */
  private static final Set<String> ALONE = Set.of("nice", "resetaccruetime");

  private UpdateCheck() {}

  /**
   * Brings words into the form {@code field=value}: a field without "=" takes the next word as its
   * value, and one that has none is an error.
   */
  static List<String> pairs(List<String> words) throws CommandFailure {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.indexOf('=') > 0 || ALONE.contains(word.toLowerCase(Locale.ROOT))) {
        pairs.add(word);
      } else if (word.indexOf('=') < 0 && i + 1 < words.size()) {
        i++;
        pairs.add(word + "=" + words.get(i));
      } else {
        throw new CommandFailure(1, "Invalid input: " + word, "Request aborted");
      }
    }
    return pairs;
  }

  /** A command that may fail. */
  @FunctionalInterface
  interface Attempt {
    int run() throws CommandFailure;
  }

  /** Runs a command; where it fails, its fields are told as they were written. */
  static int asWritten(List<String> words, Attempt command) throws CommandFailure {
    try {
      return command.run();
    } catch (CommandFailure e) {
      List<String> lines = new ArrayList<>();
      for (String said : e.lines()) {
        String line = said;
        for (String word : words) {
          int equals = word.indexOf('=');
          if (equals > 0) {
            String lower = word.substring(0, equals).toLowerCase(Locale.ROOT);
            line = line.replace(lower + word.substring(equals), word);
          }
        }
        lines.add(line);
      }
      throw new CommandFailure(e.exitCode(), lines);
    }
  }

  /** Checks that an update changes something. */
  static void checkChanges(Map<String, String> fields) throws CommandFailure {
    if (fields.isEmpty()) {
      throw new CommandFailure(1, "No changes specified");
    }
  }

  /** Checks the fields of an update of nodes, which have their full names. */
  static void checkNodes(Map<String, String> fields) throws CommandFailure {
    String state = fields.getOrDefault("state", "");
    boolean ends = Set.of("DOWN", "DRAIN", "FAIL").contains(state);
    if (ends && fields.getOrDefault("reason", "").isEmpty()) {
      throw new CommandFailure(
          1, "You must specify a reason when DOWNING or DRAINING a node. Request denied");
    }
    if (fields.containsKey("resumeafter") && !state.equals("DOWN") && !state.equals("DRAIN")) {
      throw new CommandFailure(
          1, "You can only specify a resume time when DOWNING or DRAINING a node. Request denied");
    }
  }

  /** Checks the fields of an update of a partition. */
  static void checkPartition(Map<String, String> fields) throws CommandFailure {
    String state = fields.get("state");
    if (state != null && !PARTITION_STATES.contains(state.toLowerCase(Locale.ROOT))) {
      throw new CommandFailure(
          1,
          "scontrol: error: Invalid input: state=" + state,
          "scontrol: error: Acceptable State values are UP, DOWN, DRAIN and INACTIVE");
    }
  }

  /** Checks that a new reservation has what it needs; the fields have their whole names. */
  static void checkReservation(Map<String, String> fields, Instant now, ZoneId zone)
      throws CommandFailure {
    checkCounts(fields);
    checkReservationFlags(fields, "created");
    demand(fields.containsKey("starttime"), "A start time must be given.");
    demand(
        fields.containsKey("endtime") || fields.containsKey("duration"),
        "An end time or duration must be given.");
    checkTimes(fields, now, zone);
    boolean all = fields.getOrDefault("nodes", "").equalsIgnoreCase("ALL");
    Set<ReservationFlag> flags = ReservationFlagWords.parse(fields.getOrDefault("flags", "")).set();
    demand(
        !flags.contains(ReservationFlag.PART_NODES) || all && fields.containsKey("partitionname"),
        "PART_NODES flag requires specifying a Partition and ALL nodes.");
    if (flags.contains(ReservationFlag.FORCE_START)
        && flags.stream().noneMatch(ReservationFlag.REPEATS::contains)) {
      throw new CommandFailure(
          1,
          "scontrol: error: FORCE_START flag requires a reoccuring reservation. No reservation"
              + " created.");
    }
    demand(
        fills(fields, "corecnt", "nodes", "nodecnt", "tres", "licenses", "burstbuffer")
            || fields.containsKey("partitionname"),
        "CoreCnt, Nodes, NodeCnt, TRES or Watts must be specified.");
    demand(
        fills(fields, "users", "groups", "accounts", "allowedpartitions", "qos"),
        "Either Users/Groups, AllowedPartitions, QOS and/or Accounts must be specified.");
    demand(
        !fields.containsKey("users") || !fields.containsKey("groups"),
        "Users and Groups are mutually exclusive.  You can have one or the other, but not both.");
  }

  private static void checkTimes(Map<String, String> fields, Instant now, ZoneId zone)
      throws CommandFailure {
    if (!fields.containsKey("endtime")) {
      return;
    }
    Instant start = Instants.parse(fields.getOrDefault("starttime", ""), now, zone);
    Instant end = Instants.parse(fields.getOrDefault("endtime", ""), now, zone);
    String duration = fields.get("duration");
    if (duration != null) {
      long minutes = TimeLimits.parseMinutes(duration.replaceFirst("^[+-]=", ""));
      demand(
          start.plusSeconds(60 * minutes).equals(end),
          "StartTime + Duration does not equal EndTime.");
    }
    demand(!start.isAfter(end), "Start time cannot be after end time.");
  }

  private static boolean fills(Map<String, String> fields, String... names) {
    return Stream.of(names).anyMatch(name -> !fields.getOrDefault(name, "").isEmpty());
  }

  private static void demand(boolean met, String otherwise) throws CommandFailure {
    if (!met) {
      throw new CommandFailure(1, "scontrol: error: " + otherwise + "  No reservation created.");
    }
  }

  /** Checks that nodes and cores are asked for in all, not one count after the other. */
  static void checkCounts(Map<String, String> fields) throws CommandFailure {
    for (String name : List.of("NodeCnt", "CoreCnt")) {
      if (fields.getOrDefault(name.toLowerCase(Locale.ROOT), "").contains(",")) {
        throw new CommandFailure(
            1,
            "scontrol: error: Using a comma separated array for " + name + " is no longer valid.");
      }
    }
  }

  /** Checks the flags of a reservation that is {@code created} or {@code updated}. */
  static void checkReservationFlags(Map<String, String> fields, String done) throws CommandFailure {
    String value = fields.getOrDefault("flags", "");
    try {
      ReservationFlagWords.parse(value);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          1,
          "scontrol: error: Error parsing flags %s.  No reservation %s."
              .formatted(ReservationFlagWords.written(value), done));
    }
  }
}
