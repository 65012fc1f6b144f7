package dev.yardmaster.cli;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** In what sreport(1) tells how long something was used ({@code -t}). */
enum ReportTime {
  SECONDS("Seconds", 1, 1, false),
  MINUTES("Minutes", 1, 60, false),
  HOURS("Hours", 1, 3600, false),
  PERCENT("Percent", 1, 0, true),
  SECPER("SecPer", 6, 1, true),
  MINPER("MinPer", 6, 60, true),
  HOURPER("HourPer", 6, 3600, true);

  private final String word;
  private final int least;
  private final int divisor;
  private final boolean percent;

  ReportTime(String word, int least, int divisor, boolean percent) {
    this.word = word;
    this.least = least;
    this.divisor = divisor;
    this.percent = percent;
  }

  /** What a word means; minutes where there is none. */
  static ReportTime of(@Nullable String text) throws CommandFailure {
    if (text == null) {
      return MINUTES;
    }
    for (ReportTime time : List.of(SECPER, MINPER, HOURPER, SECONDS, MINUTES, HOURS, PERCENT)) {
      if (text.length() >= time.least
          && time.word.toLowerCase(Locale.ROOT).startsWith(text.toLowerCase(Locale.ROOT))) {
        return time;
      }
    }
    throw new CommandFailure(1, "unknown time format " + text);
  }

  /** As the head of a report says it. */
  String words() {
    return switch (this) {
      case SECONDS -> "Seconds";
      case MINUTES -> "Minutes";
      case HOURS -> "Hours";
      case PERCENT -> "Percentage of Total";
      case SECPER -> "Seconds/Percentage of Total";
      case MINPER -> "Minutes/Percentage of Total";
      case HOURPER -> "Hours/Percentage of Total";
    };
  }

  boolean isPercent() {
    return this == PERCENT;
  }

  /** Whether both a time and its part of the whole are told. */
  boolean isBoth() {
    return percent && divisor > 0;
  }

  String text(long seconds, long total) {
    String part = String.format(Locale.ROOT, "%.2f%%", 100.0 * seconds / (total == 0 ? 1 : total));
    if (divisor == 0) {
      return part;
    }
    String time = String.format(Locale.ROOT, "%.0f", (double) seconds / divisor);
    return percent ? time + "(" + part + ")" : time;
  }
}
