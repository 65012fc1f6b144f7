package dev.yardmaster.cli;

import java.util.List;

/** Ends a command with an exit code, after lines on standard error. */
final class CommandFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final transient List<String> lines;

  CommandFailure(int exitCode, List<String> lines) {
    super(String.join("\n", lines), null, false, false);
    this.exitCode = exitCode;
    this.lines = List.copyOf(lines);
  }

  CommandFailure(int exitCode, String... lines) {
    this(exitCode, List.of(lines));
  }

  int exitCode() {
    return exitCode;
  }

  List<String> lines() {
    return lines;
  }
}
