package dev.yardmaster.config;

import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads single values, and says what is wrong with them and what is allowed. */
final class Values {
  /** What UNLIMITED and INFINITE stand for. */
  static final long UNLIMITED = -1;

  private static final Set<String> TRUE = Set.of("yes", "up", "true", "1");
  private static final Set<String> FALSE = Set.of("no", "down", "false", "0");
  private static final Pattern PURGE = Pattern.compile("(?i)\\d+\\s*(hours?|days?|months?)?");
  private static final long UINT16 = 0xFFFF;
  private static final long UINT32 = 0xFFFF_FFFFL;

  private Values() {}

  /** True when the value suits its key; otherwise the finding says why not. */
  static boolean check(Setting at, KeySpec spec, Findings findings) {
    Optional<String> wrong = wrong(at.value(), spec);
    wrong.ifPresent(message -> findings.fatal(at, message, help(at.value(), spec)));
    return wrong.isEmpty();
  }

  /** What is wrong with a value; empty when nothing is. */
  static Optional<String> wrong(String value, KeySpec spec) {
    return switch (spec.type()) {
      case BOOLEAN -> onlyIf(bool(value).isPresent(), "neither yes nor no");
      case UINT16 -> number(value, UINT16, false, spec);
      case UINT32 -> number(value, UINT32, true, spec);
      case UINT64 -> number(value, Long.MAX_VALUE, true, spec);
      case INT -> signed(value, spec);
      case FLOAT -> decimal(value);
      case MINUTES, SECONDS -> time(value);
      case SUSPEND ->
          value.equalsIgnoreCase("NONE") || value.equals("-1")
              ? Optional.empty()
              : number(value, UINT32, false, spec);
      case PORTRANGE -> ports(value);
      case HOSTS -> hosts(value);
      case FILES -> files(value);
      case CHOICE -> onlyIf(isOneOf(value, spec.values()), "not an allowed value");
      case CHOICES -> choices(value, spec.values());
      case COUNT -> onlyIf(count(value).isPresent(), "not a count");
      case RANGES -> ranges(value);
      case PURGE -> onlyIf(PURGE.matcher(value).matches(), "not a number of hours, days or months");
      case TEXT, LIST, PAIRS, OPTIONS, REPEATED, OPEN, FLAG -> Optional.empty();
    };
  }

  /** What would be right. */
  static String help(String value, KeySpec spec) {
    return switch (spec.type()) {
      case BOOLEAN -> "write YES or NO";
      case UINT16, UINT32, UINT64, INT -> "write a whole number" + range(spec);
      case FLOAT -> "write a number such as 100 or 99.5";
      case MINUTES, SECONDS -> "write minutes, hours:minutes:seconds, days-hours, or UNLIMITED";
      case SUSPEND -> "write seconds, or INFINITE";
      case PORTRANGE -> "write a port, or two as 6817-6820";
      case HOSTS -> "write names such as node[01-04,07]";
      case FILES -> "write for example /dev/nvidia[0-7]";
      case CHOICE, CHOICES -> allowed(value, spec);
      case COUNT -> "write a whole number with an optional K, M, G, T or P";
      case RANGES -> "write indices such as 0-3,7";
      case PURGE -> "write for example 12months, 30days or 48hours";
      case TEXT, LIST, PAIRS, OPTIONS, REPEATED, OPEN, FLAG -> "";
    };
  }

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
    if (digits.isEmpty() || digits.startsWith("-") || digits.startsWith("+")) {
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

  private static Optional<String> number(String value, long most, boolean kilo, KeySpec spec) {
    OptionalLong number = whole(value, kilo);
    if (number.isEmpty()) {
      return Optional.of(value.startsWith("-") ? "less than zero" : "not a number");
    }
    long n = number.getAsLong();
    if (n > most) {
      return Optional.of("greater than " + most);
    }
    long[] bounds = bounds(spec);
    boolean outside = bounds != null && n != UNLIMITED && (n < bounds[0] || n > bounds[1]);
    return onlyIf(!outside, "out of range");
  }

  private static Optional<String> signed(String value, KeySpec spec) {
    try {
      long n = Long.parseLong(value);
      long[] bounds = bounds(spec);
      return onlyIf(bounds == null || (n >= bounds[0] && n <= bounds[1]), "out of range");
    } catch (NumberFormatException e) {
      return Optional.of("not a number");
    }
  }

  private static Optional<String> decimal(String value) {
    return onlyIf(
        value.matches("\\d{1,9}(\\.\\d{0,9})?|\\.\\d{1,9}")
            || value.equalsIgnoreCase("UNLIMITED")
            || value.equalsIgnoreCase("INFINITE"),
        "not a number");
  }

  private static Optional<String> time(String value) {
    try {
      TimeLimits.parseSeconds(value);
      return Optional.empty();
    } catch (NotationException e) {
      return Optional.of("not a time: " + e.wrong());
    }
  }

  private static Optional<String> ports(String value) {
    String[] ends = value.split("-", -1);
    if (ends.length > 2) {
      return Optional.of("not a port");
    }
    long before = 0;
    for (String end : ends) {
      OptionalLong port = whole(end, false);
      if (port.isEmpty() || port.getAsLong() <= before || port.getAsLong() > UINT16) {
        return Optional.of("not a port");
      }
      before = port.getAsLong();
    }
    return Optional.empty();
  }

  private static Optional<String> hosts(String value) {
    try {
      HostList.parse(value);
      return Optional.empty();
    } catch (NotationException e) {
      return Optional.of(e.wrong() + (e.column() > 0 ? " at column " + e.column() : ""));
    }
  }

  private static Optional<String> files(String value) {
    try {
      DeviceFiles.expand(value);
      return Optional.empty();
    } catch (NotationException e) {
      return Optional.of(e.wrong());
    }
  }

  private static Optional<String> ranges(String value) {
    try {
      IndexSet.parse(value);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of("not a list of indices");
    }
  }

  private static Optional<String> choices(String value, List<String> allowed) {
    return list(value).stream()
        .filter(part -> !isOneOf(part, allowed))
        .findFirst()
        .map(part -> "\"" + part + "\" is not an allowed value");
  }

  private static boolean isOneOf(String value, List<String> allowed) {
    return allowed.stream().anyMatch(value::equalsIgnoreCase);
  }

  private static String allowed(String value, KeySpec spec) {
    List<String> wrong = list(value).stream().filter(v -> !isOneOf(v, spec.values())).toList();
    Optional<String> nearest =
        wrong.isEmpty() ? Optional.empty() : Nearest.of(wrong.getFirst(), spec.values());
    String all = "allowed: " + String.join(", ", spec.values());
    return nearest.map(n -> "did you mean " + n + "? " + all).orElse(all);
  }

  private static String range(KeySpec spec) {
    long[] bounds = bounds(spec);
    if (bounds != null) {
      return " from " + bounds[0] + " to " + bounds[1];
    }
    return spec.type() == KeySpec.Type.UINT16 ? " from 0 to 65535" : "";
  }

  private static Optional<String> onlyIf(boolean right, String message) {
    return right ? Optional.empty() : Optional.of(message);
  }
}
