package dev.yardmaster.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file with everything it includes and hands out the lines in order. {@code Include} stands
 * at the start of a line, is followed by blanks and a file name; the name may hold {@code %c} for
 * the cluster's name, and a relative one is sought beside the first file (slurm.conf(5), "INCLUDE
 * MODIFIERS").
 */
final class ConfFile {
  private static final String INCLUDE = "include";
  private static final int DEEPEST = 32;
  private static final int MOST_FILES = 1_000;

  private final Path root;
  private final Findings findings;
  private final Supplier<String> clusterName;
  private final Consumer<SourceLine> lines;
  private final Deque<Path> open = new ArrayDeque<>();
  private int files;

  private ConfFile(
      Path root, Findings findings, Supplier<String> clusterName, Consumer<SourceLine> lines) {
    this.root = root;
    this.findings = findings;
    this.clusterName = clusterName;
    this.lines = lines;
  }

  /**
   * Reads the file.
   *
   * @param clusterName the cluster's name as far as it is known when asked; empty when it is not
   * @return false when the file itself cannot be read
   */
  static boolean read(
      Path file, Findings findings, Supplier<String> clusterName, Consumer<SourceLine> lines) {
    var reader = new ConfFile(file, findings, clusterName, lines);
    return reader.readOne(file);
  }

  private boolean readOne(Path file) {
    String text = LineSource.read(file, findings);
    if (text == null) {
      return false;
    }
    open.push(normal(file));
    for (SourceLine line : LineSource.lines(file, text, findings)) {
      if (!include(line)) {
        lines.accept(line);
      }
    }
    open.pop();
    return true;
  }

  /** True when the line is an Include, good or bad. */
  private boolean include(SourceLine line) {
    String text = line.text().strip();
    if (!text.regionMatches(true, 0, INCLUDE, 0, INCLUDE.length())) {
      return false;
    }
    String rest = text.substring(INCLUDE.length());
    int number = line.lineAt(line.text().indexOf(text));
    if (rest.strip().startsWith("=")) {
      String name = firstWord(rest.strip().substring(1).strip());
      fatal(
          line,
          number,
          name,
          "Include is followed by a blank, not by \"=\"",
          "write Include " + name);
      follow(line, number, name);
      return true;
    }
    if (!rest.isEmpty() && !LineSource.isSpace(rest.charAt(0))) {
      return false;
    }
    String name = firstWord(rest.strip());
    if (name.isEmpty()) {
      fatal(line, number, "", "no file is named", "write Include and a file name");
      return true;
    }
    if (LineSource.isSpace(line.text().charAt(0))) {
      findings.add(
          new ConfigFinding(
              Severity.ERROR,
              line.file(),
              number,
              "Include",
              name,
              "Slurm sees an Include only at the very start of a line",
              "remove the blanks before it"));
    }
    String more = rest.strip().substring(name.length()).strip();
    if (!more.isEmpty()) {
      fatal(
          line, number, name, "\"" + more + "\" follows the file name", "include one file a line");
    }
    follow(line, number, name);
    return true;
  }

  private void follow(SourceLine line, int number, String name) {
    if (name.contains("*")) {
      fatal(
          line,
          number,
          name,
          "Slurm does not expand \"*\" in file names",
          "include each file by name");
      return;
    }
    String expanded = name;
    if (name.contains("%c")) {
      String cluster = clusterName.get().toLowerCase(Locale.ROOT);
      if (cluster.isEmpty()) {
        fatal(line, number, name, "%c needs ClusterName", "write ClusterName above this line");
        return;
      }
      expanded = name.replace("%c", cluster);
    }
    Path target = resolve(expanded);
    if (target == null) {
      fatal(line, number, name, "not a file name", "write a path");
    } else if (open.contains(normal(target))) {
      fatal(line, number, name, "the file includes itself", "remove one Include of the loop");
    } else if (open.size() >= DEEPEST || ++files > MOST_FILES) {
      fatal(line, number, name, "too many files are included", "include fewer files");
    } else if (Files.notExists(target)) {
      fatal(line, number, name, "the included file does not exist", "it is sought at " + target);
    } else if (!readOne(target)) {
      fatal(line, number, name, "the included file cannot be read", "mend " + target);
    }
  }

  private @Nullable Path resolve(String name) {
    try {
      return root.resolveSibling(name);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private void fatal(SourceLine line, int number, String value, String message, String suggestion) {
    findings.add(
        new ConfigFinding(
            Severity.FATAL, line.file(), number, "Include", value, message, suggestion));
  }

  private static String firstWord(String text) {
    int end = 0;
    while (end < text.length() && !LineSource.isSpace(text.charAt(end))) {
      end++;
    }
    return text.substring(0, end);
  }

  private static Path normal(Path file) {
    return file.toAbsolutePath().normalize();
  }
}
