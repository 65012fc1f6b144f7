package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationTimes;
import dev.yardmaster.model.SlurmError;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code scontrol create|update|delete reservation}. */
final class ReservationCommands {
  private static final Set<String> FIELDS =
      Set.of(
          "reservationname",
          "reservation",
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
          "user",
          "accounts",
          "account",
          "groups",
          "group",
          "qos",
          "allowedpartitions",
          "allowedpartition",
          "flags",
          "partitionname",
          "partition",
          "maxstartdelay",
          "comment",
          "skip");

  private final ZoneId zone;

  ReservationCommands(ZoneId zone) {
    this.zone = zone;
  }

  Reply save(Turn turn, Command.SaveReservation command) {
    if (!turn.settings().isAdministrator(command.by())) {
      throw new Refusal(SlurmError.INVALID_USER_ID, "\nonly an administrator may reserve nodes");
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
      if (!FIELDS.contains(field)) {
        throw new Refusal(
            SlurmError.NOT_SUPPORTED,
            "\n" + field + "=" + fields.get(field) + " is not supported for reservations");
      }
    }
    Reservation saved =
        old != null && fields.containsKey("skip") ? skip(old) : read(turn, fields, old, name);
    turn.emit(new Event.ReservationSaved(turn.now(), saved, command.by().user()));
    turn.requestPass();
    return new Reply.Done(
        command.create() ? List.of("Reservation created: " + saved.name()) : List.of());
  }

  private Reservation read(
      Turn turn, Map<String, String> fields, @Nullable Reservation old, String name) {
    ReservationReader reader = new ReservationReader(turn.now(), zone, fields, old);
    Reservation read = reader.read(name);
    Reservation complete = ReservationResources.read(turn, fields, read, old);
    return name.isEmpty() ? complete.withName(freeName(turn, complete)) : complete;
  }

  private static Reservation skip(Reservation old) {
    if (!ReservationTimes.repeats(old)) {
      throw new Refusal(SlurmError.RESERVATION_NO_SKIP, "\nreservation " + old.name());
    }
    return ReservationTimes.next(old);
  }

  private static String freeName(Turn turn, Reservation r) {
    String base = "resv";
    for (List<String> names : List.of(r.users(), r.accounts(), r.groups())) {
      if (!names.isEmpty()) {
        base = names.getFirst().replaceFirst("^-", "");
        break;
      }
    }
    int number = turn.state().reservations().size() + 1;
    while (turn.state().reservations().containsKey(base + "_" + number)) {
      number++;
    }
    return base + "_" + number;
  }

  Reply delete(Turn turn, Command.DeleteReservation command) {
    Reservation reservation = turn.state().reservations().get(command.name());
    boolean own =
        reservation != null
            && reservation.has(ReservationFlag.USER_DELETE)
            && mayUse(reservation, command.by());
    if (!turn.settings().isAdministrator(command.by()) && !own) {
      throw new Refusal(SlurmError.INVALID_USER_ID, "\nonly an administrator may delete it");
    }
    if (reservation == null) {
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

  private static boolean mayUse(Reservation reservation, Identity by) {
    JobOwner owner = new JobOwner(by.user(), by.uid(), by.group(), by.gid(), "", "", "");
    return reservation
        .with(r -> r.qos(List.of()).allowedPartitions(List.of()))
        .admits(owner, List.of(), List.of());
  }
}
