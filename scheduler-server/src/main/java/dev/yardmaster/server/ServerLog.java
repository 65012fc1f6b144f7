package dev.yardmaster.server;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.NodeSpec;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import org.jspecify.annotations.Nullable;

/**
 * How a server or node daemon logs: lines on standard error, and in SlurmctldLogFile or
 * SlurmdLogFile instead where the configuration names one; libraries only when they warn.
 */
final class ServerLog {
  /** Word of SlurmctldParameters. */
  private static final String JSON = "log_json";

  private static final Logger ROOT = Logger.getLogger("");

  /** Held, since a logger that nobody holds forgets its level. */
  private static final List<Logger> QUIET =
      List.of(Logger.getLogger("org.flywaydb"), Logger.getLogger("io.grpc"));

  /** Writes pages about what whoever called it says in a line. */
  private static final Logger MIGRATIONS = Logger.getLogger("org.flywaydb.core.internal");

  /** What tells more for a word of DebugFlags. */
  private static final Map<String, List<String>> FLAGS =
      Map.ofEntries(
          Map.entry("agent", List.of("dev.yardmaster.server")),
          Map.entry("backfill", List.of("dev.yardmaster.controller")),
          Map.entry("backfillmap", List.of("dev.yardmaster.controller")),
          Map.entry("conmgr", List.of("io.grpc", "dev.yardmaster.server")),
          Map.entry("dbd_agent", List.of("dev.yardmaster.accounting")),
          Map.entry("jobcomp", List.of("dev.yardmaster.accounting")),
          Map.entry("network", List.of("io.grpc")),
          Map.entry("power", List.of("dev.yardmaster.controller")),
          Map.entry("priority", List.of("dev.yardmaster.controller")),
          Map.entry("protocol", List.of("io.grpc", "dev.yardmaster.server")),
          Map.entry("reservation", List.of("dev.yardmaster.controller")),
          Map.entry("script", List.of("dev.yardmaster.controller")),
          Map.entry("selecttype", List.of("dev.yardmaster.controller")),
          Map.entry("steps", List.of("dev.yardmaster.controller", "dev.yardmaster.server")),
          Map.entry("tls", List.of("io.grpc", "dev.yardmaster.security")),
          Map.entry("triggers", List.of("dev.yardmaster.server")));

  /** Those that tell more now. */
  private static final List<Logger> FLAGGED = new ArrayList<>();

  private static boolean started;
  private static @Nullable Handler present;

  private ServerLog() {}

  /** Logs on standard error from now on. */
  static synchronized void start() {
    started = true;
    QUIET.forEach(logger -> logger.setLevel(Level.WARNING));
    MIGRATIONS.setLevel(Level.OFF);
    use(new Lines(System.err, false), new LogLines("", false, ZoneId.systemDefault()), Level.INFO);
  }

  /**
   * Logs as a configuration says: SlurmctldDebug and SlurmctldLogFile, LogTimeFormat, and
   * SlurmctldParameters=log_json for an object of JSON in each line. The file is opened anew each
   * time, so that one that was moved away is left. Does nothing in a process that has not been
   * started to log.
   *
   * @throws IOException when the file cannot be written; the log goes on where it was
   */
  static void configure(Function<String, Optional<String>> settings) throws IOException {
    configure(
        settings,
        settings.apply("SlurmctldLogFile").orElse(""),
        settings.apply("SlurmctldDebug").orElse("info"));
  }

  /**
   * The same for a process of node daemons: SlurmdDebug and SlurmdLogFile, whose %h and %n are
   * those of its first node.
   */
  static void configure(ClusterConfig config, NodeSpec node) throws IOException {
    configure(
        config::setting,
        config
            .setting("SlurmdLogFile")
            .orElse("")
            .replace("%h", node.hostname())
            .replace("%n", node.name()),
        config.setting("SlurmdDebug").orElse("info"));
  }

  private static synchronized void configure(
      Function<String, Optional<String>> settings, String file, String debug) throws IOException {
    if (!started) {
      return;
    }
    boolean json =
        List.of(
                settings
                    .apply("SlurmctldParameters")
                    .orElse("")
                    .toLowerCase(Locale.ROOT)
                    .split(","))
            .contains(JSON);
    Handler next =
        file.isEmpty()
            ? new Lines(System.err, false)
            : new Lines(new FileOutputStream(Path.of(file).toFile(), true), true);
    use(
        next,
        new LogLines(
            settings.apply("LogTimeFormat").orElse("").split(",")[0], json, ZoneId.systemDefault()),
        level(debug));
    flag(settings.apply("DebugFlags").orElse(""));
  }

  /**
   * Logs as much as a configuration says, SlurmctldDebug and DebugFlags, where it logs already.
   * Does nothing in a process that has not been started to log.
   */
  static synchronized void alter(Function<String, Optional<String>> settings) {
    if (!started) {
      return;
    }
    ROOT.setLevel(level(settings.apply("SlurmctldDebug").orElse("info")));
    flag(settings.apply("DebugFlags").orElse(""));
  }

  private static void flag(String flags) {
    FLAGGED.forEach(logger -> logger.setLevel(null));
    QUIET.forEach(logger -> logger.setLevel(Level.WARNING));
    FLAGGED.clear();
    for (String flag : flags.split(",")) {
      for (String name : FLAGS.getOrDefault(flag.strip().toLowerCase(Locale.ROOT), List.of())) {
        Logger logger = Logger.getLogger(name);
        logger.setLevel(Level.FINE);
        FLAGGED.add(logger);
      }
    }
  }

  private static void use(Handler next, LogLines lines, Level level) {
    next.setFormatter(lines);
    next.setLevel(Level.ALL);
    ROOT.setLevel(level);
    for (Handler other : ROOT.getHandlers()) {
      ROOT.removeHandler(other);
    }
    ROOT.addHandler(next);
    Handler before = present;
    present = next;
    if (before != null) {
      before.close();
    }
  }

  /** SlurmctldDebug or SlurmdDebug by name or number. */
  static Level level(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "quiet", "0" -> Level.OFF;
      case "fatal", "1", "error", "2" -> Level.SEVERE;
      case "debug", "5", "debug2", "6" -> Level.FINE;
      case "debug3", "7", "debug4", "8", "debug5", "9" -> Level.ALL;
      default -> Level.INFO;
    };
  }

  /** Writes each entry at once. */
  private static final class Lines extends StreamHandler {
    private final boolean isOwn;

    Lines(OutputStream to, boolean isOwn) {
      setOutputStream(to);
      this.isOwn = isOwn;
    }

    @Override
    public synchronized void publish(LogRecord entry) {
      super.publish(entry);
      flush();
    }

    /** Standard error stays open. */
    @Override
    public synchronized void close() {
      if (isOwn) {
        super.close();
      } else {
        flush();
      }
    }
  }
}
