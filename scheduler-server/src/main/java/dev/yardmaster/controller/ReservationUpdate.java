package dev.yardmaster.controller;

import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationBuilder;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationFlagWords;
import dev.yardmaster.model.ReservationTimes;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads what {@code scontrol update reservation} says of who, when and how, with Slurm's checks in
 * their order. Flags are added to those that are there, and each list changes by itself.
 */
final class ReservationUpdate {
  /** Flags that an update adds without a question. */
  private static final List<ReservationFlag> ADDED =
      List.of(
          ReservationFlag.FLEX,
          ReservationFlag.OVERLAP,
          ReservationFlag.IGNORE_JOBS,
          ReservationFlag.ANY_NODES,
          ReservationFlag.PURGE_COMP,
          ReservationFlag.NO_HOLD_JOBS_AFTER_END,
          ReservationFlag.MAGNETIC,
          ReservationFlag.USER_DELETE);

  private static final String NOT_BOTH =
      "REPLACE and REPLACE_DOWN flags cannot be used with STATIC_ALLOC or MAINT flags";

  private final ReservationFields fields;
  private final Reservation old;
  private final Instant now;

  private ReservationUpdate(ReservationFields fields, Reservation old) {
    this.fields = fields;
    this.old = old;
    now = fields.now();
  }

  /** The reservation as it becomes, with the resources it had. */
  static Reservation read(ReservationFields fields, Reservation old) {
    ReservationUpdate update = new ReservationUpdate(fields, old);
    Reservation flagged = update.flags();
    return update.times(update.who(flagged));
  }

  private Reservation flags() {
    ReservationFlagWords words = fields.flags();
    Set<String> flags = new TreeSet<>(old.flags());
    words.unset().forEach(flag -> flags.remove(flag.name()));
    ADDED.stream().filter(words.set()::contains).forEach(flag -> flags.add(flag.name()));
    repeats(words.set(), flags);
    replaces(words.set(), flags);
    if (words.set().contains(ReservationFlag.PART_NODES)) {
      ofPartition(flags);
    }
    if (words.set().contains(ReservationFlag.TIME_FLOAT)) {
      throw ReservationFields.time("only a new reservation can be made to float");
    }
    long purge =
        flags.contains(ReservationFlag.PURGE_COMP.name())
            ? words.purgeSeconds() != null
                ? words.purgeSeconds()
                : old.purgeSeconds() > 0 ? old.purgeSeconds() : ReservationReader.DEFAULT_PURGE
            : 0;
    return old.with(
        r ->
            r.flags(flags)
                .purgeSeconds(purge)
                .maxStartDelaySeconds(
                    fields.seconds("maxstartdelay", "MaxStartDelay", old.maxStartDelaySeconds()))
                .comment(fields.text("comment", old.comment())));
  }

  private void repeats(Set<ReservationFlag> set, Set<String> flags) {
    Set<String> asked = new TreeSet<>();
    Set<String> before = new TreeSet<>();
    for (ReservationFlag flag : ReservationFlag.REPEATS) {
      if (set.contains(flag)) {
        asked.add(flag.name());
      }
      if (flags.contains(flag.name())) {
        before.add(flag.name());
      }
    }
    if (asked.isEmpty()) {
      return;
    }
    if (old.has(ReservationFlag.TIME_FLOAT)) {
      throw ReservationFields.error(
          SlurmError.NOT_SUPPORTED, "Cannot add a reoccurring flag to a floating reservation");
    }
    if (asked.size() > 1 || !before.isEmpty() && !before.equals(asked)) {
      throw ReservationFields.error(
          SlurmError.NOT_SUPPORTED,
          "Cannot update reservation to have multiple reoccurring flags. Please specify only one"
              + " reoccurring flag");
    }
    flags.addAll(asked);
  }

  private void replaces(Set<ReservationFlag> set, Set<String> flags) {
    boolean fixed =
        flags.contains(ReservationFlag.STATIC.name())
            || flags.contains(ReservationFlag.MAINT.name());
    if (set.contains(ReservationFlag.REPLACE) || set.contains(ReservationFlag.REPLACE_DOWN)) {
      if (flags.contains(ReservationFlag.SPEC_NODES.name()) || !old.isWholeNodes()) {
        throw ReservationFields.error(
            SlurmError.NOT_SUPPORTED,
            "Reservation can't be updated with REPLACE or REPLACE_DOWN flags; they should be"
                + " updated on a NodeCnt reservation");
      }
      if (fixed) {
        throw ReservationFields.error(SlurmError.NOT_SUPPORTED, NOT_BOTH);
      }
      flags.add(
          (set.contains(ReservationFlag.REPLACE)
                  ? ReservationFlag.REPLACE
                  : ReservationFlag.REPLACE_DOWN)
              .name());
    }
    if (set.contains(ReservationFlag.STATIC) || set.contains(ReservationFlag.MAINT)) {
      if (flags.contains(ReservationFlag.REPLACE.name())
          || flags.contains(ReservationFlag.REPLACE_DOWN.name())) {
        throw ReservationFields.error(SlurmError.NOT_SUPPORTED, NOT_BOTH);
      }
      flags.add(
          (set.contains(ReservationFlag.STATIC) ? ReservationFlag.STATIC : ReservationFlag.MAINT)
              .name());
    }
  }

