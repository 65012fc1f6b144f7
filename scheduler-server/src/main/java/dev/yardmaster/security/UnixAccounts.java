package dev.yardmaster.security;

import dev.yardmaster.model.Identity;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The users of this machine, wherever it keeps them; each is asked for once a minute at most. */
final class UnixAccounts {
  private static final Pattern ID =
      Pattern.compile("uid=([0-9]+)\\(([^)]+)\\) gid=([0-9]+)\\(([^)]+)\\).*", Pattern.DOTALL);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.][A-Za-z0-9_.@$-]{0,255}");
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final int MOST = 10_000;

  private final Map<String, Known> known = new ConcurrentHashMap<>();

  private record Known(@Nullable Identity identity, long until) {}

  /** A user by name; null when there is none. */
  @Nullable Identity find(String name) {
    if (!NAME.matcher(name).matches()) {
      return null;
    }
    Known found = known.get(name);
    if (found == null || System.nanoTime() - found.until() > 0) {
      found = new Known(ask(name), System.nanoTime() + KEPT.toNanos());
      if (known.size() > MOST) {
        known.clear();
      }
      known.put(name, found);
    }
    return found.identity();
  }

  private static @Nullable Identity ask(String name) {
    try {
      Process process =
          new ProcessBuilder("id", name).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      Matcher parts = ID.matcher(said);
      return process.waitFor() == 0 && parts.matches()
          ? new Identity(
              parts.group(2),
              Integer.parseInt(parts.group(1)),
              parts.group(4),
              Integer.parseInt(parts.group(3)))
          : null;
    } catch (IOException | NumberFormatException e) {
      return null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }
}
