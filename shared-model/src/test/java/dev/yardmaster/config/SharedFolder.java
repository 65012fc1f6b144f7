package dev.yardmaster.config;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Finds the folder of collected facts beside the checkout; tests pass without it. */
final class SharedFolder {
  private SharedFolder() {}

  /** A folder in it; the test is skipped when it is not there. */
  static Path folder(String name) {
    Path folder = Path.of("../../shared").resolve(name);
    assumeTrue(Files.isDirectory(folder), () -> folder + " is not there");
    return folder;
  }

  static List<Path> entries(Path folder) {
    try (Stream<Path> entries = Files.list(folder)) {
      return entries.sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
