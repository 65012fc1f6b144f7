package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** sinfo --reservation. */
final class ReservationList {
  private ReservationList() {}

  /** As Slurm lists them: in the order in which they were made. */
  static List<Reservation> inOrder(ClusterView view) {
    List<Reservation> list = new ArrayList<>(view.reservations().values());
    list.sort(Comparator.comparingInt(Reservation::id));
    return list;
  }

  static void print(ClusterView view, Instant now, Io io, boolean header) {
    int width = "RESV_NAME".length();
    for (String name : view.reservations().keySet()) {
      width = Math.max(width, name.length());
    }
    String format = "%-" + width + "s  %8s  %19s  %19s  %11s  %s";
    if (view.reservations().isEmpty()) {
      io.out().println("No reservations in the system");
      return;
    }
    if (header) {
      io.out()
          .println(
              String.format(
                  Locale.ROOT,
                  format,
                  "RESV_NAME",
                  "STATE",
                  "START_TIME",
                  "END_TIME",
                  "DURATION",
                  "NODELIST"));
    }
    for (Reservation stored : inOrder(view)) {
      Reservation reservation = stored.at(now);
      io.out()
          .println(
              String.format(
                  Locale.ROOT,
                  format,
                  reservation.name(),
                  reservation.isActive(now) ? "ACTIVE" : "INACTIVE",
                  Instants.format(reservation.start(), io.zone()),
                  Instants.format(reservation.end(), io.zone()),
                  TimeLimits.format(
                      Duration.between(reservation.start(), reservation.end()).toSeconds()),
                  HostList.fold(reservation.nodes())));
    }
  }
}
