package dev.yardmaster.controller;

import dev.yardmaster.model.Immutable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads arguments as sbatch(1) takes them, from a workload file or a script's {@code #SBATCH}
 * lines: long and short options, with the value in the same word or the next.
 */
final class SbatchArguments {
  private static final Map<Character, String> SHORT =
      Map.ofEntries(
          Map.entry('a', "array"),
          Map.entry('A', "account"),
          Map.entry('B', "extra-node-info"),
          Map.entry('c', "cpus-per-task"),
          Map.entry('C', "constraint"),
          Map.entry('d', "dependency"),
          Map.entry('D', "chdir"),
          Map.entry('e', "error"),
          Map.entry('F', "nodefile"),
          Map.entry('G', "gpus"),
          Map.entry('H', "hold"),
          Map.entry('i', "input"),
          Map.entry('J', "job-name"),
          Map.entry('k', "no-kill"),
          Map.entry('L', "licenses"),
          Map.entry('m', "distribution"),
          Map.entry('M', "clusters"),
          Map.entry('n', "ntasks"),
          Map.entry('N', "nodes"),
          Map.entry('o', "output"),
          Map.entry('O', "overcommit"),
          Map.entry('p', "partition"),
          Map.entry('q', "qos"),
          Map.entry('Q', "quiet"),
          Map.entry('s', "oversubscribe"),
          Map.entry('S', "core-spec"),
          Map.entry('t', "time"),
          Map.entry('v', "verbose"),
          Map.entry('w', "nodelist"),
          Map.entry('W', "wait"),
          Map.entry('x', "exclude"));
  private static final Set<String> WITHOUT_VALUE =
      Set.of(
          "batch",
          "contiguous",
          "hold",
          "ignore-pbs",
          "no-requeue",
          "overcommit",
          "oversubscribe",
          "parsable",
          "quiet",
          "reboot",
          "requeue",
          "spread-job",
          "stepmgr",
          "test-only",
          "use-min-nodes",
          "verbose",
          "wait");
  private static final Set<String> VALUE_MAY_LACK =
      Set.of("exclusive", "get-user-env", "nice", "no-kill", "parsable", "resv-ports");

  private SbatchArguments() {}

  /**
   * Splits a line into words as a shell does with plain quotes and backslashes.
   *
   * @throws IllegalArgumentException for a quote that is not closed
   */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = null;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else if (word != null) {
          word.append(c);
        }
      } else if (c == '#' && word == null) {
        break;
      } else if (Character.isWhitespace(c)) {
        if (word != null) {
          words.add(word.toString());
          word = null;
        }
      } else {
        word = word == null ? new StringBuilder() : word;
        if (c == '"' || c == '\'') {
          quote = c;
        } else {
          word.append(c == '\\' && i + 1 < line.length() ? line.charAt(++i) : c);
        }
      }
    }
    if (quote != 0) {
      throw new IllegalArgumentException("a quote (" + quote + ") is not closed");
    }
    if (word != null) {
      words.add(word.toString());
    }
    return words;
  }

  /**
   * The options by long name; a later one replaces an earlier.
   *
   * @throws IllegalArgumentException naming a word that is no option, or an option without value
   */
  static SortedMap<String, String> options(List<String> words) {
    TreeMap<String, String> options = new TreeMap<>();
    int i = 0;
    while (i < words.size()) {
      String word = words.get(i++);
      if (word.startsWith("--") && word.length() > 2) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word.substring(2) : word.substring(2, equals);
        if (equals >= 0) {
          options.put(name, word.substring(equals + 1));
        } else if (WITHOUT_VALUE.contains(name) || VALUE_MAY_LACK.contains(name)) {
          options.put(name, "");
        } else {
          options.put(name, value(words, i++, word));
        }
      } else if (word.startsWith("-") && word.length() > 1) {
        String name = SHORT.get(word.charAt(1));
        if (name == null) {
          throw new IllegalArgumentException("\"" + word + "\" is no option of sbatch");
        }
        boolean alone = WITHOUT_VALUE.contains(name) || VALUE_MAY_LACK.contains(name);
        if (alone || word.length() > 2) {
          options.put(name, word.substring(2).replaceFirst("^=", ""));
        } else {
          options.put(name, value(words, i++, word));
        }
      } else {
        throw new IllegalArgumentException("\"" + word + "\" is no option of sbatch");
      }
    }
    return Immutable.sortedMap(options);
  }

  private static String value(List<String> words, int at, String option) {
    if (at >= words.size()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return words.get(at);
  }
}
