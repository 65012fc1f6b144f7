package dev.yardmaster.node;

import dev.yardmaster.model.NodeMeasure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What slurmd reports of a machine with each answer: the load of five minutes, the memory that
 * nothing uses, and its operating system.
 *
 * @param root of the file systems of the kernel, {@code /} but in tests
 * @param started when the daemon began
 */
record MachineLoad(Path root, Instant started) {
  NodeMeasure measure() {
    String free = Hardware.line(root.resolve("proc/meminfo"), "MemFree:").replaceAll("[^0-9]", "");
    return new NodeMeasure(
        load(Hardware.line(root.resolve("proc/loadavg"), "")),
        free.isEmpty() ? -1 : Long.parseLong(free) / 1024,
        system(),
        started,
        null);
  }

  /** The second of the averages in hundredths; 0 where there is none. */
  private static int load(String averages) {
    String[] words = averages.split(" ");
    return words.length > 1 && words[1].matches("[0-9]{1,6}\\.[0-9]{2}")
        ? Integer.parseInt(words[1].replace(".", ""))
        : 0;
  }

  /** As uname(1) tells it: name, release and version of the kernel. */
  private String system() {
    return Stream.of("ostype", "osrelease", "version")
        .map(file -> read(root.resolve("proc/sys/kernel").resolve(file)))
        .filter(word -> !word.isEmpty())
        .collect(Collectors.joining(" "));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      return "";
    }
  }
}
