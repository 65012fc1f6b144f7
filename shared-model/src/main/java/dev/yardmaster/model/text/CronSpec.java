package dev.yardmaster.model.text;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * When a line of a crontab is to run, as scrontab(1) reads it: minute, hour, day of the month,
 * month and day of the week. A field that says {@code *} does not count; where both days are given,
 * either is enough.
 */
public final class CronSpec {
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  /** The shortcuts as fields. */
  private static final Map<String, String> SHORTCUTS =
      Map.of(
          "yearly", "0 0 1 1 *",
          "annually", "0 0 1 1 *",
          "monthly", "0 0 1 * *",
          "weekly", "0 0 * * 0",
          "daily", "0 0 * * *",
          "midnight", "0 0 * * *",
          "elevenses", "0 11 * * *",
          "fika", "0 15 * * *",
          "teatime", "0 16 * * *",
          "hourly", "0 0-23 * * *");

  private static final int MINUTE = 0;
  private static final int HOUR = 1;
  private static final int DAY = 2;
  private static final int MONTH = 3;
  private static final int WEEKDAY = 4;

  /** How many values each field may name; the last of minute, hour and day is its first again. */
  private static final int[] SIZES = {61, 25, 32, 13, 8};

  /** Every four years one of the days is there; eight where a century has none. */
  private static final int LONGEST_YEARS = 9;

  private final List<@Nullable BitSet> fields;

  private CronSpec(List<@Nullable BitSet> fields) {
    this.fields = fields;
  }

  /**
   * A line of a crontab.
   *
   * @param typed the times as typed
   */
  public record Line(CronSpec spec, String typed, String command) {}

  /**
   * Reads the times as {@link #toString} writes them.
   *
   * @throws NotationException for anything else
   */
  public static CronSpec parse(String text) {
    return line(text + " .").spec();
  }

  /**
   * Reads a line: the times, and behind a space the command.
   *
   * @throws NotationException with Slurm's word for what is wrong as its fault, empty where it has
   *     none
   */
  public static Line line(String line) {
    Reader reader = new Reader(line);
    CronSpec spec = line.startsWith("@") ? shortcut(reader) : reader.fields();
    String typed = line.substring(0, reader.at);
    reader.blank();
    if (!spec.isPossible()) {
      throw reader.fault("");
    }
    return new Line(spec, typed, line.substring(reader.at));
  }

  private static CronSpec shortcut(Reader reader) {
    String word = reader.text.substring(1).toLowerCase(Locale.ROOT);
    for (Map.Entry<String, String> shortcut : SHORTCUTS.entrySet()) {
      if (word.startsWith(shortcut.getKey())) {
        reader.at = 1 + shortcut.getKey().length();
        return new Reader(shortcut.getValue()).fields();
      }
    }
    throw reader.fault("invalid @ line");
  }

  /** Reads fields from left to right. */
  private static final class Reader {
    private final String text;
    private int at;

    Reader(String text) {
      this.text = text;
    }

    char next() {
      return at < text.length() ? text.charAt(at) : 0;
    }

    NotationException fault(String fault) {
      return new NotationException("crontab line", text, at + 1, fault, "");
    }

    void blank() {
      if (next() != ' ' && next() != '\t') {
        throw fault("");
      }
      while (next() == ' ' || next() == '\t') {
        at++;
      }
    }

    CronSpec fields() {
      List<@Nullable BitSet> fields = new ArrayList<>();
      for (int field = MINUTE; field <= WEEKDAY; field++) {
        if (field > MINUTE) {
          blank();
        }
        fields.add(field(field));
      }
      return new CronSpec(fields);
    }

    private @Nullable BitSet field(int field) {
      int size = SIZES[field];
      BitSet bits = new BitSet(size);
      boolean wild = false;
      if (next() == 0) {
        throw fault("cronspec_to_bitstring: unexpected end of line");
      } else if (next() == '*') {
        bits.set(0, size);
        at++;
        wild = next() != '/';
      } else if (field >= MONTH && Character.isLetter(next())) {
        List<String> names = field == MONTH ? MONTHS : DAYS;
        String name = text.substring(at, Math.min(text.length(), at + 3)).toLowerCase(Locale.ROOT);
        int known = names.indexOf(name);
        if (known < 0) {
          throw fault(field == MONTH ? "bad month specification" : "bad day specification");
        }
        bits.set(known + 1);
        at += 3;
      } else {
        ranges(bits, size);
      }
      step(bits, size, field <= HOUR ? 0 : 1);
      if (field != DAY && field != MONTH && bits.get(size - 1)) {
        bits.set(0);
        bits.clear(size - 1);
      } else if (field == DAY || field == MONTH) {
        bits.clear(0);
      }
      return wild ? null : bits;
    }

    /** Numbers and ranges in a list, as a bit string of Slurm's reads them. */
    private void ranges(BitSet bits, int size) {
      int end = at;
      while (end < text.length() && "0123456789-,".indexOf(text.charAt(end)) >= 0) {
        end++;
      }
      String list = text.substring(at, end);
      at = end;
      if (list.startsWith(",") || list.isEmpty()) {
        return;
      }
      for (String part : list.split(",", -1)) {
        String[] ends = part.split("-", -1);
        int last = number(ends[ends.length - 1], size);
        int first = ends.length == 1 ? last : number(ends[ends.length - 2], size);
        if (first <= last) {
          bits.set(first, last + 1);
        }
      }
    }

