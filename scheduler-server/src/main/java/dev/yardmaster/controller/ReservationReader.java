package dev.yardmaster.controller;

import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationTimes;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads the fields of {@code scontrol create|update reservation} that say who, when and how. */
final class ReservationReader {
  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  /** PURGE_COMP without a time (scontrol(1)). */
  private static final long DEFAULT_PURGE = 300;

  private static final long YEAR = 365L * 86_400;

  private final Instant now;
  private final ZoneId zone;
  private final Map<String, String> fields;
  private final @Nullable Reservation old;

  ReservationReader(
      Instant now, ZoneId zone, Map<String, String> fields, @Nullable Reservation old) {
    this.now = now;
    this.zone = zone;
    this.fields = fields;
    this.old = old;
  }

  static Refusal invalid(String detail) {
    return new Refusal(SlurmError.INVALID_RESERVATION, "\n" + detail);
  }

  /** The reservation without its resources, which are those it had. */
  Reservation read(String name) {
    Set<String> flags = new TreeSet<>(old == null ? Set.of() : old.flags());
    long purge = flags(flags, old == null ? 0 : old.purgeSeconds());
    Instant start = start(flags);
    Reservation read =
        (old == null
                ? new Reservation(name, start, start, List.of(), flags, List.of(), List.of())
                : old)
            .with(
                r ->
                    r.start(start)
                        .end(end(start))
                        .flags(flags)
                        .users(names("users", "user", old == null ? List.of() : old.users()))
                        .accounts(
                            names("accounts", "account", old == null ? List.of() : old.accounts()))
                        .groups(names("groups", "group", old == null ? List.of() : old.groups()))
                        .qos(names("qos", "qos", old == null ? List.of() : old.qos()))
                        .allowedPartitions(
                            names(
                                "allowedpartitions",
                                "allowedpartition",
                                old == null ? List.of() : old.allowedPartitions()))
                        .purgeSeconds(purge)
                        .maxStartDelaySeconds(
                            seconds("maxstartdelay", old == null ? 0 : old.maxStartDelaySeconds()))
                        .comment(fields.getOrDefault("comment", old == null ? "" : old.comment()))
                        .zone(zone.getId()));
    Reservation moved =
        old != null && old.start().equals(start)
            ? read
            : read.with(r -> r.first(null).floatSeconds(ahead(flags, start)));
    Reservation next = moved;
    while (next.has(ReservationFlag.FORCE_START)
        && ReservationTimes.repeats(next)
        && next.end().isAfter(next.start())
        && !next.end().isAfter(now)) {
      next = ReservationTimes.next(next);
    }
    check(next);
    return next;
  }

  private long ahead(Set<String> flags, Instant start) {
    return flags.contains(ReservationFlag.TIME_FLOAT.name())
        ? Math.max(1, Duration.between(now, start).toSeconds())
        : 0;
  }

  private void check(Reservation r) {
    boolean nobody =
        r.users().isEmpty()
            && r.accounts().isEmpty()
            && r.groups().isEmpty()
            && r.qos().isEmpty()
            && r.allowedPartitions().isEmpty();
    if (nobody && old != null) {
      throw new Refusal(SlurmError.RESERVATION_EMPTY, "\nreservation " + old.name());
    }
    if (nobody) {
      throw invalid("Users, Groups, Accounts, QOS or AllowedPartitions must say who may use it");
    }
    if (!r.users().isEmpty() && !r.groups().isEmpty()) {
      throw new Refusal(SlurmError.RESERVATION_USER_GROUP);
    }
    long repeats = ReservationFlag.REPEATS.stream().filter(r::has).count();
    if (repeats > 1) {
      throw invalid("Flags: it can come again in one way only, of " + r.flagWords());
    }
    if (!r.end().isAfter(r.start()) || !r.end().isAfter(now)) {
      throw time("it would end before it starts, or in the past");
    }
    if (repeats > 0 && r.has(ReservationFlag.TIME_FLOAT)) {
      throw time("a reservation that floats does not repeat");
    }
    if (repeats > 0 && r.length().toSeconds() > period(r)) {
      throw time("it would last longer than until it comes again");
    }
  }

  private static long period(Reservation r) {
    return r.has(ReservationFlag.HOURLY)
        ? 3600
        : r.has(ReservationFlag.WEEKLY) ? 7 * 86_400 : 86_400;
  }

  private static Refusal time(String detail) {
    return new Refusal(SlurmError.INVALID_TIME_VALUE, "\n" + detail);
  }

