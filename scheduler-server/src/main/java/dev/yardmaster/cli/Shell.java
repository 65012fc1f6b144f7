package dev.yardmaster.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The dialogue that scontrol(1) and sacctmgr(1) begin when no command is given: a command on each
 * line, until one says {@code exit} or {@code quit}, or the input ends.
 */
final class Shell {
  private static final String AGAIN = "!!";

  private final String program;
  private final Io io;

  /** A command of the dialogue, in its words. */
  @FunctionalInterface
  interface Line {
    int run(List<String> words) throws CommandFailure;
  }

  Shell(String program, Io io) {
    this.program = program;
    this.io = io;
  }

  /**
   * Reads and runs commands. One that fails is told of, and the next is read.
   *
   * @return the exit code of the last that failed; 0 when none did
   */
  int run(Line line) {
    int exitCode = 0;
    String before = "";
    while (true) {
      io.out().print(program + ": ");
      io.out().flush();
      String text = read();
      if (text == null) {
        io.out().println();
        return exitCode;
      }
      String command = text.strip().equals(AGAIN) ? before : text;
      List<String> words = words(command);
      if (words.isEmpty()) {
        continue;
      }
      if (List.of("exit", "quit", "q").contains(words.getFirst())) {
        return exitCode;
      }
      before = command;
      exitCode = Math.max(exitCode, run(line, words));
    }
  }

  private int run(Line line, List<String> words) {
    try {
      return line.run(words);
    } catch (CommandFailure e) {
      for (String said : e.lines()) {
        if (!Hint.is(said) || io.interactive()) {
          io.err().println(Hint.text(said));
        }
      }
      return e.exitCode();
    }
  }

  private @Nullable String read() {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try {
      int c = io.in().read();
      if (c < 0) {
        return null;
      }
      while (c >= 0 && c != '\n') {
        line.write(c);
        c = io.in().read();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  /** The words of a line, as a shell divides them; quotes keep spaces. */
  static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean begun = false;
    char quote = 0;
    for (char c : (line + " ").toCharArray()) {
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '"' || c == '\'') {
        quote = c;
        begun = true;
      } else if (Character.isWhitespace(c)) {
        if (begun) {
          words.add(word.toString());
        }
        word.setLength(0);
        begun = false;
      } else {
        word.append(c);
        begun = true;
      }
    }
    return words;
  }
}
