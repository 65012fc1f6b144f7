package dev.yardmaster.model;

import dev.yardmaster.model.text.Instants;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/**
 * When a repeated reservation comes again: its start and its end move on the clock of its zone,
 * each by itself, by an hour, a day or a week. So it lies at the same times of day also behind a
 * night in which the clocks change, and one that is in force meanwhile is an hour shorter or
 * longer. A time that such a night leaves out is the one an hour later, and stays so; of one that
 * comes twice the pass is meant in which the time before lies, of a start the former end, of an end
 * the start. So one that comes each hour leaves out one of the two.
 */
public final class ReservationTimes {
  /** One occurrence. */
  public record Occurrence(Instant start, Instant end) {}

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
      next = next(next, next.end());
    }
    return found;
  }

  /**
   * The reservation at its next occurrence.
   *
   * @param now when it is moved on, which is after its end unless it is skipped: of one for working
   *     days, or for weekends, it depends on the present day how far it moves
   * @throws IllegalArgumentException when it does not repeat
   */
  public static Reservation next(Reservation r, Instant now) {
    ZoneId zone = zone(r);
    int hours = r.has(ReservationFlag.HOURLY) ? 1 : 0;
    int days = hours > 0 ? 0 : days(r, LocalDateTime.ofInstant(now, zone).getDayOfWeek());
    Instant start = later(r.start(), r.end(), zone, days, hours);
    Instant end = later(r.end(), start, zone, days, hours);
    return r.with(b -> b.start(start).end(end));
  }

  /** The zone on whose clock it repeats. */
  public static ZoneId zone(Reservation r) {
    return r.zone().isEmpty() ? ZoneOffset.UTC : ZoneId.of(r.zone());
  }

  /** So many days and hours later on the clock of a zone. */
  public static Instant later(Instant from, ZoneId zone, int days, int hours) {
    return later(from, from, zone, days, hours);
  }

  private static Instant later(Instant from, Instant before, ZoneId zone, int days, int hours) {
    LocalDateTime then = LocalDateTime.ofInstant(from, zone).plusDays(days).plusHours(hours);
    return Instants.resolve(then, zone, zone.getRules().getOffset(before));
  }

  private static int days(Reservation r, DayOfWeek today) {
    if (r.has(ReservationFlag.DAILY)) {
      return 1;
    }
    if (r.has(ReservationFlag.WEEKDAY)) {
      return daysToWeekday(today);
    }
    if (r.has(ReservationFlag.WEEKEND)) {
      return daysToWeekend(today);
    }
    if (r.has(ReservationFlag.WEEKLY)) {
      return 7;
    }
    throw new IllegalArgumentException("reservation " + r.name() + " does not repeat");
  }

  /** From a day to the next working day. */
  public static int daysToWeekday(DayOfWeek today) {
    return switch (today) {
      case FRIDAY -> 3;
      case SATURDAY -> 2;
      default -> 1;
    };
  }

  /** From a day to the next day of a weekend. */
  public static int daysToWeekend(DayOfWeek today) {
    return switch (today) {
      case SATURDAY -> 1;
      case SUNDAY -> 6;
      default -> DayOfWeek.SATURDAY.getValue() - today.getValue();
    };
  }
}
