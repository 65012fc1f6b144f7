package dev.yardmaster.node.cgroup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Reads and writes the files of control groups. */
final class GroupFiles {
  static final String PROCESSES = "cgroup.procs";

  private GroupFiles() {}

  /** What a file says; empty when it is not there. */
  static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }

  /** Writes to a file of the kernel, which takes all of it at once. */
  static void write(Path file, String text) throws IOException {
    try {
      Files.writeString(
          file, text + "\n", StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
    } catch (IOException e) {
      throw new IOException(file + ": " + text + " cannot be written: " + e.getMessage(), e);
    }
  }

  /** The number that follows a word at the beginning of a line; 0 when there is none. */
  static long number(Path file, String word) {
    for (String line : read(file).split("\n")) {
      String[] parts = line.split(" ");
      if (parts.length == 2 && parts[0].equals(word) && parts[1].matches("[0-9]{1,18}")) {
        return Long.parseLong(parts[1]);
      }
    }
    return 0;
  }

  /** The processes of a group and of all groups in it. */
  static Set<Integer> processes(Path group) {
    Set<Integer> found = new TreeSet<>();
    for (Path inner : groups(group)) {
      for (String line : read(inner.resolve(PROCESSES)).split("\n")) {
        // What is of another namespace is told as 0.
        if (line.matches("[1-9][0-9]{0,8}")) {
          found.add(Integer.parseInt(line));
        }
      }
    }
    return found;
  }

  /** A group and all groups in it, the inner ones last. */
  private static List<Path> groups(Path group) {
    try (Stream<Path> all = Files.walk(group)) {
      return all.filter(Files::isDirectory).toList();
    } catch (IOException | UncheckedIOException e) {
      return List.of();
    }
  }

  /** Removes a group and those in it, as far as nobody is in them. */
  static void remove(Path group) {
    for (Path inner : groups(group).stream().sorted(Comparator.reverseOrder()).toList()) {
      try {
        Files.deleteIfExists(inner);
      } catch (IOException e) {
        // Somebody is still there; who is the last one of the job removes it.
        continue;
      }
    }
  }
}
