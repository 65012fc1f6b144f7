package dev.yardmaster.controller;

import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationFlagWords;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The fields of {@code scontrol create|update reservation}, by their whole names. */
record ReservationFields(Map<String, String> fields, Instant now, ZoneId zone) {
  private static final Set<String> NAMES =
      Set.of(
          "reservationname",
          "starttime",
          "endtime",
          "duration",
          "nodes",
          "nodecnt",
          "corecnt",
          "tres",
          "features",
          "licenses",
          "users",
          "accounts",
          "groups",
          "qos",
          "allowedpartitions",
          "flags",
          "partitionname",
          "maxstartdelay",
          "comment",
          "skip");

  private static final Map<String, String> OTHER_NAMES =
      Map.of(
          "reservation",
          "reservationname",
          "user",
          "users",
          "account",
          "accounts",
          "group",
          "groups",
          "allowedpartition",
          "allowedpartitions",
          "partition",
          "partitionname");

  /**
   * The fields under their whole names.
   *
   * @throws Refusal when there is no such field
   */
  static ReservationFields of(SortedMap<String, String> given, Instant now, ZoneId zone) {
    TreeMap<String, String> fields = new TreeMap<>();
    given.forEach((name, value) -> fields.put(OTHER_NAMES.getOrDefault(name, name), value));
    for (String name : fields.keySet()) {
      if (!NAMES.contains(name)) {
        throw new Refusal(
            SlurmError.NOT_SUPPORTED,
            "\n" + name + "=" + fields.get(name) + " is not supported for reservations");
      }
    }
    return new ReservationFields(fields, now, zone);
  }

  /** An error with a line of its own before Slurm's words for it. */
  static Refusal error(SlurmError error, String line) {
    return new Refusal(error, "error: " + line);
  }

  static Refusal invalid(String detail) {
    return new Refusal(SlurmError.INVALID_RESERVATION, "\n" + detail);
  }

  static Refusal time(String detail) {
    return new Refusal(SlurmError.INVALID_TIME_VALUE, "\n" + detail);
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  /** Whether a field is given and not empty. */
  boolean fills(String name) {
    return !text(name, "").isEmpty();
  }

  /** Whether a field is given as empty, which takes away what was there. */
  boolean clears(String name) {
    return has(name) && text(name, "").isEmpty();
  }

  String text(String name, String otherwise) {
    return fields.getOrDefault(name, otherwise);
  }

  @Nullable String get(String name) {
    return fields.get(name);
  }

  Instant instant(String name, String label) {
    return instant(name, label, Instant.EPOCH);
  }

  /**
   * A time that is read after another.
   *
   * @param before the other; the beginning of all times for none
   */
  Instant instant(String name, String label, Instant before) {
    String text = text(name, "");
    try {
      return before.equals(Instant.EPOCH)
          ? Instants.parse(text, now, zone)
          : Instants.parseAfter(text, before, now, zone);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE, "Invalid " + label + " value: " + text + "\n" + e.getMessage());
    }
  }

  /** Whole minutes; {@link TimeLimits#UNLIMITED} for no end. A sign before it does not count. */
  long minutes(String name, String label) {
    String text = text(name, "").replaceFirst("^[+-]=", "");
    try {
      return TimeLimits.parseMinutes(text);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE, "Invalid " + label + " value: " + text + "\n" + e.getMessage());
    }
  }

  long seconds(String name, String label, long otherwise) {
    String text = fields.get(name);
    if (text == null) {
      return otherwise;
    }
    try {
      return Math.max(0, TimeLimits.parseSeconds(text));
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE, "Invalid " + label + " value: " + text + "\n" + e.getMessage());
    }
  }

  ReservationFlagWords flags() {
    String value = text("flags", "");
    try {
      return ReservationFlagWords.parse(value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          SlurmError.NOT_SUPPORTED,
          "\nFlags=" + value + ": " + e.getMessage() + "; known are " + known());
    }
  }

  private static List<String> known() {
    List<String> known = new ArrayList<>();
    for (ReservationFlag flag : ReservationFlag.values()) {
      if (ReservationFlag.ofWord(flag.name()).isPresent()) {
        known.add(flag.name());
      }
    }
    return known;
  }
}
