package dev.yardmaster.server;

import java.util.List;

/** Why a server cannot start, as lines for the operator; the last ones say what would help. */
final class StartFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<String> lines;

  StartFailure(List<String> lines) {
    super(String.join("; ", lines));
    this.lines = List.copyOf(lines);
  }

  StartFailure(String line) {
    this(List.of(line));
  }

  List<String> lines() {
    return lines;
  }
}
