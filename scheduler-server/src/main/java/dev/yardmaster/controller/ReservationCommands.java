package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** {@code scontrol create|update|delete reservation}, for whole nodes. */
final class ReservationCommands {
  private static final Set<String> FLAGS =
      Set.of(
          "ANY_NODES",
          "FLEX",
          "IGNORE_JOBS",
          "MAGNETIC",
          "MAINT",
          "NO_HOLD_JOBS_AFTER",
          "NO_HOLD_JOBS_AFTER_END",
          "OVERLAP",
          "SPEC_NODES");

  private final ZoneId zone;

  ReservationCommands(ZoneId zone) {
    this.zone = zone;
  }

  Reply save(Turn turn, Command.SaveReservation command) {
    if (!turn.settings().isAdministrator(command.by())) {
      throw new Refusal(SlurmError.ACCESS_DENIED, "\nonly an administrator may reserve nodes");
    }
    Map<String, String> fields = command.fields();
    String name = fields.getOrDefault("reservationname", fields.getOrDefault("reservation", ""));
    Reservation old = turn.state().reservations().get(name);
    if (command.create() && old != null) {
      throw new Refusal(SlurmError.RESERVATION_NAME_DUPLICATE, "\n" + name);
    }
    if (!command.create() && old == null) {
      throw new Refusal(SlurmError.INVALID_RESERVATION, "\nno reservation is called " + name);
    }
    for (String field : fields.keySet()) {
      if (!Set.of(
              "reservationname",
              "reservation",
              "starttime",
              "endtime",
              "duration",
              "nodes",
              "users",
              "user",
              "accounts",
              "account",
              "flags",
              "nodecnt",
              "partitionname",
              "partition")
          .contains(field)) {
        throw new Refusal(
            SlurmError.NOT_SUPPORTED,
            "\n" + field + "=" + fields.get(field) + " is not supported for reservations yet");
      }
    }
    Reservation reservation = read(turn, fields, old, command.by().user(), name);
    checkFree(turn, reservation);
    turn.emit(new Event.ReservationSaved(turn.now(), reservation, command.by().user()));
    turn.requestPass();
    return new Reply.Done(
        command.create() ? List.of("Reservation created: " + reservation.name()) : List.of());
  }

  private Reservation read(
      Turn turn, Map<String, String> fields, @Nullable Reservation old, String by, String name) {
    Instant start =
        fields.containsKey("starttime")
            ? instant(turn, "StartTime", fields.get("starttime"))
            : old != null ? old.start() : null;
    if (start == null) {
      throw invalid("StartTime is missing; write StartTime=now or a time");
    }
    Set<String> flags = flags(fields, old);
    List<String> users = names(fields, "users", "user", old == null ? List.of() : old.users());
    List<String> accounts =
        names(fields, "accounts", "account", old == null ? List.of() : old.accounts());
    if (users.isEmpty() && accounts.isEmpty()) {
      throw invalid("Users or Accounts must say who may use it");
    }
    return new Reservation(
        name.isEmpty() ? freeName(turn, users, accounts) : name,
        start,
        end(turn, fields, old, start),
        nodes(turn, fields, old, flags),
        flags,
        users,
        accounts);
  }

  private static Refusal invalid(String detail) {
    return new Refusal(SlurmError.INVALID_RESERVATION, "\n" + detail);
  }

  private static String freeName(Turn turn, List<String> users, List<String> accounts) {
    String base = users.isEmpty() ? accounts.getFirst() : users.getFirst();
    int number = turn.state().reservations().size() + 1;
    while (turn.state().reservations().containsKey(base + "_" + number)) {
      number++;
    }
    return base + "_" + number;
  }

