package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.SlurmError;
import java.time.ZoneId;
import java.util.List;
import java.util.Objects;

/** {@code scontrol create|update|delete reservation}. */
final class ReservationCommands {
  private final ZoneId zone;

  ReservationCommands(ZoneId zone) {
    this.zone = zone;
  }

  Reply save(Turn turn, Command.SaveReservation command) {
    ReservationFields fields = ReservationFields.of(command.fields(), turn.now(), zone);
    String name = fields.text("reservationname", "");
    Reservation old = turn.state().reservations().get(name);
    boolean administrator = turn.settings().isAdministrator(command.by());
    boolean maySkip =
        !administrator
            && !command.create()
            && old != null
            && ReservationAccess.mayDelete(turn, old, command.by())
            && (fields.has("skip") || !fields.has("flags"));
    if (!administrator && !maySkip) {
      throw new Refusal(SlurmError.INVALID_USER_ID, "\nonly an administrator may reserve nodes");
    }
    if (!command.create() && old == null) {
      throw new Refusal(SlurmError.INVALID_RESERVATION, "\nno reservation is called " + name);
    }
    Reservation saved =
        command.create()
            ? create(turn, ReservationReader.ofPartition(fields), name)
            : maySkip
                ? skip(turn, Objects.requireNonNull(old))
                : update(turn, fields, Objects.requireNonNull(old));
    turn.emit(new Event.ReservationSaved(turn.now(), saved, command.by().user()));
    turn.requestPass();
    return new Reply.Done(
        command.create() ? List.of("Reservation created: " + saved.name()) : List.of());
  }

  private static Reservation create(Turn turn, ReservationFields fields, String name) {
    Reservation read = ReservationReader.read(fields, name);
    ReservationAccess.check(turn, read, false);
    Reservation complete = ReservationResources.create(turn, fields, read);
    int id = turn.index().nextReservation();
    if (name.isEmpty()) {
      while (turn.state().reservations().containsKey(made(complete, id))) {
        id++;
      }
      return complete.withName(made(complete, id)).withId(id);
    }
    if (turn.state().reservations().containsKey(name)) {
      throw new Refusal(SlurmError.RESERVATION_NAME_DUPLICATE, "\n" + name);
    }
    return complete.withId(id);
  }

  private static Reservation update(Turn turn, ReservationFields fields, Reservation old) {
    if (fields.has("skip")) {
      ReservationUpdate.skipped(old, turn.now());
    }
    ReservationResources.checkParts(fields, old);
    Reservation read = ReservationUpdate.read(fields, old);
    Reservation changed = ReservationResources.update(turn, fields, read, old);
    boolean nobody =
        !changed.groups().isEmpty() && fields.fills("groups") && fields.clears("users");
    ReservationAccess.check(turn, changed, nobody);
    ReservationAccess.checkJobs(turn, changed);
    ReservationResources.checkHasSome(changed);
    return fields.has("skip") ? skip(turn, changed) : changed;
  }

  private static Reservation skip(Turn turn, Reservation r) {
    Reservation skipped = ReservationUpdate.skipped(r, turn.now());
    checkUnused(turn, r.name());
    return skipped.withId(turn.index().nextReservation());
  }

  /** The name of a reservation without one: its first account, user or group, and its number. */
  private static String made(Reservation r, int id) {
    String base = "resv";
    for (List<String> names : List.of(r.accounts(), r.users(), r.groups())) {
      if (!names.isEmpty()) {
        base = names.getFirst().replaceFirst("^-", "");
        break;
      }
    }
    return base + "_" + id;
  }

  Reply delete(Turn turn, Command.DeleteReservation command) {
    Reservation reservation = turn.state().reservations().get(command.name());
    boolean own =
        reservation != null && ReservationAccess.mayDelete(turn, reservation, command.by());
    if (!turn.settings().isAdministrator(command.by()) && !own) {
      throw new Refusal(SlurmError.INVALID_USER_ID, "\nonly an administrator may delete it");
    }
    if (reservation == null) {
      throw new Refusal(
          SlurmError.INVALID_RESERVATION, "\nno reservation is called " + command.name());
    }
    checkUnused(turn, command.name());
    ReservationKeeper.forgetMaintenance(turn, reservation);
    turn.emit(new Event.ReservationDeleted(turn.now(), command.name(), command.by().user()));
    turn.requestPass();
    return new Reply.Done(List.of());
  }

  private static void checkUnused(Turn turn, String name) {
    for (Job job : turn.state().jobs().values()) {
      if (name.equals(job.reservation()) && !job.state().isFinished()) {
        throw new Refusal(SlurmError.RESERVATION_BUSY, "\njob " + job.displayId() + " asks for it");
      }
    }
  }
}
