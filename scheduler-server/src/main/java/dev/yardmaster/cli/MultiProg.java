package dev.yardmaster.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The file of {@code srun --multi-prog} (srun(1), multiple program configuration): a line for some
 * tasks each, with their ranks and the program they run, in which {@code %t} stands for the rank
 * and {@code %o} for the place within the line's tasks.
 */
final class MultiProg {
  private static final String ALL = "*";

  /** For so many tasks a line for all of them is written out where their number is not known. */
  private static final int MOST = 1024;

  private final String file;
  private final TreeMap<Integer, List<String>> programs = new TreeMap<>();

  private MultiProg(String file) {
    this.file = file;
  }

  /**
   * The command that all tasks start, which runs the program of each one's rank.
   *
   * @param file as the user named it
   * @param tasks how many there are; 0 when the controller decides that
   * @throws CommandFailure when the file cannot be read, or does not say once for each task what it
   *     runs
   */
  static List<String> command(String file, int tasks, Path directory) throws CommandFailure {
    MultiProg read = new MultiProg(file);
    try {
      Path path = directory.resolve(file);
      read.read(Files.readString(path, StandardCharsets.UTF_8), tasks == 0 ? MOST : tasks);
    } catch (IOException e) {
      throw new CommandFailure(1, "srun: error: Could not open multi_prog config file " + file);
    }
    for (int task = 0; task < tasks; task++) {
      if (!read.programs.containsKey(task)) {
        throw new CommandFailure(
            1,
            "srun: error: Configuration file " + file + " invalid, no record for task id " + task);
      }
    }
    return List.of("/bin/sh", "-c", read.script());
  }

  private void read(String text, int tasks) throws CommandFailure {
    int number = 0;
    StringBuilder open = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      number++;
      if (line.endsWith("\\")) {
        open.append(line, 0, line.length() - 1);
        continue;
      }
      String whole = open.append(line).toString().strip();
      open.setLength(0);
      if (!whole.isEmpty() && !whole.startsWith("#")) {
        line(whole, number, tasks);
      }
    }
  }

  private void line(String line, int number, int tasks) throws CommandFailure {
    List<String> words = words(line);
    if (words.size() < 2) {
      throw invalid(number);
    }
    List<Integer> ranks = ranks(words.getFirst(), tasks, number);
    List<String> program = words.subList(1, words.size());
    for (int place = 0; place < ranks.size(); place++) {
      int rank = ranks.get(place);
      String offset = Integer.toString(place);
      List<String> own =
          program.stream()
              .map(w -> w.replace("%t", Integer.toString(rank)).replace("%o", offset))
              .toList();
      if (programs.putIfAbsent(rank, own) != null) {
        throw new CommandFailure(
            1,
            "srun: error: Duplicate record for task " + rank,
            "srun: error: Line " + number + " of configuration file " + file + " invalid");
      }
    }
  }

  private CommandFailure invalid(int number) {
    return new CommandFailure(
        1, "srun: error: Line " + number + " of configuration file " + file + " invalid");
  }

  private List<Integer> ranks(String text, int tasks, int number) throws CommandFailure {
    List<Integer> ranks = new ArrayList<>();
    for (String part : (text.equals(ALL) ? "0-" + (tasks - 1) : text).split(",", -1)) {
      if (!part.matches("[0-9]{1,6}(-[0-9]{1,6})?")) {
        throw invalid(number);
      }
      String[] ends = part.split("-");
      int last = Integer.parseInt(ends[ends.length - 1]);
      for (int rank = Integer.parseInt(ends[0]); rank <= last; rank++) {
        ranks.add(rank);
      }
    }
    return ranks;
  }

  /** Words with blanks between; quotes of either kind hold one together. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean inWord = false;
    char quote = 0;
    for (char c : line.toCharArray()) {
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        inWord = true;
      } else if (Character.isWhitespace(c)) {
        if (inWord) {
          words.add(word.toString());
          word.setLength(0);
        }
        inWord = false;
      } else {
        word.append(c);
        inWord = true;
      }
    }
    if (inWord) {
      words.add(word.toString());
    }
    return words;
  }

  /** A program that is not there fails as one does that srun names itself. */
  private String script() {
    StringBuilder script = new StringBuilder("case $SLURM_PROCID in\n");
    for (Map.Entry<Integer, List<String>> program : programs.entrySet()) {
      script
          .append(program.getKey())
          .append(") set -- ")
          .append(
              program.getValue().stream()
                  .map(w -> "'" + w.replace("'", "'\\''") + "'")
                  .collect(Collectors.joining(" ")))
          .append(" ;;\n");
    }
    return script
        .append("*) echo \"error: no record for task id $SLURM_PROCID\" >&2; exit 1 ;;\nesac\n")
        .append("command -v \"$1\" >/dev/null 2>&1 || {\n")
        .append("  echo \"error: execve(): $1: No such file or directory\" >&2\n  exit 2\n}\n")
        .append("exec \"$@\"\n")
        .toString();
  }
}
