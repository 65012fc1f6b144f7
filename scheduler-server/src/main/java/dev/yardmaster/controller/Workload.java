package dev.yardmaster.controller;

import dev.yardmaster.model.Immutable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What users and operators do in a simulated cluster, in order of time relative to its start. One
 * line a step: {@code OFFSET USER[:ACCOUNT] RUNTIME sbatch-options}, {@code OFFSET drain NODES
 * REASON}, {@code OFFSET resume NODES}, {@code OFFSET hold JOBNAME}, {@code OFFSET release
 * JOBNAME}, {@code OFFSET cancel JOBNAME}, {@code OFFSET reserve FIELDS}. {@code {name}} stands for
 * the id of the latest job with that name; {@code #} begins a comment.
 */
public record Workload(String source, List<Step> steps) {
  private static final Pattern TIME = Pattern.compile("([+-]?)((?:[0-9]+[smhd])+|0)");
  private static final Pattern PART = Pattern.compile("([0-9]{1,6})([smhd])");

  public Workload {
    steps = List.copyOf(steps);
  }

  /** One line. */
  public sealed interface Step {
    /** When, relative to the start. */
    Duration offset();

    /** The number of its line in the file. */
    int line();
  }

  /**
   * A submission.
   *
   * @param runtime how long the job really runs
   * @param text the options as written, for the record
   */
  public record Submission(
      Duration offset,
      int line,
      String user,
      String account,
      Duration runtime,
      SortedMap<String, String> options,
      String text)
      implements Step {}

  /** Something an operator does: a word such as {@code drain}, and what follows it. */
  public record Operation(Duration offset, int line, String verb, List<String> words)
      implements Step {
    public Operation {
      words = List.copyOf(words);
    }
  }

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException naming file and line
   */
  public static Workload read(Path file) throws IOException {
    return parse(file.toString(), Files.readAllLines(file));
  }

  /** As {@link #read}, from lines. */
  public static Workload parse(String source, List<String> lines) {
    List<Step> steps = new ArrayList<>();
    Duration last = null;
    for (int i = 0; i < lines.size(); i++) {
      try {
        List<String> words = SbatchArguments.words(lines.get(i));
        if (!words.isEmpty()) {
          Step step = step(words, i + 1);
          if (last != null && step.offset().compareTo(last) < 0) {
            throw new IllegalArgumentException(
                words.getFirst() + " comes after a later step; lines must be in order of time");
          }
          last = step.offset();
          steps.add(step);
        }
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(source + ":" + (i + 1) + ": " + e.getMessage(), e);
      }
    }
    return new Workload(source, steps);
  }

  private static Step step(List<String> words, int line) {
    Duration offset = duration(words.getFirst(), "an offset such as -3h, -20m, 0 or +5m");
    if (words.size() < 3) {
      throw new IllegalArgumentException(
          "write OFFSET USER[:ACCOUNT] RUNTIME options, or OFFSET drain NODES REASON");
    }
    String who = words.get(1);
    switch (who) {
      case "drain", "resume", "hold", "release", "cancel", "reserve" -> {
        return new Operation(offset, line, who, words.subList(2, words.size()));
      }
      default -> {
        Duration runtime = duration(words.get(2), "a run time such as 90s, 25m or 1h30m");
        if (runtime.isNegative()) {
          throw new IllegalArgumentException("the run time " + words.get(2) + " is negative");
        }
        String[] userAndAccount = who.split(":", 2);
        TreeMap<String, String> options =
            new TreeMap<>(SbatchArguments.options(words.subList(3, words.size())));
        String account = userAndAccount.length == 2 ? userAndAccount[1] : "";
        if (!account.isEmpty()) {
          options.putIfAbsent("account", account);
        }
        return new Submission(
            offset,
            line,
            userAndAccount[0],
            account,
            runtime,
            Immutable.sortedMap(options),
            String.join(" ", words.subList(3, words.size())));
      }
    }
  }

  private static Duration duration(String text, String right) {
    Matcher whole = TIME.matcher(text.toLowerCase(Locale.ROOT));
    if (!whole.matches()) {
      throw new IllegalArgumentException("\"" + text + "\" is not " + right);
    }
    long seconds = 0;
    Matcher part = PART.matcher(whole.group(2));
    while (part.find()) {
      long unit =
          switch (part.group(2).charAt(0)) {
            case 's' -> 1;
            case 'm' -> 60;
            case 'h' -> 3600;
            default -> 86_400;
          };
      seconds += Long.parseLong(part.group(1)) * unit;
    }
    return Duration.ofSeconds(whole.group(1).equals("-") ? -seconds : seconds);
  }
}
