package dev.yardmaster.config;

import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.model.text.TimeLimits;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Says what is wrong with a value, and what is allowed. */
final class ValueCheck {
  private static final Pattern PURGE = Pattern.compile("(?i)\\d+\\s*(hours?|days?|months?)?");
  private static final Pattern DECIMAL = Pattern.compile("\\d{1,9}(\\.\\d{0,9})?|\\.\\d{1,9}");
  private static final long UINT16 = 0xFFFF;
  private static final long UINT32 = 0xFFFF_FFFFL;

  private ValueCheck() {}

  /** True when the value suits its key; otherwise the finding says why not. */
  static boolean check(Setting at, KeySpec spec, Findings findings) {
    Optional<String> wrong = wrong(at.value(), spec);
    if (spec.type() == KeySpec.Type.FLAGS) {
      wrong.ifPresent(
          message -> findings.error(at, message + "; it has no effect", help(at.value(), spec)));
      return true;
    }
    wrong.ifPresent(message -> findings.fatal(at, message, help(at.value(), spec)));
    return wrong.isEmpty();
  }

  /** What is wrong with a value; empty when nothing is. */
  static Optional<String> wrong(String value, KeySpec spec) {
    return switch (spec.type()) {
      case BOOLEAN -> onlyIf(Values.bool(value).isPresent(), "neither yes nor no");
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
      case CHOICES, FLAGS -> choices(value, spec.values());
      case COUNT -> onlyIf(Values.count(value).isPresent(), "not a count");
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
      case CHOICE, CHOICES, FLAGS -> allowed(value, spec);
      case COUNT -> "write a whole number with an optional K, M, G, T or P";
      case RANGES -> "write indices such as 0-3,7";
      case PURGE -> "write for example 12months, 30days or 48hours";
      case TEXT, LIST, PAIRS, OPTIONS, REPEATED, OPEN, FLAG -> "";
    };
  }

  private static Optional<String> number(String value, long most, boolean kilo, KeySpec spec) {
    OptionalLong number = Values.whole(value, kilo);
    if (number.isEmpty()) {
      return Optional.of(value.startsWith("-") ? "less than zero" : "not a number");
    }
    long n = number.getAsLong();
    if (n > most) {
      return Optional.of("greater than " + most);
    }
    long[] bounds = Values.bounds(spec);
    boolean outside = bounds != null && n != Values.UNLIMITED && (n < bounds[0] || n > bounds[1]);
    return onlyIf(!outside, "out of range");
  }

  private static Optional<String> signed(String value, KeySpec spec) {
    try {
      long n = Long.parseLong(value);
      long[] bounds = Values.bounds(spec);
      return onlyIf(bounds == null || (n >= bounds[0] && n <= bounds[1]), "out of range");
    } catch (NumberFormatException e) {
      return Optional.of("not a number");
    }
  }

  private static Optional<String> decimal(String value) {
    return onlyIf(
        DECIMAL.matcher(value).matches()
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
      OptionalLong port = Values.whole(end, false);
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
    return Values.list(value).stream()
        .filter(part -> !isOneOf(part, allowed))
        .findFirst()
        .map(part -> "\"" + part + "\" is not an allowed value");
  }

  private static boolean isOneOf(String value, List<String> allowed) {
    return allowed.stream().anyMatch(value::equalsIgnoreCase);
  }

  private static String allowed(String value, KeySpec spec) {
    List<String> wrong =
        Values.list(value).stream().filter(v -> !isOneOf(v, spec.values())).toList();
    Optional<String> nearest =
        wrong.isEmpty() ? Optional.empty() : Nearest.of(wrong.getFirst(), spec.values());
    String all = "allowed: " + String.join(", ", spec.values());
    return nearest.map(n -> "did you mean " + n + "? " + all).orElse(all);
  }

  private static String range(KeySpec spec) {
    long[] bounds = Values.bounds(spec);
    if (bounds != null) {
      return " from " + bounds[0] + " to " + bounds[1];
    }
    return spec.type() == KeySpec.Type.UINT16 ? " from 0 to 65535" : "";
  }

  private static Optional<String> onlyIf(boolean right, String message) {
    return right ? Optional.empty() : Optional.of(message);
  }
}
