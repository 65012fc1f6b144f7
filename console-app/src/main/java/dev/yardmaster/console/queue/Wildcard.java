package dev.yardmaster.console.queue;

import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Matches texts without regard to case; {@code *} stands for any characters. */
final class Wildcard {
  private Wildcard() {}

  /** Texts that equal the pattern as a whole. */
  static Predicate<String> whole(String pattern) {
    if (pattern.indexOf('*') < 0) {
      return pattern::equalsIgnoreCase;
    }
    return regex(pattern).asMatchPredicate();
  }

  /** Texts that contain the pattern anywhere. */
  static Predicate<String> within(String pattern) {
    if (pattern.indexOf('*') < 0) {
      String lower = pattern.toLowerCase(Locale.ROOT);
      return text -> text.toLowerCase(Locale.ROOT).contains(lower);
    }
    return regex(pattern).asPredicate();
  }

  private static Pattern regex(String pattern) {
    StringBuilder regex = new StringBuilder();
    for (String part : pattern.split("\\*", -1)) {
      regex.append(regex.isEmpty() ? "" : ".*").append(Pattern.quote(part));
    }
    return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
  }
}
