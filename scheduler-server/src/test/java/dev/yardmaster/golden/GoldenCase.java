package dev.yardmaster.golden;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What was done to a real Slurm, and when.
 *
 * @param boot how long before that the controller began; its periods count from then
 * @param exactPasses whether the passes are those of the log, and no other came in their seconds
 * @param daemons the nodes that a daemon serves
 * @param before commands before the controller is asked to read its files again
 * @param accounting commands that set up accounts, users and QOS
 * @param printed what commands printed, by number, where that was kept
 */
record GoldenCase(
    Path directory,
    Instant start,
    Duration boot,
    boolean exactPasses,
    List<String> daemons,
    List<List<String>> before,
    List<List<String>> accounting,
    List<Step> steps,
    Map<Integer, String> printed) {
  private static final Duration USUAL_BOOT = Duration.ofSeconds(4);
  private static final Pattern LINE = Pattern.compile("\\+([0-9]+\\.[0-9]+) (?:([0-9]+) )?(.*)");
  private static final Pattern USER = Pattern.compile("([a-z]+): (.*)");
  private static final Pattern WORD = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"|(\\S+)");

  /** Something that happened at a time. */
  sealed interface Step {
    /** Since the start. */
    Duration at();
  }

  /**
   * A command.
   *
   * @param number its place in the record; 0 for one whose outcome was not recorded
   * @param exitCode null when it is not always the same
   * @param text what a refused command printed; null when that is not always the same
   */
  record Run(
      Duration at,
      int number,
      String user,
      List<String> words,
      @Nullable Integer exitCode,
      @Nullable String text)
      implements Step {}

  /** All that can be seen was written down. */
  record Look(Duration at, String name) implements Step {}

  /** All jobs were cancelled. */
  record Clear(Duration at) implements Step {}

  /**
   * The schedulers looked at the queue, as the starts of jobs show.
   *
   * @param alone whether the main pass came only after backfill
   */
  record Pass(Duration at, boolean backfill, boolean alone) implements Step {}

  /** The pass that ran took so long that these of the jobs it started began only now. */
  record Late(Duration at, List<String> jobs) implements Step {}

  /** The next step came only after a job had reached a state. */
  record Until(Duration at, String job, String state) implements Step {}

  /** The controller was killed. */
  record Stop(Duration at) implements Step {}

  /** The schedulers did not look before a moment, as the numbers of array tasks show. */
  record Rest(Duration at, Duration until) implements Step {}

  /** The controller was started again. */
  record Restart(Duration at) implements Step {}

  String name() {
    return String.valueOf(directory.getFileName());
  }

  static GoldenCase read(Path directory) throws IOException {
    Instant start = Instant.EPOCH;
    Duration boot = USUAL_BOOT;
    boolean exactPasses = false;
    List<String> daemons = new ArrayList<>();
    List<List<String>> before = new ArrayList<>();
    List<List<String>> accounting = new ArrayList<>();
    List<Step> steps = new ArrayList<>();
    List<String> lines = Files.readAllLines(directory.resolve("steps.txt"));
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int space = line.indexOf(' ');
      String rest = line.substring(space + 1);
      if (line.startsWith("start ")) {
        start = Instant.ofEpochSecond(Long.parseLong(rest));
      } else if (line.startsWith("boot ")) {
        boot = Duration.ofSeconds(Long.parseLong(rest));
      } else if (line.equals("passes exact")) {
        exactPasses = true;
      } else if (line.startsWith("daemons ")) {
        daemons.addAll(words(rest));
      } else if (line.startsWith("before ")) {
        before.add(words(rest));
      } else if (line.startsWith("accounting ")) {
        accounting.add(words(rest));
      } else if (line.startsWith("+")) {
        int end = i + 1;
        while (end < lines.size() && lines.get(end).startsWith("  ")) {
          end++;
        }
        steps.add(step(line, lines.subList(i + 1, end)));
        i = end - 1;
      } else if (!line.isEmpty() && !line.startsWith("#")) {
        throw new IOException(directory + "/steps.txt:" + (i + 1) + ": " + line);
      }
    }
    return new GoldenCase(
        directory,
        start,
        boot,
        exactPasses,
        daemons,
        before,
        accounting,
        steps,
        Printed.read(directory));
  }

  private static Step step(String line, List<String> outcome) throws IOException {
    Matcher parts = LINE.matcher(line);
    if (!parts.matches()) {
      throw new IOException("not a step: " + line);
    }
    Duration at = Duration.ofMillis(Math.round(1000 * Double.parseDouble(parts.group(1))));
    String what = parts.group(3);
    Matcher user = USER.matcher(what);
    if (user.matches()) {
      int number = parts.group(2) == null ? 0 : Integer.parseInt(parts.group(2));
      return run(at, number, user.group(1), words(user.group(2)), outcome);
    }
    List<String> words = words(what);
    return switch (words.getFirst()) {
      case "snapshot" -> new Look(at, words.get(1));
      case "clear" -> new Clear(at);
      case "pass" -> new Pass(at, words.get(1).equals("backfill"), words.contains("alone"));
      case "rest" ->
          new Rest(at, Duration.ofMillis(Math.round(1000 * Double.parseDouble(words.get(1)))));
      case "late" -> new Late(at, words.subList(1, words.size()));
      case "restart" -> new Restart(at);
      case "stop" -> new Stop(at);
      case "until" -> new Until(at, words.get(1), words.get(2));
      default -> throw new IOException("not a step: " + line);
    };
  }

  private static Run run(
      Duration at, int number, String user, List<String> words, List<String> outcome) {
    Integer exitCode = 0;
    List<String> text = new ArrayList<>();
    for (String line : outcome) {
      if (line.startsWith("  -> ")) {
        exitCode = line.endsWith("~") ? null : Integer.valueOf(line.substring(5));
      } else {
        text.add(line.substring(Math.min(4, line.length())));
      }
    }
    boolean refused = exitCode != null && exitCode != 0;
    String said = refused && !text.isEmpty() ? String.join("\n", text) : null;
    return new Run(at, number, user, words, exitCode, said);
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(text);
    while (word.find()) {
      String quoted = word.group(1);
      words.add(quoted == null ? word.group(2) : unescaped(quoted));
    }
    return words;
  }

  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\\' && i + 1 < text.length()) {
        i++;
        c =
            switch (text.charAt(i)) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case 'r' -> '\r';
              default -> text.charAt(i);
            };
      }
      plain.append(c);
    }
    return plain.toString();
  }
}
