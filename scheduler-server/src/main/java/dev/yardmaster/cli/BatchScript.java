package dev.yardmaster.cli;

import dev.yardmaster.model.text.KeyValueText;
import dev.yardmaster.model.text.NotationException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The script of a batch job.
 *
 * @param path where it was read from; empty for standard input
 */
record BatchScript(String text, String path) {
  /** Reads the file that a command line names, looked for in PATH when it has no slash. */
  static BatchScript read(String name, Io io) throws CommandFailure {
    Path file = find(name, io);
    try {
      return new BatchScript(
          new String(io.machine().read(file), StandardCharsets.UTF_8), file.toString());
    } catch (IOException e) {
      List<String> lines = new ArrayList<>();
      lines.add("sbatch: error: Unable to open file " + name);
      if (name.startsWith(",")) {
        lines.add(Hint.of("a space before \",\" has split the value of an option"));
      }
      throw new CommandFailure(1, lines);
    }
  }

  static BatchScript readStandardInput(Io io) throws CommandFailure {
    try {
      return new BatchScript(new String(io.in().readAllBytes(), StandardCharsets.UTF_8), "");
    } catch (IOException e) {
      throw new CommandFailure(1, "sbatch: error: Unable to read the script: " + e.getMessage());
    }
  }

  private static Path find(String name, Io io) {
    Path here = io.directory().resolve(name);
    String path = io.variable("PATH");
    if (name.contains("/") || io.machine().exists(here) || path == null) {
      return here;
    }
    for (String directory : path.split(":")) {
      if (!directory.isEmpty()) {
        Path candidate = Path.of(directory, name);
        if (io.machine().isProgram(candidate)) {
          return candidate;
        }
      }
    }
    return here;
  }

  /** Refuses what sbatch does not take for a script, in its words. */
  void check() throws CommandFailure {
    if (text.isEmpty()) {
      throw refused("Batch script is empty!");
    }
    if (text.isBlank()) {
      throw refused("Batch script contains only whitespace!");
    }
    if (!text.startsWith("#!")) {
      throw refused(
          "This does not look like a batch script.  The first",
          "line must start with #! followed by the path to an interpreter.",
          "For instance: #!/bin/sh");
    }
    if (text.indexOf('\0') >= 0) {
      throw refused(
          "The Slurm controller does not allow scripts that", "contain a NULL character '\\0'.");
    }
    if (text.contains("\r\n")) {
      throw refused(
          "Batch script contains DOS line breaks (\\r\\n)",
          "instead of expected UNIX line breaks (\\n).");
    }
  }

  private static CommandFailure refused(String... lines) {
    List<String> prefixed = new ArrayList<>();
    for (String line : lines) {
      prefixed.add("sbatch: error: " + line);
    }
    return new CommandFailure(1, prefixed);
  }

  /** The words of its #SBATCH lines; they end with the first line that is no comment. */
  List<String> directives() throws CommandFailure {
    List<String> words = new ArrayList<>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (!line.startsWith("#") && !line.isBlank()) {
        break;
      }
      try {
        Optional<List<String>> options = KeyValueText.sbatch(line);
        options.ifPresent(words::addAll);
      } catch (NotationException e) {
        throw new CommandFailure(
            1,
            "sbatch: error: "
                + (path.isEmpty() ? "standard input" : path)
                + ":"
                + number
                + ": "
                + e.getMessage());
      }
    }
    return words;
  }
}
