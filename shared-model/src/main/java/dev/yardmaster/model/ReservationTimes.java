package dev.yardmaster.model;

import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * When a repeated reservation comes again: at the same time of day in its zone, also across the
 * nights in which the clocks change, and always for as long. A time of day that such a night leaves
 * out counts as the moment the clocks jump to; the day after it is the old one again.
 */
public final class ReservationTimes {
  /** One occurrence. */
  public record Occurrence(Instant start, Instant end) {}

  private static final long HOUR = 3600;

  private ReservationTimes() {}

  public static boolean repeats(Reservation r) {
    return ReservationFlag.REPEATS.stream().anyMatch(r::has);
  }

  /** The present and coming occurrences that begin before a moment, in order. */
  public static List<Occurrence> until(Reservation r, Instant before) {
    List<Occurrence> found = new ArrayList<>();
    Reservation next = r;
    while (next.start().isBefore(before)) {
      found.add(new Occurrence(next.start(), next.end()));
      if (!repeats(r)) {
        return found;
      }
      next = next(next);
    }
    return found;
  }

  /**
   * The reservation at its next occurrence.
   *
   * @throws IllegalArgumentException when it does not repeat
   */
  public static Reservation next(Reservation r) {
    Instant first = r.first() == null ? r.start() : r.first();
    Instant start = r.has(ReservationFlag.HOURLY) ? r.start().plusSeconds(HOUR) : nextDay(r, first);
    return r.with(b -> b.start(start).end(start.plus(r.length())).first(first));
  }

  private static Instant nextDay(Reservation r, Instant first) {
    ZoneId zone = r.zone().isEmpty() ? ZoneOffset.UTC : ZoneId.of(r.zone());
    LocalDateTime timeOfDay = LocalDateTime.ofInstant(first, zone);
    LocalDateTime day = LocalDateTime.ofInstant(r.start(), zone);
    do {
      day = day.plusDays(r.has(ReservationFlag.WEEKLY) ? 7 : 1);
    } while (!isMeant(r, day.getDayOfWeek()));
    return day.toLocalDate().atTime(timeOfDay.toLocalTime()).atZone(zone).toInstant();
  }

  private static boolean isMeant(Reservation r, DayOfWeek day) {
    boolean weekend = day == DayOfWeek.SATURDAY || day == DayOfWeek.SUNDAY;
    if (r.has(ReservationFlag.WEEKDAY)) {
      return !weekend;
    }
    if (r.has(ReservationFlag.WEEKEND)) {
      return weekend;
    }
    if (r.has(ReservationFlag.DAILY) || r.has(ReservationFlag.WEEKLY)) {
      return true;
    }
    throw new IllegalArgumentException("reservation " + r.name() + " does not repeat");
  }
}