  private Instant start(Set<String> flags) {
    String text = fields.get("starttime");
    if (text == null) {
      if (old == null) {
        throw invalid("StartTime is missing; write StartTime=now or a time");
      }
      return old.start();
    }
    Instant start = instant("StartTime", text);
    if (old != null && old.isActive(now) && !start.equals(old.start())) {
      throw new Refusal(SlurmError.RESERVATION_STARTED, "\nreservation " + old.name());
    }
    boolean repeats = ReservationFlag.REPEATS.stream().anyMatch(f -> flags.contains(f.name()));
    boolean mayLieBack = repeats && flags.contains(ReservationFlag.FORCE_START.name());
    if (start.isBefore(now.minusSeconds(60)) && !mayLieBack) {
      throw time("StartTime=" + text + " is in the past");
    }
    return start;
  }

  /** Slurm keeps times in 64 bits and prints years of four digits. */
  private static Instant known(Instant end) {
    if (end.isAfter(LAST)) {
      throw new Refusal(SlurmError.INVALID_TIME_VALUE, "\n" + end + " is after " + LAST);
    }
    return end;
  }

  private Instant end(Instant start) {
    if (fields.containsKey("duration")) {
      long seconds = seconds("duration", 0);
      return known(start.plusSeconds(Math.min(seconds, LAST.getEpochSecond())));
    }
    String text = fields.get("endtime");
    if (text != null) {
      return known(instant("EndTime", text));
    }
    if (old == null) {
      throw invalid("EndTime or Duration is missing");
    }
    return start.plus(old.length());
  }

  private Instant instant(String field, String text) {
    try {
      return Instants.parse(text, now, zone);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE, "Invalid " + field + " value: " + text + "\n" + e.getMessage());
    }
  }

  private long seconds(String field, long otherwise) {
    String text = fields.get(field);
    return text == null ? otherwise : seconds(field, text);
  }

  private static long seconds(String field, String text) {
    try {
      long seconds = TimeLimits.parseSeconds(text);
      return seconds == TimeLimits.UNLIMITED ? YEAR : seconds;
    } catch (IllegalArgumentException e) {
      String name = field.equals("duration") ? "Duration" : field;
      throw new Refusal(
          SlurmError.COMMAND_VALUE, "Invalid " + name + " value: " + text + "\n" + e.getMessage());
    }
  }

  /** Flags=a,b sets them, as do + and Flags+=; a minus takes them away. */
  private long flags(Set<String> flags, long purgeBefore) {
    String value = fields.get("flags");
    if (value == null) {
      return purgeBefore;
    }
    boolean removeAll = value.startsWith("-=");
    String list = value.startsWith("-=") || value.startsWith("+=") ? value.substring(2) : value;
    long purge = purgeBefore;
    for (String part : list.split(",", -1)) {
      boolean remove = removeAll || part.startsWith("-");
      String[] word = part.replaceFirst("^[+-]", "").split("=", 2);
      ReservationFlag flag =
          ReservationFlag.ofWord(word[0])
              .orElseThrow(
                  () ->
                      new Refusal(
                          SlurmError.NOT_SUPPORTED,
                          "\nFlags=" + part + "; known are " + knownFlags()));
      if (flag == ReservationFlag.PURGE_COMP) {
        purge = remove ? 0 : word.length > 1 ? seconds("PURGE_COMP", word[1]) : DEFAULT_PURGE;
      }
      if (remove) {
        flags.remove(flag.name());
      } else {
        flags.add(flag.name());
      }
    }
    return purge;
  }

  private static List<String> knownFlags() {
    List<String> known = new ArrayList<>();
    for (ReservationFlag flag : ReservationFlag.values()) {
      if (ReservationFlag.ofWord(flag.name()).isPresent()) {
        known.add(flag.name());
      }
    }
    return known;
  }

  /** A list of names; -= keeps names out of a new one and takes names from an existing one. */
  private List<String> names(String plural, String singular, List<String> before) {
    String field = fields.containsKey(plural) ? plural : singular;
    String value = fields.get(field);
    if (value == null) {
      return before;
    }
    boolean minus = value.startsWith("-=");
    boolean plus = value.startsWith("+=");
    List<String> given = new ArrayList<>();
    for (String name : (minus || plus ? value.substring(2) : value).split(",", -1)) {
      if (!name.isBlank()) {
        given.add(name.strip());
      }
    }
    List<String> result = new ArrayList<>(plus || (minus && !before.isEmpty()) ? before : given);
    if (plus) {
      given.stream().filter(n -> !result.contains(n)).forEach(result::add);
    } else if (minus && !before.isEmpty()) {
      result.removeAll(given);
    } else if (minus) {
      result.replaceAll(n -> "-" + n);
    }
    long denied = result.stream().filter(n -> n.startsWith("-")).count();
    if (denied > 0 && (denied < result.size() || field.startsWith("group"))) {
      throw new Refusal(
          field.startsWith("account")
              ? SlurmError.INVALID_ACCOUNT
              : field.startsWith("user")
                  ? SlurmError.INVALID_USER_ID
                  : SlurmError.INVALID_RESERVATION,
          "\n"
              + field
              + "="
              + value
              + ": either all names have a minus, which keeps them out, or none; groups have none");
    }
    return result;
  }
}
