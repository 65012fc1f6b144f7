package dev.yardmaster.controller;

import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationFlagWords;
import dev.yardmaster.model.ReservationTimes;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reads what {@code scontrol create reservation} says of who, when and how, with Slurm's checks in
 * their order. What it is of is read by {@link ReservationResources}.
 */
final class ReservationReader {
  /** So far in the past a new reservation may begin, or have ended. */
  private static final Duration LATENESS = Duration.ofMinutes(10);

  /** PURGE_COMP without a time (scontrol(1)). */
  static final long DEFAULT_PURGE = 300;

  /** A reservation without an end lasts a year. */
  static final long YEAR = 365L * 86_400;

  /** One of length 0 lasts until the last second of Slurm's clock. */
  private static final Instant NEVER = Instant.ofEpochSecond(0xFFFF_FFFFL);

  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  private final Instant now;
  private final ReservationFields fields;

  private ReservationReader(ReservationFields fields) {
    this.fields = fields;
    now = fields.now();
  }

  /**
   * The fields of a new reservation that names a partition and nothing else that could be reserved:
   * it is of all of that partition. So is one of all nodes.
   */
  static ReservationFields ofPartition(ReservationFields fields) {
    boolean all = fields.text("nodes", "").equalsIgnoreCase("ALL");
    boolean nothing =
        List.of("nodes", "nodecnt", "corecnt", "tres", "licenses").stream()
            .noneMatch(fields::fills);
    if (!fields.has("partitionname") || !all && !nothing) {
      return fields;
    }
    TreeMap<String, String> changed = new TreeMap<>(fields.fields());
    changed.put("nodes", "ALL");
    String flags = fields.text("flags", "");
    changed.put(
        "flags", flags.isEmpty() ? "PART_NODES" : ReservationFlagWords.written(flags) + ",PART");
    return new ReservationFields(changed, fields.now(), fields.zone());
  }

  /** A new reservation without its resources. */
  static Reservation read(ReservationFields fields, String name) {
    return new ReservationReader(fields).read(name);
  }

  private Reservation read(String name) {
    ReservationFlagWords words = fields.flags();
    Set<String> flags = new TreeSet<>();
    words.set().forEach(flag -> flags.add(flag.name()));
    boolean floats = words.set().contains(ReservationFlag.TIME_FLOAT);
    Instant start = start(words.set());
    Instant end = end(start);
    Reservation read =
        new Reservation(name, start, end, List.of(), flags, List.of(), List.of())
            .with(
                r ->
                    r.durationMinutes(
                            fields.has("duration")
                                ? Math.max(0, fields.minutes("duration", "Duration"))
                                : 0)
                        .purgeSeconds(
                            !words.set().contains(ReservationFlag.PURGE_COMP)
                                ? 0
                                : words.purgeSeconds() == null
                                    ? DEFAULT_PURGE
                                    : words.purgeSeconds())
                        .floatSeconds(
                            floats ? Math.max(1, Duration.between(now, start).toSeconds()) : 0)
                        .maxStartDelaySeconds(fields.seconds("maxstartdelay", "MaxStartDelay", 0))
                        .comment(fields.text("comment", ""))
                        .zone(fields.zone().getId()));
    checkFlags(read);
    checkWho();
    return read.with(
        r ->
            r.accounts(names("accounts", SlurmError.INVALID_ACCOUNT))
                .users(names("users", SlurmError.UNSPECIFIED))
                .groups(groups())
                .qos(sorted("qos", SlurmError.INVALID_QOS))
                .allowedPartitions(sorted("allowedpartitions", SlurmError.INVALID_PARTITION_NAME)));
  }

  private Instant start(Set<ReservationFlag> flags) {
    if (!fields.has("starttime")) {
      throw ReservationFields.invalid("StartTime is missing; write StartTime=now or a time");
    }
    Instant start = fields.instant("starttime", "StartTime");
    Instant earliest = now.minus(LATENESS);
    if (flags.contains(ReservationFlag.TIME_FLOAT)) {
      return start.isBefore(now) ? now : start;
    }
    if (flags.contains(ReservationFlag.FORCE_START)) {
      if (fields.has("duration") && end(start).isBefore(earliest)) {
        throw ReservationFields.time("it begins and ends in the past");
      }
      return start;
    }
    if (start.isBefore(earliest)) {
      throw ReservationFields.time("StartTime=" + fields.get("starttime") + " is in the past");
    }
    return start;
  }

