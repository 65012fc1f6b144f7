package dev.yardmaster.cli;

import dev.yardmaster.model.ReservationFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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

  /** Checks that a new reservation has what it needs. */
  static void checkReservation(Map<String, String> fields) throws CommandFailure {
    checkCores(fields);
    require(fields, "A start time must be given.", "starttime");
    require(fields, "An end time or duration must be given.", "endtime", "duration");
    require(
        fields,
        "CoreCnt, Nodes, NodeCnt, TRES or Watts must be specified.",
        "corecnt",
        "nodes",
        "nodecnt",
        "tres",
        "watts",
        "licenses",
        "burstbuffer");
    require(
        fields,
        "Either Users/Groups, AllowedPartitions, QOS and/or Accounts must be specified.",
        "users",
        "user",
        "groups",
        "group",
        "accounts",
        "account",
        "allowedpartitions",
        "qos");
    checkReservationFlags(fields, "created");
  }

  /** Checks that cores are asked for in all, not for each node in turn. */
  static void checkCores(Map<String, String> fields) throws CommandFailure {
    if (fields.getOrDefault("corecnt", "").contains(",")) {
      throw new CommandFailure(
          1, "scontrol: error: Using a comma separated array for CoreCnt is no longer valid.");
    }
  }

  /** Checks the flags of a reservation that is {@code created} or {@code updated}. */
  static void checkReservationFlags(Map<String, String> fields, String done) throws CommandFailure {
    String value = fields.getOrDefault("flags", "").replaceFirst("^[+-]=", "");
    for (String word : value.split(",")) {
      String flag = word.replaceFirst("^[+-]", "").replaceFirst("=.*", "");
      if (!word.isEmpty() && ReservationFlag.ofWord(flag).isEmpty()) {
        throw new CommandFailure(
            1,
            "scontrol: error: Error parsing flags %s.  No reservation %s.".formatted(value, done));
      }
    }
  }

  private static void require(Map<String, String> fields, String otherwise, String... keys)
      throws CommandFailure {
    if (List.of(keys).stream().noneMatch(fields::containsKey)) {
      throw new CommandFailure(1, "scontrol: error: " + otherwise + "  No reservation created.");
    }
  }
}
