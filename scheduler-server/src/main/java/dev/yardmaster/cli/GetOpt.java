package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads a command line as getopt_long(3) does, which is what Slurm's commands use and what their
 * error texts come from: options in any order, clustered letters, long names cut short where that
 * is not ambiguous, values attached or in the next word.
 */
final class GetOpt {
  /** Whether an option takes a value. */
  enum Value {
    NONE,
    REQUIRED,
    OPTIONAL
  }

  /**
   * An option that a command knows.
   *
   * @param letter its short form, or 0
   */
  record Option(String name, char letter, Value value) {}

  /** An option that was given; the value is empty when it takes none or none was given. */
  record Given(String name, String value) {}

  /**
   * What a command line said, in order.
   *
   * @param arguments the command line itself
   */
  record Parsed(List<Given> options, List<String> operands, List<String> arguments) {
    /** Of a command line that nobody gave as a whole. */
    Parsed(List<Given> options, List<String> operands) {
      this(options, operands, List.of());
    }

    /** Whether an option was given. */
    boolean has(String name) {
      return options.stream().anyMatch(o -> o.name().equals(name));
    }

    /** The last value given for an option; null when it was not given. */
    @Nullable String last(String name) {
      String value = null;
      for (Given given : options) {
        if (given.name().equals(name)) {
          value = given.value();
        }
      }
      return value;
    }
  }

  private final String program;
  private final int badUsage;
  private final boolean stopAtOperand;
  private final Map<String, Option> byName = new LinkedHashMap<>();
  private final Map<Character, Option> byLetter = new LinkedHashMap<>();

  /**
   * @param badUsage exit code for a command line that cannot be read
   * @param stopAtOperand whether what follows the first operand belongs to it
   * @param table options as {@code name}, {@code name:} with a value, {@code name::} with an
   *     optional one; each may be preceded by its letter and a space, and by other names for the
   *     same with a bar after each
   */
  GetOpt(String program, int badUsage, boolean stopAtOperand, List<String> table) {
    this.program = program;
    this.badUsage = badUsage;
    this.stopAtOperand = stopAtOperand;
    for (String line : table) {
      int space = line.indexOf(' ');
      char letter = space == 1 ? line.charAt(0) : 0;
      String name = line.substring(space + 1).replace(":", "");
      Value value =
          line.endsWith("::") ? Value.OPTIONAL : line.endsWith(":") ? Value.REQUIRED : Value.NONE;
      String[] names = name.split("\\|", -1);
      Option option = new Option(names[names.length - 1], letter, value);
      for (String one : names) {
        byName.put(one, option);
      }
      if (letter != 0) {
        byLetter.put(letter, option);
      }
    }
  }

  Parsed parse(List<String> arguments) throws CommandFailure {
    List<Given> given = new ArrayList<>();
    List<String> operands = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      String word = arguments.get(i);
      if (word.equals("--")) {
        operands.addAll(arguments.subList(i + 1, arguments.size()));
        break;
      } else if (word.startsWith("--")) {
        i += takeLong(word.substring(2), next(arguments, i), given);
      } else if (word.startsWith("-") && word.length() > 1) {
        i += takeLetters(word, next(arguments, i), given);
      } else if (stopAtOperand) {
        operands.addAll(arguments.subList(i, arguments.size()));
        break;
      } else {
        operands.add(word);
      }
    }
    return new Parsed(given, operands, List.copyOf(arguments));
  }

  private static @Nullable String next(List<String> arguments, int i) {
    return i + 1 < arguments.size() ? arguments.get(i + 1) : null;
  }

  /** Returns how many further words were taken. */
  private int takeLong(String text, @Nullable String next, List<Given> given)
      throws CommandFailure {
    int equals = text.indexOf('=');
    String name = equals < 0 ? text : text.substring(0, equals);
    Option option = find(name, text);
    if (equals >= 0) {
      if (option.value() == Value.NONE) {
        throw usage("option '--" + option.name() + "' doesn't allow an argument");
      }
      given.add(new Given(option.name(), text.substring(equals + 1)));
      return 0;
    }
    if (option.value() != Value.REQUIRED) {
      given.add(new Given(option.name(), ""));
      return 0;
    }
    if (next == null) {
      throw usage("option '--" + option.name() + "' requires an argument");
    }
    given.add(new Given(option.name(), next));
    return 1;
  }

  private Option find(String name, String text) throws CommandFailure {
    Option exact = byName.get(name);
    if (exact != null) {
      return exact;
    }
    List<String> starting = byName.keySet().stream().filter(o -> o.startsWith(name)).toList();
    boolean one = starting.stream().map(byName::get).distinct().count() == 1;
    if (one && !name.isEmpty()) {
      return Objects.requireNonNull(byName.get(starting.getFirst()));
    }
    if (starting.isEmpty() || name.isEmpty()) {
      throw usage("unrecognized option '--" + text + "'", nearest(name));
    }
    StringBuilder possible = new StringBuilder();
    starting.stream().sorted().forEach(o -> possible.append(" '--").append(o).append("'"));
    throw usage("option '--" + text + "' is ambiguous; possibilities:" + possible);
  }

  private int takeLetters(String word, @Nullable String next, List<Given> given)
      throws CommandFailure {
    for (int at = 1; at < word.length(); at++) {
      char letter = word.charAt(at);
      Option option = byLetter.get(letter);
      if (option == null) {
        throw usage("invalid option -- '" + letter + "'");
      }
      String rest = word.substring(at + 1);
      switch (option.value()) {
        case NONE -> given.add(new Given(option.name(), ""));
        case OPTIONAL -> {
          given.add(new Given(option.name(), rest));
          return 0;
        }
        case REQUIRED -> {
          if (!rest.isEmpty()) {
            given.add(new Given(option.name(), rest));
            return 0;
          }
          if (next == null) {
            throw usage("option requires an argument -- '" + letter + "'");
          }
          given.add(new Given(option.name(), next));
          return 1;
        }
      }
    }
    return 0;
  }

  private CommandFailure usage(String problem) {
    return usage(problem, null);
  }

  private CommandFailure usage(String problem, @Nullable String near) {
    String help = "Try \"" + program + " --help\" for more information";
    return near == null
        ? new CommandFailure(badUsage, program + ": " + problem, help)
        : new CommandFailure(
            badUsage, program + ": " + problem, help, Hint.of("is '--" + near + "' meant?"));
  }

  private @Nullable String nearest(String name) {
    return Hint.nearest(name, byName.keySet());
  }
}
