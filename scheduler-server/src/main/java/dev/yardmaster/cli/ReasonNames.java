package dev.yardmaster.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The names of all reasons of Slurm in the order of their numbers, also of those that never come.
 */
final class ReasonNames {
  private ReasonNames() {}

  static List<String> all() {
    try (InputStream in =
        Objects.requireNonNull(ReasonNames.class.getResourceAsStream("reasons.txt"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
