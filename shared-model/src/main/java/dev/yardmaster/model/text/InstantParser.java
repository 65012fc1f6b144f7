package dev.yardmaster.model.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Year;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one time specification. */
final class InstantParser {
  private static final String HELP =
      "write now+2hours, 16:00, tomorrow, 2026-12-01 or 2026-12-01T13:00:00";

  /** About 300 years: no schedule is longer, and no sum with it overflows. */
  private static final long MAX_DELTA = 10_000_000_000L;

  private static final Map<String, LocalTime> NAMED_TIMES =
      Map.of(
          "midnight", LocalTime.MIDNIGHT,
          "noon", LocalTime.NOON,
          "elevenses", LocalTime.of(11, 0),
          "fika", LocalTime.of(15, 0),
          "teatime", LocalTime.of(16, 0));

  private static final Map<String, Long> UNITS = new LinkedHashMap<>();

  static {
    UNITS.put("seconds", 1L);
    UNITS.put("second", 1L);
    UNITS.put("minutes", 60L);
    UNITS.put("minute", 60L);
    UNITS.put("hours", 3600L);
    UNITS.put("hour", 3600L);
    UNITS.put("days", 86400L);
    UNITS.put("day", 86400L);
    UNITS.put("weeks", 604800L);
    UNITS.put("week", 604800L);
  }

  private final Scan scan;
  private final Instant now;
  private final ZoneId zone;
  private final LocalDateTime localNow;
  private final boolean past;
  private @Nullable LocalDate date;
  private @Nullable LocalTime time;
  private boolean yearMissing;

  InstantParser(String text, Instant now, ZoneId zone, boolean past) {
    this.scan = new Scan("time", text);
    this.now = now.truncatedTo(ChronoUnit.SECONDS);
    this.zone = zone;
    this.localNow = LocalDateTime.ofInstant(this.now, zone);
    this.past = past;
  }

  /** Parses it; the offset is tried first where a time of the clock could mean two. */
  Instant parse(ZoneOffset tried) {
    if (scan.acceptWord("uts")) {
      long seconds = scan.number("seconds since 1970", MAX_DELTA);
      finish();
      return Instant.ofEpochSecond(seconds);
    }
    skipBlanks();
    if (scan.acceptWord("now")) {
      return relative();
    }
    while (!scan.end()) {
      char c = scan.peek();
      if (c == ' ' || c == '\t' || isJoint(c)) {
        scan.at++;
      } else {
        part();
      }
    }
    if (date == null && time == null) {
      throw scan.whole("empty", HELP);
    }
    return Instants.resolve(local(), zone, tried);
  }

  private Instant relative() {
    skipBlanks();
    if (scan.end()) {
      return now;
    }
    boolean minus = scan.peek() == '-';
    if (!minus && scan.peek() != '+') {
      throw scan.error(scan.at, "unexpected text after now" + scan.found(), "write now+2hours");
    }
    scan.at++;
    skipBlanks();
    int from = scan.at;
    long count = scan.number("a number", MAX_DELTA);
    skipBlanks();
    long unit = 1;
    for (Map.Entry<String, Long> each : UNITS.entrySet()) {
      if (scan.acceptWord(each.getKey())) {
        unit = each.getValue();
        break;
      }
    }
    skipBlanks();
    if (!scan.end()) {
      throw scan.error(scan.at, "unknown unit", "use seconds, minutes, hours, days or weeks");
    }
    if (count > MAX_DELTA / unit) {
      throw scan.error(from, "too far away", "use at most " + MAX_DELTA + " seconds");
    }
    return minus ? now.minusSeconds(count * unit) : now.plusSeconds(count * unit);
  }

  private void part() {
    int from = scan.at;
    if (scan.acceptWord("today")) {
      date(from, localNow.toLocalDate());
      return;
    }
    if (scan.acceptWord("tomorrow")) {
      date(from, inADay());
      return;
    }
    for (Map.Entry<String, LocalTime> named : NAMED_TIMES.entrySet()) {
      if (scan.acceptWord(named.getKey())) {
        time(from, named.getValue());
        return;
      }
    }
    String digits = scan.digits();
    if (digits.isEmpty()) {
      throw scan.error(from, scan.unexpected(), HELP);
    }
    if (digits.length() <= 2 && scan.peek() == ':') {
      clock(from, Integer.parseInt(digits));
    } else if (digits.length() == 4 && scan.peek() == '-') {
      isoDate(from, Integer.parseInt(digits));
    } else {
      slashDate(from, digits);
    }
  }

  private void clock(int from, int hour) {
    scan.at++;
    int minute = twoDigits("minutes", 59);
    int second = scan.accept(':') ? twoDigits("seconds", 59) : 0;
    skipBlanks();
    int h = hour;
    if (scan.acceptWord("pm")) {
      h = twelve(from, hour) + 12;
    } else if (scan.acceptWord("am")) {
      h = twelve(from, hour);
    } else if (hour > 23) {
      throw scan.error(from, "hour " + hour, "use 0-23");
    }
    time(from, LocalTime.of(h, minute, second));
  }