  private Instant instant(Turn turn, String field, @Nullable String value) {
    String text = Objects.requireNonNullElse(value, "");
    try {
      return Instants.parse(text, turn.now(), zone);
    } catch (IllegalArgumentException e) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE, "Invalid " + field + " value: " + text + "\n" + e.getMessage());
    }
  }

  private Instant end(
      Turn turn, Map<String, String> fields, @Nullable Reservation old, Instant start) {
    String duration = fields.get("duration");
    Instant end;
    if (duration != null) {
      long seconds;
      try {
        seconds = TimeLimits.parseSeconds(duration);
      } catch (IllegalArgumentException e) {
        throw new Refusal(
            SlurmError.COMMAND_VALUE,
            "Invalid Duration value: " + duration + "\n" + e.getMessage());
      }
      end = start.plusSeconds(seconds == TimeLimits.UNLIMITED ? 365L * 86_400 : seconds);
    } else if (fields.containsKey("endtime")) {
      end = instant(turn, "EndTime", fields.get("endtime"));
    } else if (old != null) {
      end = old.end().plusSeconds(start.getEpochSecond() - old.start().getEpochSecond());
    } else {
      throw invalid("EndTime or Duration is missing");
    }
    if (!end.isAfter(start) || !end.isAfter(turn.now())) {
      throw new Refusal(
          SlurmError.INVALID_TIME_VALUE, "\nit would end before it starts, or in the past");
    }
    return end;
  }

  private static Set<String> flags(Map<String, String> fields, @Nullable Reservation old) {
    Set<String> flags = new TreeSet<>(old == null ? Set.of() : old.flags());
    String value = fields.get("flags");
    if (value == null) {
      return flags;
    }
    for (String part : value.toUpperCase(Locale.ROOT).split(",", -1)) {
      boolean remove = part.startsWith("-");
      String flag = part.replaceFirst("^[+-]", "").split("=", 2)[0];
      if (!FLAGS.contains(flag)) {
        throw new Refusal(
            SlurmError.NOT_SUPPORTED,
            "\nFlags=" + part + "; known are " + String.join(", ", new TreeSet<>(FLAGS)));
      }
      if (remove) {
        flags.remove(flag);
      } else {
        flags.add(flag);
      }
    }
    return flags;
  }

  private static List<String> names(
      Map<String, String> fields, String plural, String singular, List<String> otherwise) {
    String value = fields.getOrDefault(plural, fields.get(singular));
    if (value == null) {
      return otherwise;
    }
    return Arrays.stream(value.split(",", -1)).filter(n -> !n.isBlank()).toList();
  }

  private static List<String> nodes(
      Turn turn, Map<String, String> fields, @Nullable Reservation old, Set<String> flags) {
    String text = fields.get("nodes");
    String partitionName = fields.getOrDefault("partitionname", fields.get("partition"));
    List<String> pool;
    if (partitionName == null) {
      pool = turn.state().nodesInOrder().stream().map(Node::name).toList();
    } else {
      Partition partition = turn.state().partitions().get(partitionName);
      if (partition == null) {
        throw new Refusal(SlurmError.INVALID_PARTITION_NAME, "\n" + partitionName);
      }
      pool = partition.nodes();
    }
    if (text == null) {
      return counted(turn, fields, old, pool, flags);
    }
    if (text.equalsIgnoreCase("ALL")) {
      return pool;
    }
    try {
      Set<String> names = new TreeSet<>(HostList.parse(text).expand());
      for (String name : names) {
        if (turn.state().node(name) == null) {
          throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nno node is called " + name);
        }
      }
      return turn.state().nodesInOrder().stream().map(Node::name).filter(names::contains).toList();
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + e.getMessage());
    }
  }

  /** NodeCnt: the first nodes that nothing runs on, or any with IGNORE_JOBS. */
  private static List<String> counted(
      Turn turn,
      Map<String, String> fields,
      @Nullable Reservation old,
      List<String> pool,
      Set<String> flags) {
    String count = fields.get("nodecnt");
    if (count == null) {
      if (old != null) {
        return old.nodes();
      }
      throw invalid("Nodes or NodeCnt is missing");
    }
    if (!count.matches("[1-9][0-9]{0,8}")) {
      throw new Refusal(SlurmError.INVALID_NODE_COUNT, "\nNodeCnt=" + count);
    }
    int wanted = Integer.parseInt(count);
    List<String> chosen = new ArrayList<>();
    for (String name : pool) {
      if (chosen.size() < wanted
          && (flags.contains("IGNORE_JOBS") || Runs.on(turn, name).isEmpty())
          && !Runs.isOut(turn.state(), name)) {
        chosen.add(name);
      }
    }
    if (chosen.size() < wanted) {
      throw new Refusal(
          SlurmError.NODES_BUSY, "\nonly " + chosen.size() + " of " + wanted + " nodes are free");
    }
    return chosen;
  }

  /** Reservations do not share nodes at one time, and leave running jobs alone. */
  private static void checkFree(Turn turn, Reservation reservation) {
    boolean mayOverlap =
        reservation.flags().contains("MAINT") || reservation.flags().contains("OVERLAP");
    for (Reservation other : turn.state().reservations().values()) {
      boolean sameTime =
          other.start().isBefore(reservation.end()) && reservation.start().isBefore(other.end());
      boolean otherGives = other.flags().contains("MAINT") || other.flags().contains("OVERLAP");
      if (!other.name().equals(reservation.name())
          && sameTime
          && !mayOverlap
          && !otherGives
          && other.nodes().stream().anyMatch(reservation.nodes()::contains)) {
        throw new Refusal(SlurmError.NODES_BUSY, "\nreservation " + other.name() + " has them");
      }
    }
    if (reservation.flags().contains("IGNORE_JOBS")) {
      return;
    }
    for (String node : reservation.nodes()) {
      for (Job job : Runs.on(turn, node)) {
        Instant end = job.ended();
        boolean reachesIn = end == null || end.isAfter(reservation.start());
        if (reachesIn && !reservation.name().equals(job.reservation())) {
          throw new Refusal(
              SlurmError.NODES_BUSY,
              "\njob "
                  + job.displayId()
                  + " runs on "
                  + node
                  + " into it; Flags=IGNORE_JOBS lets it");
        }
      }
    }
  }

  Reply delete(Turn turn, Command.DeleteReservation command) {
    if (!turn.settings().isAdministrator(command.by())) {
      throw new Refusal(SlurmError.ACCESS_DENIED, "\nonly an administrator may delete it");
    }
    if (!turn.state().reservations().containsKey(command.name())) {
      throw new Refusal(
          SlurmError.INVALID_RESERVATION, "\nno reservation is called " + command.name());
    }
    for (Job job : turn.state().jobs().values()) {
      if (command.name().equals(job.reservation()) && !job.state().isFinished()) {
        throw new Refusal(SlurmError.RESERVATION_BUSY, "\njob " + job.displayId() + " asks for it");
      }
    }
    turn.emit(new Event.ReservationDeleted(turn.now(), command.name(), command.by().user()));
    turn.requestPass();
    return new Reply.Done(List.of());
  }

  /** Deletes reservations that are over. */
  static void expire(Turn turn) {
    for (Reservation reservation : turn.state().reservations().values()) {
      if (!reservation.end().isAfter(turn.now())) {
        turn.emit(new Event.ReservationDeleted(turn.now(), reservation.name(), "slurm"));
        turn.requestPass();
      }
    }
  }
}