  private void ofPartition(Set<String> flags) {
    if (old.partition().isEmpty() && !fields.has("partitionname")) {
      throw new Refusal(
          SlurmError.INVALID_PARTITION_NAME, "\nFlags=PART_NODES needs PartitionName=");
    }
    if (!fields.text("nodes", "").equalsIgnoreCase("ALL")) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nFlags=PART_NODES needs Nodes=ALL");
    }
    if (flags.contains(ReservationFlag.REPLACE.name())
        || flags.contains(ReservationFlag.REPLACE_DOWN.name())) {
      throw new Refusal(SlurmError.NOT_SUPPORTED, "\nPART_NODES does not go with REPLACE");
    }
    flags.add(ReservationFlag.PART_NODES.name());
  }

  /** Groups come before users, so that both may change places in one update. */
  private Reservation who(Reservation r) {
    Reservation read =
        r.with(
            b ->
                b.accounts(changed("accounts", r.accounts(), SlurmError.INVALID_ACCOUNT))
                    .groups(
                        fields.has("groups")
                            ? ReservationNames.groups(r.groups(), fields.text("groups", ""))
                            : r.groups())
                    .users(changed("users", r.users(), SlurmError.INVALID_USER_ID)));
    if (!read.users().isEmpty() && !read.groups().isEmpty()) {
      throw new Refusal(SlurmError.RESERVATION_USER_GROUP);
    }
    Reservation complete =
        read.with(
            b ->
                b.qos(listed("qos", r.qos(), SlurmError.INVALID_QOS))
                    .allowedPartitions(
                        listed(
                            "allowedpartitions",
                            r.allowedPartitions(),
                            SlurmError.INVALID_PARTITION_NAME)));
    if (List.of(
            complete.users(),
            complete.groups(),
            complete.accounts(),
            complete.qos(),
            complete.allowedPartitions())
        .stream()
        .allMatch(List::isEmpty)) {
      throw new Refusal(SlurmError.RESERVATION_EMPTY, "\nreservation " + old.name());
    }
    return complete;
  }

  private List<String> changed(String field, List<String> before, SlurmError error) {
    return fields.has(field)
        ? ReservationNames.changed(before, field, fields.text(field, ""), error)
        : before;
  }

  private List<String> listed(String field, List<String> before, SlurmError error) {
    if (!fields.has(field)) {
      return before;
    }
    List<String> names = new ArrayList<>(changed(field, before, error));
    names.sort(null);
    if (fields.clears(field) && !before.isEmpty()) {
      return before;
    }
    if (names.isEmpty()) {
      throw new Refusal(error, "\n" + field + ": the list cannot become empty");
    }
    return names;
  }

  private Reservation times(Reservation r) {
    Reservation timed = r;
    if (fields.has("starttime")) {
      timed = start(timed);
    }
    if (fields.has("endtime")) {
      Instant end = ReservationReader.known(fields.instant("endtime", "EndTime"));
      if (end.isBefore(now.minusSeconds(60))) {
        throw ReservationFields.time("EndTime=" + fields.get("endtime") + " is in the past");
      }
      timed = timed.with(b -> b.end(end).durationMinutes(0));
    }
    if (fields.has("duration")) {
      timed = duration(timed);
    }
    if (!timed.start().isBefore(timed.end())) {
      throw ReservationFields.time("it would end before it starts");
    }
    return timed;
  }

  private Reservation start(Reservation r) {
    Instant start = fields.instant("starttime", "StartTime");
    if (r.has(ReservationFlag.TIME_FLOAT) || !r.start().isAfter(now)) {
      throw new Refusal(SlurmError.RESERVATION_STARTED, "\nreservation " + old.name());
    }
    if (start.isBefore(now.minusSeconds(60))) {
      throw ReservationFields.time("StartTime=" + fields.get("starttime") + " is in the past");
    }
    return r.with(
        b -> {
          b.start(start);
          keepLength(b, r, start);
        });
  }

  /** One that was given an end keeps it. */
  private static void keepLength(ReservationBuilder b, Reservation r, Instant start) {
    if (r.durationMinutes() > 0) {
      b.end(start.plusSeconds(60 * r.durationMinutes()));
    }
  }

  private Reservation duration(Reservation r) {
    String text = fields.text("duration", "");
    long asked = fields.minutes("duration", "Duration");
    long before =
        r.durationMinutes() > 0 ? r.durationMinutes() : Math.max(0, r.length().toMinutes());
    long minutes =
        asked == TimeLimits.UNLIMITED
            ? ReservationReader.YEAR / 60
            : text.startsWith("+=")
                ? before + asked
                : text.startsWith("-=") ? Math.max(0, before - asked) : asked;
    Instant end =
        ReservationReader.known(
            r.start().plusSeconds(Math.min(60 * minutes, ReservationReader.YEAR * 8000)));
    return r.with(b -> b.durationMinutes(minutes).end(end.isBefore(now) ? now : end));
  }

  /** The reservation after it has been skipped once; only one that repeats can be. */
  static Reservation skipped(Reservation r, Instant now) {
    if (!ReservationTimes.repeats(r)) {
      throw new Refusal(SlurmError.RESERVATION_NO_SKIP, "\nreservation " + r.name());
    }
    return ReservationTimes.next(r, now);
  }
}
