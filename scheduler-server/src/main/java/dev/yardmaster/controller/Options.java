package dev.yardmaster.controller;

import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.IntRanges;
import dev.yardmaster.model.text.Memory;
import dev.yardmaster.model.text.TimeLimits;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The options of a submission, read one by one; every refusal has the words of Slurm's client in
 * its first line, and the option, its value and what would be right in the second.
 */
record Options(Map<String, String> values) {
  Options {
    // A reader asks for each of some hundred options, most of which are not given.
    values = Map.copyOf(values);
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** The value as typed, or null when the option was not given. */
  @Nullable String get(String name) {
    return values.get(name);
  }

  String text(String name, String otherwise) {
    String value = values.get(name);
    return value == null ? otherwise : value;
  }

  /** A count of at least {@code min}; {@code otherwise} when not given. */
  int count(String name, int min, int otherwise) {
    String value = values.get(name);
    if (value == null) {
      return otherwise;
    }
    int count;
    try {
      count = Integer.parseInt(value.strip());
    } catch (NumberFormatException e) {
      count = min - 1;
    }
    if (count < min || count > IntRanges.MAX_VALUE) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Invalid numeric value \"%s\" for --%s.\n--%s takes a number from %d to %d"
              .formatted(value, name, name, min, IntRanges.MAX_VALUE));
    }
    return count;
  }

  /** Megabytes; {@code otherwise} when not given. */
  long memory(String name, long otherwise) {
    return read(name, otherwise, Memory::parse);
  }

  /** Minutes; 0 stands for no limit, as Slurm reads it; {@code otherwise} when not given. */
  long minutes(String name, long otherwise) {
    return read(
        name,
        otherwise,
        text -> {
          long minutes = TimeLimits.requestMinutes(text);
          return minutes == 0 ? TimeLimits.UNLIMITED : minutes;
        });
  }

  /** A value of a notation; the refusal is "Invalid --name specification". */
  <T extends @Nullable Object> T read(String name, T otherwise, Function<String, T> parse) {
    String value = values.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      return parse.apply(value);
    } catch (IllegalArgumentException e) {
      throw invalid(name, e.getMessage());
    }
  }

  /** A value of a notation; the refusal is an error of the controller. */
  <T extends @Nullable Object> T read(
      String name, T otherwise, Function<String, T> parse, SlurmError error) {
    String value = values.get(name);
    if (value == null) {
      return otherwise;
    }
    try {
      return parse.apply(value);
    } catch (IllegalArgumentException e) {
      throw new Refusal(error, "\n--" + name + ": " + e.getMessage());
    }
  }

  /** Refuses a value that is not one of the words, in Slurm's usual way. */
  void oneOf(String name, String... words) {
    String value = values.get(name);
    if (value == null) {
      return;
    }
    for (String word : words) {
      if (word.equalsIgnoreCase(value)) {
        return;
      }
    }
    throw invalid(name, "\"" + value + "\" is not one of " + String.join(", ", words));
  }

  Refusal invalid(String name, @Nullable String help) {
    return new Refusal(
        SlurmError.COMMAND_LINE,
        "Invalid --" + name + " specification" + (help == null ? "" : "\n--" + name + ": " + help));
  }
}
