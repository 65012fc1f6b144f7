package dev.yardmaster.model.text;

import java.math.BigInteger;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Durations as Slurm writes them: {@code minutes}, {@code minutes:seconds}, {@code
 * hours:minutes:seconds}, {@code days-hours}, {@code days-hours:minutes}, {@code
 * days-hours:minutes:seconds} (sbatch(1), {@code --time}), and no limit at all.
 */
public final class TimeLimits {
  /** No limit: INFINITE, UNLIMITED or -1. */
  public static final long UNLIMITED = -1;

  /** Nothing was set; printed as NOT_SET and never the result of parsing a request. */
  public static final long NOT_SET = -2;

  /** The largest duration, in seconds: what Slurm's 32-bit minutes hold. */
  public static final long MAX_SECONDS = 0xFFFF_FFF0L * 60;

  private static final String NOTATION = "time";
  private static final String HELP =
      "write minutes, minutes:seconds, hours:minutes:seconds, days-hours, days-hours:minutes or"
          + " days-hours:minutes:seconds";
  private static final Set<String> UNKNOWN =
      Set.of(
          "", "NOT_SET", "INVALID", "PARTITION_LIMIT", "N/A", "NONE", "NULL", "(NULL)", "UNKNOWN");

  private TimeLimits() {}

  /** Parses a duration as seconds; {@link #UNLIMITED} for no limit. */
  public static long parseSeconds(String text) {
    var scan = new Scan(NOTATION, text);
    if (isUnlimited(text)) {
      return UNLIMITED;
    }
    if (text.isEmpty()) {
      throw scan.whole("empty", HELP);
    }
    long first = scan.number("a number", MAX_SECONDS);
    if (scan.accept('-')) {
      long hours = scan.number("hours after the days", MAX_SECONDS);
      long minutes = scan.accept(':') ? scan.number("minutes", MAX_SECONDS) : 0;
      long seconds = scan.accept(':') ? scan.number("seconds", MAX_SECONDS) : 0;
      return total(scan, first, hours, minutes, seconds);
    }
    if (!scan.accept(':')) {
      return total(scan, 0, 0, first, 0);
    }
    long second = scan.number("seconds", MAX_SECONDS);
    if (!scan.accept(':')) {
      return total(scan, 0, 0, first, second);
    }
    return total(scan, 0, first, second, scan.number("seconds", MAX_SECONDS));
  }

  /** Parses a duration as whole minutes, seconds rounded up; {@link #UNLIMITED} for no limit. */
  public static long parseMinutes(String text) {
    long seconds = parseSeconds(text);
    return seconds == UNLIMITED ? UNLIMITED : (seconds + 59) / 60;
  }

  /** What {@link #requestSeconds} takes: numbers divided by at most one dash and two colons. */
  private static final Pattern REQUEST =
      Pattern.compile("-[0-9]+|[0-9]+-?|(?:[0-9]+-)?[0-9]+(?::[0-9]+){0,2}");

  /**
   * Parses a duration of a request in seconds as Slurm's commands do: numbers that 32 bits do not
   * hold lose their upper ones, and what is below zero is as many seconds below the largest. {@link
   * #UNLIMITED} for no limit.
   */
  public static long requestSeconds(String text) {
    int seconds = request(text);
    return seconds == UNLIMITED ? UNLIMITED : Integer.toUnsignedLong(seconds);
  }

  /** Parses a duration of a request in minutes as {@link #requestSeconds} does, rounded up. */
  public static long requestMinutes(String text) {
    int seconds = request(text);
    int minutes = seconds == UNLIMITED ? -1 : (seconds + 59) / 60;
    return minutes == UNLIMITED ? UNLIMITED : Integer.toUnsignedLong(minutes);
  }

