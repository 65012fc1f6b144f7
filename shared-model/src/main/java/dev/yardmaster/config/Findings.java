package dev.yardmaster.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Collects findings while files are read. */
final class Findings {
  /** More would help nobody, and a file of prose has one a line. */
  private static final int MOST = 1000;

  private boolean fatal;
  private int dropped;
  private final Set<ConfigFinding> found = new LinkedHashSet<>();
  private final Set<Path> files = new LinkedHashSet<>();

  /** Whether another finding is still listed, so that it is worth finding a suggestion for it. */
  boolean lists() {
    return found.size() < MOST;
  }

  /** Findings are listed by file in the order in which files are opened. */
  void opened(Path file) {
    files.add(file);
  }

  void add(Severity severity, Path file, int line, String message, String suggestion) {
    add(new ConfigFinding(severity, file, line, "", "", message, suggestion));
  }

  void add(Severity severity, Setting at, String message, String suggestion) {
    add(
        new ConfigFinding(
            severity, at.file(), at.line(), at.key(), at.value(), message, suggestion));
  }

  void fatal(Setting at, String message, String suggestion) {
    add(Severity.FATAL, at, message, suggestion);
  }

  void error(Setting at, String message, String suggestion) {
    add(Severity.ERROR, at, message, suggestion);
  }

  void warn(Setting at, String message, String suggestion) {
    add(Severity.WARNING, at, message, suggestion);
  }

  void info(Setting at, String message, String suggestion) {
    add(Severity.INFO, at, message, suggestion);
  }

  void add(ConfigFinding finding) {
    files.add(finding.file());
    fatal |= finding.severity() == Severity.FATAL;
    if (lists()) {
      found.add(finding);
    } else {
      dropped++;
    }
  }

  /** Takes over the findings of another file, none of them heavier than {@code heaviest}. */
  void addAll(List<ConfigFinding> others, Severity heaviest) {
    for (ConfigFinding f : others) {
      Severity severity = f.severity().compareTo(heaviest) < 0 ? heaviest : f.severity();
      add(
          new ConfigFinding(
              severity, f.file(), f.line(), f.key(), f.value(), f.message(), f.suggestion()));
    }
  }

  boolean anyFatal() {
    return fatal;
  }

  List<ConfigFinding> sorted() {
    List<Path> order = List.copyOf(files);
    var sorted = new ArrayList<>(found);
    sorted.sort(
        Comparator.<ConfigFinding>comparingInt(f -> order.indexOf(f.file()))
            .thenComparingInt(ConfigFinding::line));
    if (dropped > 0) {
      sorted.add(
          new ConfigFinding(
              fatal ? Severity.FATAL : Severity.ERROR,
              order.getFirst(),
              0,
              "",
              "",
              dropped + " more findings are not listed",
              "mend the first ones and check again"));
    }
    return List.copyOf(sorted);
  }
}
