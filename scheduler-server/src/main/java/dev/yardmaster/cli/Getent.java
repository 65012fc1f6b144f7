package dev.yardmaster.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Asks the machine for its groups and the names of its users, wherever it keeps them. */
final class Getent {
  private Getent() {}

  /** The number of a group; null when there is none of that name. */
  static @Nullable Integer groupId(String name) {
    String number = field("group", name, 2);
    return number.matches("[0-9]{1,9}") ? Integer.valueOf(number) : null;
  }

  /** What a user is called; empty when nothing is known. */
  static String properName(String user) {
    return field("passwd", user, 4).split(",", 2)[0];
  }

  /** The home directory of a user; empty when there is no such user. */
  static String home(String user) {
    return field("passwd", user, 5);
  }

  private static String field(String database, String key, int index) {
    if (key.isEmpty() || key.startsWith("-")) {
      return "";
    }
    try {
      Process process =
          new ProcessBuilder("getent", database, key)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      String[] parts = said.split(":", -1);
      return process.waitFor() == 0 && parts.length > index ? parts[index] : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