  private Instant end(Instant start) {
    if (fields.has("endtime")) {
      Instant end = known(fields.instant("endtime", "EndTime", start));
      if (!end.isAfter(start) || end.isBefore(now.minus(LATENESS))) {
        throw ReservationFields.time("it would end before it starts, or in the past");
      }
      return end;
    }
    if (!fields.has("duration")) {
      throw ReservationFields.invalid("EndTime or Duration is missing");
    }
    long minutes = fields.minutes("duration", "Duration");
    if (minutes == TimeLimits.UNLIMITED) {
      return start.plusSeconds(YEAR);
    }
    return minutes == 0
        ? NEVER
        : known(start.plusSeconds(Math.min(60 * minutes, LAST.getEpochSecond())));
  }

  /** Slurm keeps times in 64 bits and prints years of four digits. */
  static Instant known(Instant end) {
    if (end.isAfter(LAST)) {
      throw new Refusal(SlurmError.INVALID_TIME_VALUE, "\n" + end + " is after " + LAST);
    }
    return end;
  }

  private void checkFlags(Reservation r) {
    boolean repeats = ReservationTimes.repeats(r);
    if (ReservationFlag.REPEATS.stream().filter(r::has).count() > 1) {
      throw ReservationFields.error(
          SlurmError.NOT_SUPPORTED,
          "Reservation has multiple reoccurring flags. Please specify only one reoccurring flag");
    }
    if (r.has(ReservationFlag.REPLACE) || r.has(ReservationFlag.REPLACE_DOWN)) {
      String with =
          "REPLACE or REPLACE_DOWN flags should be used with the NodeCnt reservation option; do not"
              + " specify ";
      if (fields.has("nodes")) {
        throw ReservationFields.error(SlurmError.INVALID_NODE_NAME, with + "Nodes");
      }
      if (fields.has("corecnt")) {
        throw ReservationFields.error(SlurmError.INVALID_CPU_COUNT, with + "CoreCnt");
      }
      if (r.has(ReservationFlag.STATIC) || r.has(ReservationFlag.MAINT)) {
        throw ReservationFields.error(
            SlurmError.NOT_SUPPORTED,
            "REPLACE and REPLACE_DOWN flags cannot be used with STATIC_ALLOC or MAINT flags");
      }
    }
    if (repeats && r.has(ReservationFlag.TIME_FLOAT)) {
      throw ReservationFields.error(
          SlurmError.NOT_SUPPORTED,
          "Reservation request has mutually exclusive flags. Repeating floating reservations are"
              + " not supported.");
    }
  }

  private void checkWho() {
    if (fields.has("users") && fields.has("groups")) {
      throw new Refusal(SlurmError.RESERVATION_USER_GROUP);
    }
    if (List.of("users", "groups", "accounts", "qos", "allowedpartitions").stream()
        .noneMatch(fields::fills)) {
      throw new Refusal(
          SlurmError.RESERVATION_EMPTY,
          "\nUsers, Groups, Accounts, QOS or AllowedPartitions must say who may use it");
    }
  }

  private List<String> names(String field, SlurmError error) {
    return ReservationNames.given(field, fields.text(field, ""), error);
  }

  private List<String> sorted(String field, SlurmError error) {
    List<String> names = new ArrayList<>(names(field, error));
    names.sort(null);
    return names;
  }

  private List<String> groups() {
    List<String> groups = names("groups", SlurmError.INVALID_GROUP_ID);
    if (groups.stream().anyMatch(name -> name.startsWith("-"))) {
      throw new Refusal(SlurmError.INVALID_GROUP_ID, "\ngroups are let in, never kept out");
    }
    return groups;
  }
}
