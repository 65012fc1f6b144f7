package dev.yardmaster.controller;

import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationTimes;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;

/**
 * Whether two reservations meet in time. The one that ends first is moved on to where the other
 * lies, and once past it; then the other to where that one lies. So not every pair of occurrences
 * is looked at, and maintenance that begins more than a week later counts as far away.
 */
final class ReservedTimes {
  private static final Duration WEEK = Duration.ofDays(7);

  /** One occurrence, which can be moved on. It is as long wherever it lies. */
  private record Slot(Reservation of, Instant start, Instant end) {
    boolean repeats() {
      return ReservationTimes.repeats(of);
    }

    boolean meets(Slot other) {
      return start.isBefore(other.end) && other.start.isBefore(end);
    }

    Slot at(Instant moved) {
      return new Slot(of, moved, moved.plus(Duration.between(start, end)));
    }

    Slot next() {
      ZoneId zone = ReservationTimes.zone(of);
      DayOfWeek day = LocalDateTime.ofInstant(start, zone).getDayOfWeek();
      int days =
          of.has(ReservationFlag.WEEKDAY)
              ? ReservationTimes.daysToWeekday(day)
              : of.has(ReservationFlag.WEEKEND)
                  ? ReservationTimes.daysToWeekend(day)
                  : of.has(ReservationFlag.WEEKLY) ? 7 : of.has(ReservationFlag.DAILY) ? 1 : 0;
      return at(ReservationTimes.later(start, zone, days, days == 0 ? 1 : 0));
    }

    /** The last occurrence that begins before a moment; it jumps over long times. */
    Slot lastBefore(Instant moment) {
      Slot last = this;
      long days = Duration.between(start, moment).toDays();
      if (days > 7) {
        int jump = (int) (days - 7);
        jump -= of.has(ReservationFlag.WEEKLY) ? jump % 7 : 0;
        last = at(ReservationTimes.later(start, ReservationTimes.zone(of), jump, 0));
      }
      Slot next = last;
      while (next.start.isBefore(moment)) {
        last = next;
        next = next.next();
      }
      return last;
    }
  }

  private ReservedTimes() {}

  /**
   * Where a reservation lies that is asked for. Of one that is to float Slurm takes the moment at
   * which it starts for the time to that moment, so that it is looked for decades ahead, where it
   * meets none that does not repeat; one whose end is fixed meets all.
   */
  private static Slot asked(Reservation asked, Instant now) {
    if (!asked.has(ReservationFlag.TIME_FLOAT)) {
      return new Slot(asked, asked.start(), asked.end());
    }
    Instant start = asked.start().plusSeconds(now.getEpochSecond());
    long minutes = asked.durationMinutes();
    return new Slot(asked, start, minutes > 0 ? start.plusSeconds(60 * minutes) : asked.end());
  }

  static boolean meet(Reservation asked, Reservation other, Instant now) {
    Slot first = asked(asked, now);
    if (first.start().isAfter(first.end())) {
      return true;
    }
    Slot second = new Slot(other, other.start(), other.end());
    if (second.end().isBefore(first.end())) {
      Slot swapped = first;
      first = second;
      second = swapped;
    }
    if (first.meets(second)) {
      return true;
    }
    if (!first.repeats() || isFarMaintenance(first, second, now)) {
      return false;
    }
    first = first.lastBefore(second.end());
    if (first.meets(second)) {
      return true;
    }
    first = first.next();
    return first.meets(second) || second.repeats() && second.lastBefore(first.end()).meets(first);
  }

  private static boolean isFarMaintenance(Slot repeated, Slot other, Instant now) {
    Instant from = repeated.start().isAfter(now) ? repeated.start() : now;
    return other.of().has(ReservationFlag.MAINT)
        && !other.repeats()
        && Duration.between(from, other.start()).compareTo(WEEK) > 0;
  }
}
