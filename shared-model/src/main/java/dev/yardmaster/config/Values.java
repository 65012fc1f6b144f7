package dev.yardmaster.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads single values. */
final class Values {
  /** What UNLIMITED and INFINITE stand for. */
  static final long UNLIMITED = -1;

  private static final Set<String> TRUE = Set.of("yes", "up", "true", "1");
  private static final Set<String> FALSE = Set.of("no", "down", "false", "0");

  private Values() {}

  static Optional<Boolean> bool(String value) {
    String lower = value.toLowerCase(Locale.ROOT);
    if (TRUE.contains(lower)) {
      return Optional.of(true);
    }
    return FALSE.contains(lower) ? Optional.of(false) : Optional.empty();
  }

  /**
   * A number as the C library reads it with base 0: decimal, hexadecimal after 0x, octal after 0;
   * {@code kilo} allows a K for 1024. {@link #UNLIMITED} for UNLIMITED and INFINITE.
   */
  static OptionalLong whole(String value, boolean kilo) {
    if (value.equalsIgnoreCase("UNLIMITED") || value.equalsIgnoreCase("INFINITE")) {
      return OptionalLong.of(UNLIMITED);
    }
    boolean scaled =
        kilo && !value.isEmpty() && "kK".indexOf(value.charAt(value.length() - 1)) >= 0;
    String digits = scaled ? value.substring(0, value.length() - 1) : value;
    digits = digits.startsWith("+") ? digits.substring(1) : digits;
    if (digits.isEmpty() || "+-#".indexOf(digits.charAt(0)) >= 0) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.decode(digits);
      return OptionalLong.of(scaled ? Math.multiplyExact(number, 1024L) : number);
    } catch (NumberFormatException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** A count with a unit of 1024 and its powers. */
  static OptionalLong count(String value) {
    int end = value.length();
    int power = end == 0 ? -1 : "KMGTP".indexOf(Character.toUpperCase(value.charAt(end - 1)));
    String digits = power < 0 ? value : value.substring(0, end - 1);
    if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Math.multiplyExact(Long.parseLong(digits), 1L << (10 * (power + 1))));
    } catch (NumberFormatException | ArithmeticException e) {
      return OptionalLong.empty();
    }
  }

  /** The parts between commas, without blanks and empty ones. */
  static List<String> list(String value) {
    var parts = new ArrayList<String>();
    for (String part : value.split(",", -1)) {
      if (!part.isBlank()) {
        parts.add(part.strip());
      }
    }
    return parts;
  }

  /** The range of a numeric key: two numbers; null when every number is allowed. */
  static long @Nullable [] bounds(KeySpec spec) {
    if (spec.values().isEmpty()) {
      return null;
    }
    String range = spec.values().getFirst();
    int dash = range.indexOf('-', 1);
    return new long[] {
      Long.parseLong(range.substring(0, dash)), Long.parseLong(range.substring(dash + 1))
    };
  }
}
