package dev.yardmaster.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * What a real Slurm printed, where the folder with it lies beside the checkout; a test that needs
 * it is skipped where it does not.
 */
final class GoldenFiles {
  private static final Path ROOT = Path.of("..", "..", "shared", "golden");

  private GoldenFiles() {}

  /** Every snapshot of every case. */
  static List<Path> snapshots() {
    Assumptions.assumeTrue(Files.isDirectory(ROOT), "no recorded cases beside the checkout");
    try (Stream<Path> files = Files.walk(ROOT.toRealPath(), 4)) {
      return files
          .filter(file -> file.endsWith("scontrol_jobs.txt"))
          .map(Path::getParent)
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Path file(String name) {
    Assumptions.assumeTrue(Files.isDirectory(ROOT), "no recorded cases beside the checkout");
    return ROOT.resolve(name);
  }

  static String read(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
