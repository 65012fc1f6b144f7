package dev.yardmaster.console.i18n;

import java.text.NumberFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * How the console writes numbers, durations and instants. Immutable; may be used by any thread.
 *
 * <p>Durations are {@code 40 s}, {@code 12 min}, {@code 3 h 10}, {@code 2 d 5 h}; instants are
 * {@code Tue 03:20}, with {@link #full} for the hover text.
 */
public final class Formats {
  /** Stands for a value that is not known. */
  public static final String UNKNOWN = "—";

  private static final char SPACE = '\u00a0';
  private static final char MINUS = '−';
  private static final long MINUTE = 60;
  private static final long HOUR = 3_600;
  private static final long DAY = 86_400;

  private final Locale locale;
  private final ZoneId zone;
  private final DateTimeFormatter weekdayTime;
  private final DateTimeFormatter fullTime;
  private final DateTimeFormatter dateTime;
  private final DateTimeFormatter clockTime;

  public Formats(Locale locale, ZoneId zone) {
    this.locale = locale;
    this.zone = zone;
    this.weekdayTime = DateTimeFormatter.ofPattern("EEE HH:mm", locale).withZone(zone);
    this.dateTime = DateTimeFormatter.ofPattern("d MMM HH:mm", locale).withZone(zone);
    this.clockTime = DateTimeFormatter.ofPattern("HH:mm:ss", locale).withZone(zone);
    this.fullTime =
        DateTimeFormatter.ofLocalizedDateTime(FormatStyle.FULL, FormatStyle.MEDIUM)
            .withLocale(locale)
            .withZone(zone);
  }

  /** A count with the thousands separated as the language does. */
  public String count(long value) {
    NumberFormat format = NumberFormat.getIntegerInstance(locale);
    return format.format(value);
  }

  /** A share of one as a percentage, {@code 93.1 %}. */
  public String percent(double share, int decimals) {
    NumberFormat format = NumberFormat.getNumberInstance(locale);
    format.setMinimumFractionDigits(decimals);
    format.setMaximumFractionDigits(decimals);
    return format.format(share * 100) + SPACE + '%';
  }

  /** How long something takes, to two units at most. */
  public String duration(Duration duration) {
    long seconds = duration.abs().toSeconds();
    String sign = duration.isNegative() && seconds > 0 ? String.valueOf(MINUS) : "";
    if (seconds < MINUTE) {
      return sign + seconds + SPACE + 's';
    }
    if (seconds < HOUR) {
      return sign + seconds / MINUTE + SPACE + "min";
    }
    if (seconds < DAY) {
      return "%s%d%ch%c%02d".formatted(sign, seconds / HOUR, SPACE, SPACE, seconds % HOUR / MINUTE);
    }
    long hours = seconds % DAY / HOUR;
    String days = sign + count(seconds / DAY) + SPACE + 'd';
    return hours == 0 ? days : days + SPACE + hours + SPACE + 'h';
  }

  /** A duration as a change: always with its sign, and 0 for none. */
  public String change(Duration change) {
    if (change.abs().toSeconds() == 0) {
      return "0";
    }
    return change.isNegative() ? duration(change) : '+' + duration(change);
  }

  /** When something happens, with the day of the week, cased as within a sentence. */
  public String instant(Instant instant) {
    return weekdayTime.format(instant);
  }

  /**
   * When something happens, as seen from another moment: with the day of the week while that is
   * clear, with the date when it is six days away or more.
   */
  public String instant(Instant instant, Instant now) {
    long days =
        ChronoUnit.DAYS.between(now.atZone(zone).toLocalDate(), instant.atZone(zone).toLocalDate());
    return Math.abs(days) < 6 ? instant(instant) : dateTime.format(instant);
  }

  /** The time of day to the second, for things of this moment. */
  public String clock(Instant instant) {
    return clockTime.format(instant);
  }

  /** The zone that instants are written in. */
  public ZoneId zone() {
    return zone;
  }

  /** The full date and time with the zone, for hover texts and tickets. */
  public String full(Instant instant) {
    return fullTime.format(instant) + " " + zone.getId();
  }
}
