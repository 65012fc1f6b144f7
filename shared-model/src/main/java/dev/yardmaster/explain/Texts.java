package dev.yardmaster.explain;

import java.text.MessageFormat;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.ResourceBundle;

/** The bundle of the explanation's words with the few value formats that every sentence shares. */
final class Texts {
  /** Characters of a name that are shown. */
  private static final int LONGEST_NAME = 80;

  private final ResourceBundle bundle;
  private final Locale locale;
  private final ZoneId zone;

  Texts(Locale locale, ZoneId zone) {
    // No fallback to the machine's own language: a language without a bundle gets English.
    this.bundle =
        ResourceBundle.getBundle(
            "dev.yardmaster.explain.words",
            locale,
            ResourceBundle.Control.getNoFallbackControl(ResourceBundle.Control.FORMAT_PROPERTIES));
    this.locale = locale;
    this.zone = zone;
  }

  /**
   * A name that a user chose, fit to stand in a sentence: control characters, which a terminal
   * would obey, are made visible, and what is very long is cut.
   */
  static String printable(String name) {
    StringBuilder out = new StringBuilder();
    int[] characters = name.codePoints().limit(LONGEST_NAME + 1L).toArray();
    for (int i = 0; i < Math.min(characters.length, LONGEST_NAME); i++) {
      int c = characters[i];
      int type = Character.getType(c);
      switch (type) {
        case Character.CONTROL,
            Character.FORMAT,
            Character.LINE_SEPARATOR,
            Character.PARAGRAPH_SEPARATOR,
            Character.SURROGATE ->
            out.append(
                switch (c) {
                  case '\n' -> "\\n";
                  case '\r' -> "\\r";
                  case '\t' -> "\\t";
                  default -> "\\u%04x".formatted(c);
                });
        default -> out.appendCodePoint(c);
      }
    }
    return characters.length > LONGEST_NAME ? out.append('…').toString() : out.toString();
  }

  boolean has(String key) {
    return bundle.containsKey(key);
  }

  String get(String key, Object... arguments) {
    return new MessageFormat(bundle.getString(key), locale).format(arguments);
  }

  /** {@code 3 h 10}, {@code 45 min}, {@code 2 d 4 h}; negative means no limit. */
  String duration(long seconds) {
    if (seconds < 0) {
      return get("duration.unlimited");
    }
    Duration d = Duration.ofSeconds(seconds);
    if (seconds < 60) {
      return get("duration.seconds", seconds);
    }
    if (seconds < 3600) {
      return get("duration.minutes", d.toMinutes());
    }
    if (seconds < 48 * 3600) {
      return d.toMinutesPart() == 0
          ? get("duration.hoursOnly", d.toHours())
          : get("duration.hours", d.toHours(), "%02d".formatted(d.toMinutesPart()));
    }
    return d.toHoursPart() == 0
        ? get("duration.daysOnly", Long.toString(d.toDays()))
        : get("duration.days", Long.toString(d.toDays()), d.toHoursPart());
  }

  /**
   * {@code 12:40:07} in the next minute after {@code now}, {@code 12:40} on the same day, {@code
   * Tue 03:20} within six days, else with the date.
   */
  String instant(Instant instant, Instant now) {
    ZonedDateTime then = instant.atZone(zone);
    long days = ChronoUnit.DAYS.between(now.atZone(zone).toLocalDate(), then.toLocalDate());
    boolean near = instant.isAfter(now) && instant.isBefore(now.plusSeconds(60));
    String pattern =
        near
            ? "HH:mm:ss"
            : days == 0 ? "HH:mm" : Math.abs(days) < 7 ? "EEE HH:mm" : "d MMM yyyy HH:mm";
    return DateTimeFormatter.ofPattern(pattern, locale).format(then);
  }

  /** {@code 2026-11-30 12:00 CET}: by itself, for a reader elsewhere and later. */
  String moment(Instant instant) {
    return DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm zzz", locale).format(instant.atZone(zone));
  }

  /**
   * {@code a}, {@code a and b}, {@code a, b and c}; long lists end with how many more there are.
   */
  String list(List<String> items) {
    if (items.size() <= 1) {
      return String.join("", items);
    }
    if (items.size() > 4) {
      return get("list.more", String.join(", ", items.subList(0, 3)), items.size() - 3);
    }
    return get("list.and", String.join(", ", items.subList(0, items.size() - 1)), items.getLast());
  }
}
