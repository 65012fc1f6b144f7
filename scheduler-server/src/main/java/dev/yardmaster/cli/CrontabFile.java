package dev.yardmaster.cli;

import dev.yardmaster.model.CronEntry;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.text.CronSpec;
import dev.yardmaster.model.text.NotationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a crontab line by line, as scrontab(1) does: options, variables, and jobs. */
final class CrontabFile {
  /** Those of sbatch that scrontab does not take, as the job is its own. */
  private static final List<String> NOT_TAKEN =
      List.of(
          "array",
          "batch",
          "bb",
          "bbf",
          "begin",
          "cluster-constraint",
          "clusters",
          "export-file",
          "external",
          "get-user-env",
          "gid",
          "hold",
          "ignore-pbs",
          "kill-on-invalid-dep",
          "no-requeue",
          "parsable",
          "prefer",
          "propagate",
          "requeue",
          "share",
          "test-only",
          "uid",
          "wait",
          "wait-all-nodes",
          "wrap");

  private static final GetOpt OPTIONS = new GetOpt("scrontab", 1, false, table());
  private static final String DIRECTIVE = "#SCRON";

  /** NAME = VALUE, and blanks as crontab(5) has them; a quoted value is all there is. */
  private static final Pattern VARIABLE =
      Pattern.compile("([A-Za-z0-9_]*)[ \t]*=[ \t]*(?:(['\"])(.*?)\\2[ \t]*|([^ \t'\"].*)|)");

  private static final Pattern OPEN_QUOTE =
      Pattern.compile("[A-Za-z0-9_]*[ \t]*=[ \t]*(['\"])(?:(?!\\1).)*");

  private final Io io;
  private final String home;
  private final List<String> errors = new ArrayList<>();
  private final List<JobSubmission> jobs = new ArrayList<>();
  private final Map<String, String> variables = new LinkedHashMap<>();
  private @Nullable String bad;
  private List<GetOpt.Given> given = new ArrayList<>();
  private StringBuilder directives = new StringBuilder();

  private CrontabFile(String home, Io io) {
    this.home = home;
    this.io = io;
  }

  private static List<String> table() {
    List<String> table = new ArrayList<>(SbatchOptions.TABLE);
    table.removeIf(line -> NOT_TAKEN.contains(line.replaceFirst("^. ", "").replace(":", "")));
    table.add("tasks-per-node|ntasks-per-node:");
    table.remove("ntasks-per-node:");
    return table;
  }

  /**
   * Reads a crontab as far as it is right.
   *
   * @param home where its jobs run if they do not say otherwise
   */
  static CrontabFile read(String text, String home, Io io) {
    CrontabFile file = new CrontabFile(home, io);
    String[] lines = text.split("\n", -1);
    int first = -1;
    for (int i = 0; i < lines.length && file.bad == null; i++) {
      int number = i + 1;
      String line = lines[i].replaceFirst("^[ \t]+", "");
      if (line.isEmpty()) {
        continue;
      }
      if (line.startsWith(DIRECTIVE)) {
        first = first < 0 ? number : first;
        file.directive(lines[i], number);
      } else if (!line.startsWith("#") && !file.variable(line)) {
        file.job(line, first < 0 ? number : first, number);
        first = -1;
      }
    }
    return file;
  }

  /** What is wrong with the line that cannot be read, as scrontab says it. */
  List<String> errors() {
    return errors;
  }

  /** The line that cannot be read; null when all can. */
  @Nullable String bad() {
    return bad;
  }

  List<JobSubmission> jobs() {
    return jobs;
  }

  private void directive(String line, int number) {
    directives.append(line).append('\n');
    List<String> words = new ArrayList<>();
    // Slurm skips as many characters as the word has, also where blanks stand before it.
    for (String word : line.substring(DIRECTIVE.length()).split("[ \t]+", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    // Word by word, as the one that is wrong is named.
    for (int i = 0; i < words.size(); i++) {
      int taken = take(words, i);
      if (taken <= 0) {
        // Of an option whose value is wrong Slurm names the last word.
        errors.add("Invalid option found in #SCRON line: " + words.get(i - taken));
        bad = Integer.toString(number);
        return;
      }
      i += taken - 1;
    }
  }

  /**
   * Reads the option at a place; returns of how many words it is, 0 when it is none, and -1 when it
   * is of two and the second is wrong.
   */
  private int take(List<String> words, int at) {
    for (int count = 1; count <= 2 && at + count <= words.size(); count++) {
      try {
        GetOpt.Parsed parsed = OPTIONS.parse(words.subList(at, at + count));
        if (!parsed.operands().isEmpty()) {
          return 0;
        }
        OptionValues.check("scrontab", parsed.options());
        given.addAll(parsed.options());
        return count;
      } catch (CommandFailure e) {
        boolean alone = e.lines().stream().noneMatch(line -> line.contains("requires an argument"));
        if (alone || count == 2 || at + count >= words.size()) {
          e.lines().stream()
              .filter(line -> line.startsWith("scrontab: error: "))
              .forEach(line -> errors.add(line.substring("scrontab: error: ".length())));
          return 1 - count;
        }
      }
    }
    return 0;
  }

  private boolean variable(String line) {
    Matcher variable = VARIABLE.matcher(line);
    if (variable.matches()) {
      String quoted = variable.group(3);
      String value = Objects.requireNonNullElse(quoted != null ? quoted : variable.group(4), "");
      String name = Objects.requireNonNullElse(variable.group(1), "");
      variables.remove(name);
      variables.put(name, value);
      return true;
    }
    if (OPEN_QUOTE.matcher(line).matches()) {
      errors.add("not match");
    }
    return false;
  }

  private void job(String line, int first, int last) {
    CronSpec.Line entry;
    try {
      entry = CronSpec.line(line);
    } catch (NotationException e) {
      if (!e.wrong().isEmpty()) {
        errors.add(e.wrong());
      }
      errors.add("something is broken");
      bad = Integer.toString(last);
      return;
    }
    String command = entry.command();
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      command = expanded(command, "$" + variable.getKey(), variable.getValue());
    }
    TreeMap<String, String> options = new TreeMap<>(SbatchOptions.collect(given));
    int space = command.indexOf(' ');
    options.putIfAbsent("job-name", space < 0 ? command : command.substring(0, space));
    options.put(CronEntry.OPTION, new CronEntry(entry.spec(), first + "-" + last, true).option());
    String script =
        "#!/bin/sh\n# This job was submitted through scrontab\n"
            + directives
            + "# crontab time request was: '"
            + entry.typed()
            + "'\n"
            + command
            + "\n";
    TreeMap<String, String> environment = new TreeMap<>();
    environment.put("SLURM_GET_USER_ENV", "1");
    environment.put(
        "SLURM_PRIO_PROCESS", Objects.requireNonNullElse(io.variable("SLURM_PRIO_PROCESS"), "0"));
    jobs.add(
        new JobSubmission(
            SbatchOptions.forController(options),
            script,
            List.of(),
            Immutable.sortedMap(environment),
            "",
            "",
            home,
            Submissions.hostName()));
    given = new ArrayList<>();
    directives = new StringBuilder();
  }

  /** The first mention of a variable becomes its value; there is no other way to write one. */
  private static String expanded(String command, String name, String value) {
    int at = command.indexOf(name);
    return at < 0
        ? command
        : command.substring(0, at) + value + command.substring(at + name.length());
  }
}
