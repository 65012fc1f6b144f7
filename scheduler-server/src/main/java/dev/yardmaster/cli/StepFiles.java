package dev.yardmaster.cli;

import dev.yardmaster.model.JobStep;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Where a step's output goes: to srun's own, to a file that all tasks share, or to one of each
 * task's own (srun(1), IO Redirection). The files are opened where srun runs.
 */
final class StepFiles {
  private final Map<Path, OutputStream> open = new ConcurrentHashMap<>();
  private final Io io;
  private final boolean append;

  StepFiles(Io io, Map<String, String> options) {
    this.io = io;
    this.append = options.getOrDefault("open-mode", "t").toLowerCase(Locale.ROOT).startsWith("a");
  }

  /**
   * @param pattern what --output or --error says; empty when neither was given
   * @param otherwise srun's own stream
   */
  Function<Integer, OutputStream> of(String pattern, PrintStream otherwise, JobStep step) {
    if (pattern.isEmpty() || pattern.equals("all")) {
      return task -> otherwise;
    }
    if (pattern.equals("none") || pattern.equals("/dev/null")) {
      return task -> OutputStream.nullOutputStream();
    }
    if (pattern.matches("[0-9]{1,9}")) {
      int only = Integer.parseInt(pattern);
      return task -> task == only ? otherwise : OutputStream.nullOutputStream();
    }
    return task -> open.computeIfAbsent(file(pattern, step, task), this::open);
  }

  private Path file(String pattern, JobStep step, int task) {
    StringBuilder name = new StringBuilder();
    int index = 0;
    for (int i = 0; i < step.layout().size(); i++) {
      index = step.layout().get(i).tasks().contains(task) ? i : index;
    }
    String node = step.layout().get(index).node();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c != '%' || i + 1 == pattern.length()) {
        name.append(c);
        continue;
      }
      i++;
      switch (pattern.charAt(i)) {
        case '%' -> name.append('%');
        case 'J' -> name.append(step.displayId());
        case 'j', 'A' -> name.append(step.jobId());
        case 's' -> name.append(step.stepId());
        case 't' -> name.append(task);
        case 'n' -> name.append(index);
        case 'N' -> name.append(node);
        case 'u' -> name.append(step.user());
        case 'x' -> name.append(step.name());
        default -> name.append('%').append(pattern.charAt(i));
      }
    }
    return io.directory().resolve(name.toString());
  }

  private OutputStream open(Path file) {
    try {
      return append
          ? Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
          : Files.newOutputStream(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void close() {
    for (OutputStream stream : open.values()) {
      try {
        stream.close();
      } catch (IOException e) {
        io.err().println("srun: error: " + e.getMessage());
      }
    }
  }
}