    private int number(String digits, int size) {
      int number = digits.isEmpty() ? 0 : digits.length() > 6 ? size : Integer.parseInt(digits);
      if (number >= size) {
        throw fault("");
      }
      return number;
    }

    private void step(BitSet bits, int size, int start) {
      if (next() != '/') {
        return;
      }
      at++;
      int end = at;
      while (end < text.length() && Character.isDigit(text.charAt(end))) {
        end++;
      }
      String digits = text.substring(at, end);
      int step = digits.isEmpty() || digits.length() > 6 ? 0 : Integer.parseInt(digits);
      if (step <= 1 || step >= size) {
        throw fault("bad step value");
      }
      at = end;
      BitSet mask = new BitSet(size);
      for (int i = start; i < size; i += step) {
        mask.set(i);
      }
      bits.and(mask);
    }
  }

  /** Whether each field names something, and some month has a day that is named. */
  private boolean isPossible() {
    for (BitSet field : fields) {
      if (field != null && field.isEmpty()) {
        return false;
      }
    }
    BitSet days = fields.get(DAY);
    BitSet months = fields.get(MONTH);
    if (days == null || months == null) {
      return true;
    }
    int first = days.nextSetBit(0);
    return months.stream().anyMatch(month -> LocalDate.of(2024, month, 1).lengthOfMonth() >= first);
  }

  /**
   * The next time that it names, in the minute after {@code now} or later.
   *
   * @param earliest where it is more than a minute away, the next time in its minute or later; null
   *     for none
   */
  public Instant next(Instant now, @Nullable Instant earliest, ZoneId zone) {
    boolean later = earliest != null && earliest.isAfter(now.plusSeconds(60));
    Instant from = later && earliest != null ? earliest : now;
    LocalDateTime minute = LocalDateTime.ofInstant(from, zone).truncatedTo(ChronoUnit.MINUTES);
    if (!later) {
      // As in Slurm the hour and the day are looked at before the minute has come to a new hour.
      boolean turn = minute.getMinute() == 59 && fields.get(MINUTE) == null;
      if (turn && isDay(minute.toLocalDate()) && names(HOUR, minute.getHour())) {
        return after(minute.plusMinutes(1), now, zone);
      }
      minute = minute.plusMinutes(1);
    }
    LocalDate last = minute.toLocalDate().plusYears(LONGEST_YEARS);
    for (LocalDate day = minute.toLocalDate(); !day.isAfter(last); day = day.plusDays(1)) {
      if (isDay(day)) {
        boolean today = day.equals(minute.toLocalDate());
        LocalDateTime found = timeOf(day, today ? minute : day.atStartOfDay());
        if (found != null) {
          return after(found, now, zone);
        }
      }
    }
    throw new IllegalStateException("no day is named by " + this);
  }

  private @Nullable LocalDateTime timeOf(LocalDate day, LocalDateTime from) {
    for (int hour = from.getHour(); hour < 24; hour++) {
      if (names(HOUR, hour)) {
        for (int minute = hour == from.getHour() ? from.getMinute() : 0; minute < 60; minute++) {
          if (names(MINUTE, minute)) {
            return day.atTime(hour, minute);
          }
        }
      }
    }
    return null;
  }

  /**
   * The instant of a time of the zone: of an hour that there is twice the first that is still to
   * come, and of one that is left out as much later.
   */
  private static Instant after(LocalDateTime time, Instant now, ZoneId zone) {
    for (ZoneOffset offset : zone.getRules().getValidOffsets(time)) {
      Instant instant = time.toInstant(offset);
      if (instant.isAfter(now)) {
        return instant;
      }
    }
    return time.atZone(zone).toInstant();
  }

  private boolean names(int field, int value) {
    BitSet bits = fields.get(field);
    return bits == null || bits.get(value);
  }

  private boolean isDay(LocalDate day) {
    boolean ofMonth = names(DAY, day.getDayOfMonth());
    boolean ofWeek = names(WEEKDAY, day.getDayOfWeek().getValue() % 7);
    boolean both = fields.get(DAY) != null && fields.get(WEEKDAY) != null;
    return names(MONTH, day.getMonthValue()) && (both ? ofMonth || ofWeek : ofMonth && ofWeek);
  }

  /** As Slurm shows it: {@code 0,30 8-17 * * 1-5}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (BitSet field : fields) {
      text.append(text.isEmpty() ? "" : " ").append(field == null ? "*" : ranges(field));
    }
    return text.toString();
  }

  private static String ranges(BitSet bits) {
    StringBuilder text = new StringBuilder();
    for (int first = bits.nextSetBit(0); first >= 0; ) {
      int last = bits.nextClearBit(first) - 1;
      text.append(text.isEmpty() ? "" : ",").append(first);
      text.append(last > first ? "-" + last : "");
      first = bits.nextSetBit(last + 1);
    }
    return text.toString();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CronSpec spec && fields.equals(spec.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }
}
