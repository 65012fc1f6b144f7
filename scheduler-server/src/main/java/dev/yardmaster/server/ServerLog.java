package dev.yardmaster.server;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** How a server logs: one line an entry on standard error, libraries only when they warn. */
final class ServerLog {
  private static final String LINE = "%1$tFT%1$tT %4$s %3$s: %5$s%6$s%n";

  /** Held, since a logger that nobody holds forgets its level. */
  private static final List<Logger> QUIET =
      List.of(Logger.getLogger("org.flywaydb"), Logger.getLogger("io.grpc"));

  private ServerLog() {}

  static void start() {
    System.setProperty("java.util.logging.SimpleFormatter.format", LINE);
    QUIET.forEach(logger -> logger.setLevel(Level.WARNING));
  }
}