  private int twelve(int from, int hour) {
    if (hour > 12) {
      throw scan.error(from, "hour " + hour + " with AM or PM", "use 1-12");
    }
    return hour % 12;
  }

  private int twoDigits(String what, int max) {
    int from = scan.at;
    String digits = scan.digits();
    if (digits.length() != 2 || Integer.parseInt(digits) > max) {
      throw scan.error(
          from, what + " " + NotationException.shown(digits, 1) + " out of range", "use 00-" + max);
    }
    return Integer.parseInt(digits);
  }

  private void isoDate(int from, int year) {
    scan.at++;
    int month = (int) scan.number("a month", 12);
    if (!scan.accept('-')) {
      throw scan.error(scan.at, "expected \"-\"" + scan.found(), "write 2026-12-01");
    }
    date(from, calendar(from, year, month, (int) scan.number("a day", 31)));
  }

  private void slashDate(int from, String digits) {
    if (digits.length() == 6 || digits.length() == 4) {
      int month = Integer.parseInt(digits.substring(0, 2));
      int day = Integer.parseInt(digits.substring(2, 4));
      yearMissing = digits.length() == 4;
      int year = yearMissing ? localNow.getYear() : 2000 + Integer.parseInt(digits.substring(4));
      date(from, calendar(from, year, month, day));
      return;
    }
    char separator = scan.peek();
    if (digits.length() > 2 || (separator != '/' && separator != '.')) {
      throw scan.error(from, "not a date or time of day", HELP);
    }
    scan.at++;
    int month = Integer.parseInt(digits);
    int day = (int) scan.number("a day", 31);
    yearMissing = !scan.accept(separator);
    int year = yearMissing ? localNow.getYear() : 2000 + twoDigits("a year", 99);
    date(from, calendar(from, year, month, day));
  }

  /**
   * A month and day without year are read as 29 February where they may be; the year that has one
   * is found later.
   */
  private LocalDate calendar(int from, int year, int month, int day) {
    try {
      if (yearMissing && month == 2 && day == 29) {
        return nextLeapDay(year);
      }
      if (year < 1970) {
        throw scan.error(from, "year " + year, "use 1970 or later");
      }
      return LocalDate.of(year, month, day);
    } catch (DateTimeException e) {
      throw scan.error(from, "no such day", "use a day of the calendar, as 2026-12-01");
    }
  }

  private LocalDate nextLeapDay(int from) {
    int year = from;
    while (!Year.isLeap(year)) {
      year += past ? -1 : 1;
    }
    return LocalDate.of(year, 2, 29);
  }

  /** The day in 24 hours, which in a night of clock changes may be today, or the day after next. */
  private LocalDate inADay() {
    return LocalDateTime.ofInstant(now.plusSeconds(86_400), zone).toLocalDate();
  }

  private void date(int from, LocalDate found) {
    if (date != null) {
      throw scan.error(from, "a second date", HELP);
    }
    date = found;
  }

  private void time(int from, LocalTime found) {
    if (time != null) {
      throw scan.error(from, "a second time of day", HELP);
    }
    time = found;
  }

  /** Fills in what was left out, as of now. */
  private LocalDateTime local() {
    LocalDate day = date;
    LocalTime clock = time == null ? LocalTime.MIDNIGHT : time;
    LocalTime minute = localNow.toLocalTime().truncatedTo(ChronoUnit.MINUTES);
    if (day == null) {
      boolean ahead = clock.truncatedTo(ChronoUnit.MINUTES).isAfter(minute);
      return LocalDateTime.of(past || ahead ? localNow.toLocalDate() : inADay(), clock);
    }
    LocalDateTime found = LocalDateTime.of(day, clock);
    if (yearMissing && past && day.getMonthValue() > localNow.getMonthValue()) {
      return found.minusYears(1);
    }
    boolean ahead =
        found.truncatedTo(ChronoUnit.MINUTES).isAfter(localNow.truncatedTo(ChronoUnit.MINUTES));
    if (yearMissing && !past && !ahead) {
      return day.getMonthValue() == 2 && day.getDayOfMonth() == 29
          ? LocalDateTime.of(nextLeapDay(day.getYear() + 1), clock)
          : found.plusYears(1);
    }
    return found;
  }

  /** Between date and time stands "T" or "-"; a "T" may also begin a word such as "Teatime". */
  private boolean isJoint(char c) {
    boolean between = date != null && time == null;
    boolean beforeDigit =
        scan.at + 1 < scan.text.length() && Scan.isDigit(scan.text.charAt(scan.at + 1));
    return between && (c == '-' || (c == 'T' && beforeDigit));
  }

  private void skipBlanks() {
    while (scan.peek() == ' ' || scan.peek() == '\t') {
      scan.at++;
    }
  }

  private void finish() {
    if (!scan.end()) {
      throw scan.error(scan.at, scan.unexpected(), HELP);
    }
  }
}
