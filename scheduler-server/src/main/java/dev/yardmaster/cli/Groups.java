package dev.yardmaster.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Asks the machine for its groups, wherever it keeps them. */
final class Groups {
  private Groups() {}

  /** The number of a group; null when there is none of that name. */
  static @Nullable Integer id(String name) {
    if (name.isEmpty() || name.startsWith("-")) {
      return null;
    }
    try {
      Process process =
          new ProcessBuilder("getent", "group", name)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      String[] parts = said.split(":", -1);
      return process.waitFor() == 0 && parts.length > 2 && parts[2].matches("[0-9]{1,9}")
          ? Integer.valueOf(parts[2])
          : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
