package dev.yardmaster.node;

import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A task of a step: its process, and the terminal that it runs on if it has one (srun(1), {@code
 * --pty}).
 */
record StepTask(Process process, @Nullable PseudoTerminal terminal) {
  /** What it reads. */
  OutputStream input() {
    return terminal == null ? process.getOutputStream() : terminal.input();
  }

  /** Takes {@code ROWS COLUMNS}, where it has a terminal. */
  void resize(String size) throws IOException {
    if (terminal != null) {
      resize(terminal, size);
    }
  }

  /** Gives a terminal a size, as {@code ROWS COLUMNS}. */
  static void resize(PseudoTerminal terminal, String size) throws IOException {
    String[] numbers = size.split(" ", -1);
    if (numbers.length == 2
        && numbers[0].matches("[0-9]{1,5}")
        && numbers[1].matches("[0-9]{1,5}")) {
      terminal.resize(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
    }
  }

  /** Nothing of it is left. */
  void close() throws IOException {
    if (terminal != null) {
      terminal.close();
    }
  }
}