  private static int request(String text) {
    if (isUnlimited(text)) {
      return -1;
    }
    if (!REQUEST.matcher(text).matches()) {
      parseSeconds(text);
    }
    int dash = text.indexOf('-', 1);
    boolean days = text.indexOf('-') >= 0;
    String divided = dash < 0 ? text : text.substring(0, dash) + ":" + text.substring(dash + 1);
    String[] numbers = divided.split(":", -1);
    int[] parts = new int[4];
    for (int i = 0; i < numbers.length; i++) {
      parts[i] = number(numbers[i]);
    }
    int seconds;
    if (days) {
      seconds = parts[0] * 86_400 + parts[1] * 3_600 + parts[2] * 60 + parts[3];
    } else if (numbers.length == 3) {
      seconds = parts[0] * 3_600 + parts[1] * 60 + parts[2];
    } else {
      seconds = parts[0] * 60 + parts[1];
    }
    if (seconds == NOT_SET) {
      throw new Scan(NOTATION, text).whole("longer than Slurm can hold", HELP);
    }
    return seconds;
  }

  /** The lower 32 bits of a number, of which 63 count; 0 for none. */
  private static int number(String digits) {
    if (digits.isEmpty()) {
      return 0;
    }
    BigInteger value = new BigInteger(digits);
    BigInteger most = BigInteger.valueOf(Long.MAX_VALUE);
    return value.min(most).max(most.negate()).intValue();
  }

  /**
   * Parses what a command printed as seconds. Empty where the command had no value: {@code
   * Partition_Limit}, {@code NOT_SET}, {@code INVALID}, {@code N/A} and the like. Fractions of a
   * second, as {@code sacct} prints them, are dropped.
   */
  public static OptionalLong parseReported(String text) {
    String plain = text.strip();
    if (UNKNOWN.contains(plain.toUpperCase(Locale.ROOT))) {
      return OptionalLong.empty();
    }
    int dot = plain.indexOf('.');
    if (dot > 0 && plain.indexOf(':') > 0 && Scan.allDigits(plain.substring(dot + 1))) {
      plain = plain.substring(0, dot);
    }
    return OptionalLong.of(parseSeconds(plain));
  }

  /**
   * Prints seconds as {@code scontrol} does: {@code 00:05:00}, {@code 1-00:00:00}, {@code
   * UNLIMITED}.
   */
  public static String format(long seconds) {
    if (seconds < 0) {
      return special(seconds);
    }
    long days = seconds / 86400;
    String clock =
        String.format(
            Locale.ROOT, "%02d:%02d:%02d", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    return days > 0 ? days + "-" + clock : clock;
  }

  /**
   * Prints seconds as {@code squeue} does in its time columns: {@code 5:00}, {@code 1:05:00},
   * {@code 1-00:00:00}.
   */
  public static String formatSqueue(long seconds) {
    if (seconds < 0) {
      return special(seconds);
    }
    if (seconds >= 86400) {
      return format(seconds);
    }
    return seconds >= 3600
        ? String.format(
            Locale.ROOT, "%d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60)
        : String.format(Locale.ROOT, "%d:%02d", seconds / 60, seconds % 60);
  }

  /**
   * Prints seconds as {@code sinfo} does: as {@link #formatSqueue}, and {@code infinite} for no
   * limit.
   */
  public static String formatSinfo(long seconds) {
    return seconds == UNLIMITED ? "infinite" : formatSqueue(seconds);
  }

  private static String special(long seconds) {
    if (seconds == UNLIMITED) {
      return "UNLIMITED";
    }
    return seconds == NOT_SET ? "NOT_SET" : "INVALID";
  }

  private static boolean isUnlimited(String text) {
    return text.equalsIgnoreCase("UNLIMITED")
        || text.equalsIgnoreCase("INFINITE")
        || text.equals("-1");
  }

  private static long total(Scan scan, long days, long hours, long minutes, long seconds) {
    if (!scan.end()) {
      throw scan.error(scan.at, scan.unexpected(), HELP);
    }
    if (days > MAX_SECONDS / 86400 || hours > MAX_SECONDS / 3600 || minutes > MAX_SECONDS / 60) {
      throw scan.whole("longer than Slurm can hold", "write UNLIMITED for no limit");
    }
    long total = days * 86400 + hours * 3600 + minutes * 60 + seconds;
    if (total > MAX_SECONDS) {
      throw scan.whole("longer than Slurm can hold", "write UNLIMITED for no limit");
    }
    return total;
  }
}
