package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerLogTest {
  private static final Logger ROOT = Logger.getLogger("");
  private static final Logger LOG = Logger.getLogger("dev.yardmaster.test");

  @TempDir private Path folder;
  private Handler[] handlers;
  private Level level;

  @BeforeEach
  void keep() {
    handlers = ROOT.getHandlers();
    level = ROOT.getLevel();
    ServerLog.start();
  }

  @AfterEach
  void putBack() throws IOException {
    configure(Map.of());
    for (Handler each : ROOT.getHandlers()) {
      ROOT.removeHandler(each);
    }
    for (Handler each : handlers) {
      ROOT.addHandler(each);
    }
    ROOT.setLevel(level);
  }

  private static void configure(Map<String, String> settings) throws IOException {
    ServerLog.configure(key -> Optional.ofNullable(settings.get(key)));
  }

  private static LogRecord entry(Level at, String message) {
    LogRecord entry = new LogRecord(at, message);
    entry.setLoggerName("a.b");
    entry.setInstant(Instant.parse("2026-07-01T10:11:12.345Z"));
    return entry;
  }

  @ParameterizedTest
  @CsvSource({
    "'', [2026-07-01T12:11:12.345] warning: it",
    "iso8601_ms, [2026-07-01T12:11:12.345] warning: it",
    "iso8601, [2026-07-01T12:11:12] warning: it",
    "rfc5424, [2026-07-01T12:11:12+02:00] warning: it",
    "rfc5424_ms, [2026-07-01T12:11:12.345+02:00] warning: it",
    "rfc3339, [2026-07-01T10:11:12Z] warning: it",
    "short, [Jul 01 12:11:12] warning: it",
    "omit, warning: it"
  })
  void theTimeOfALineIsInTheFormThatLogTimeFormatNames(String format, String line) {
    assertThat(
            new LogLines(format, false, ZoneId.of("Europe/Berlin"))
                .format(entry(Level.WARNING, "it")))
        .isEqualTo(line + "\n");
  }

  @Test
  void aLineOfJsonHasAnEntryWholeWhateverIsInIt() throws Exception {
    LogRecord entry = entry(Level.SEVERE, "a \"quoted\"\nline {0}");
    entry.setThrown(new IllegalStateException("why"));
    String line = new LogLines("omit", true, ZoneId.of("UTC")).format(entry);
    assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
    JsonNode read = new ObjectMapper().readTree(line);
    assertThat(read.path("time").asText()).isEqualTo("2026-07-01T10:11:12.345Z");
    assertThat(read.path("level").asText()).isEqualTo("error");
    assertThat(read.path("logger").asText()).isEqualTo("a.b");
    assertThat(read.path("message").asText()).isEqualTo("a \"quoted\"\nline {0}");
    assertThat(read.path("exception").asText()).contains("IllegalStateException: why", "at ");
  }

  @Test
  void theLogGoesToItsFileAtItsLevelAndToANewOneAfterItWasMovedAway() throws Exception {
    Path file = folder.resolve("slurmctld.log");
    Map<String, String> settings =
        Map.of(
            "SlurmctldLogFile",
            file.toString(),
            "SlurmctldDebug",
            "error",
            "LogTimeFormat",
            "omit");
    configure(settings);
    LOG.severe("one");
    LOG.info("no error");
    assertThat(Files.readString(file)).isEqualTo("error: one\n");
    Files.move(file, folder.resolve("old"));
    configure(settings);
    LOG.severe("two");
    assertThat(Files.readString(file)).isEqualTo("error: two\n");
    assertThat(Files.readString(folder.resolve("old"))).isEqualTo("error: one\n");
    configure(
        Map.of(
            "SlurmctldLogFile",
            file.toString(),
            "SlurmctldDebug",
            "5",
            "SlurmctldParameters",
            "power_save_interval=9,log_json"));
    LOG.fine("three");
    assertThat(Files.readString(file)).contains("\"level\":\"debug\"", "\"message\":\"three\"");
    assertThatThrownBy(() -> configure(Map.of("SlurmctldLogFile", "/nonexistent/x.log")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/nonexistent/x.log");
    LOG.fine("four");
    assertThat(Files.readString(file)).contains("four");
  }

  @Test
  void theLevelAndTheFlagsChangeWhileItLogs() throws Exception {
    Path file = folder.resolve("slurmctld.log");
    configure(Map.of("SlurmctldLogFile", file.toString(), "LogTimeFormat", "omit"));
    Logger backfill = Logger.getLogger("dev.yardmaster.controller.PassRunner");
    backfill.fine("one");
    LOG.fine("two");
    assertThat(Files.readString(file)).isEmpty();
    ServerLog.alter(key -> Optional.ofNullable(Map.of("DebugFlags", "Steps,Backfill").get(key)));
    backfill.fine("three");
    LOG.fine("four");
    ServerLog.alter(key -> Optional.ofNullable(Map.of("SlurmctldDebug", "debug").get(key)));
    LOG.fine("five");
    ServerLog.alter(key -> Optional.empty());
    LOG.fine("six");
    backfill.fine("seven");
    assertThat(Files.readString(file)).isEqualTo("debug: three\ndebug: five\n");
  }

  @ParameterizedTest
  @CsvSource({
    "quiet, OFF",
    "fatal, SEVERE",
    "ERROR, SEVERE",
    "info, INFO",
    "verbose, INFO",
    "debug, FINE",
    "6, FINE",
    "debug5, ALL"
  })
  void levelsAreSlurms(String name, String expected) {
    assertThat(ServerLog.level(name)).isEqualTo(Level.parse(expected));
  }
}
