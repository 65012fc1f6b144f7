package dev.yardmaster.cli;

import dev.yardmaster.client.Credential;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Asks the machine who somebody is, wherever it keeps its users. */
final class UnixUsers {
  private static final Pattern ID =
      Pattern.compile("uid=([0-9]+)\\(([^)]+)\\) gid=([0-9]+)\\(([^)]+)\\).*", Pattern.DOTALL);

  private UnixUsers() {}

  static @Nullable Credential find(String name) {
    if (name.isEmpty() || name.startsWith("-")) {
      return null;
    }
    try {
      Process process =
          new ProcessBuilder("id", name).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      Matcher parts = ID.matcher(said);
      return process.waitFor() == 0 && parts.matches()
          ? new Credential(
              parts.group(2),
              Integer.parseInt(parts.group(1)),
              parts.group(4),
              Integer.parseInt(parts.group(3)),
              null)
          : null;
    } catch (IOException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
