package dev.yardmaster.controller.accounts;

import java.util.List;
import java.util.stream.Stream;

/** A command that changes nothing, with the lines that sacctmgr prints. */
public final class EditFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> lines;

  EditFailure(List<String> lines) {
    super(String.join("\n", lines), null, false, false);
    this.lines = List.copyOf(lines);
  }

  EditFailure(String... lines) {
    this(List.of(lines));
  }

  /** The same with one more line. */
  EditFailure and(String line) {
    return new EditFailure(Stream.concat(lines.stream(), Stream.of(line)).toList());
  }

  public List<String> lines() {
    return lines;
  }
}
