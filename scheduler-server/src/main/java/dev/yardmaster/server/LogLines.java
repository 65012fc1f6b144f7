package dev.yardmaster.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;

/**
 * Lines of the server's log: as Slurm's daemons write them, with the time in one of the forms of
 * LogTimeFormat (slurm.conf(5)), or an object of JSON each.
 */
final class LogLines extends Formatter {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS", Locale.ROOT);
  private static final DateTimeFormatter OFFSET = DateTimeFormatter.ofPattern("xxx", Locale.ROOT);
  private static final DateTimeFormatter SHORT =
      DateTimeFormatter.ofPattern("MMM dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter LONG =
      DateTimeFormatter.ofPattern("EEE MMM dd HH:mm:ss.SSSSSS", Locale.ROOT);

  private final String timeFormat;
  private final boolean json;
  private final ZoneId zone;

  /**
   * @param timeFormat LogTimeFormat; empty for that of Slurm's default
   * @param json whether a line is an object
   */
  LogLines(String timeFormat, boolean json, ZoneId zone) {
    this.timeFormat = timeFormat.toLowerCase(Locale.ROOT);
    this.json = json;
    this.zone = zone;
  }

  @Override
  public String format(LogRecord entry) {
    return json ? object(entry) : line(entry);
  }

  private String line(LogRecord entry) {
    String time = time(entry);
    StringBuilder line = new StringBuilder();
    if (!time.isEmpty()) {
      line.append('[').append(time).append("] ");
    }
    line.append(word(entry.getLevel())).append(formatMessage(entry)).append('\n');
    if (entry.getThrown() != null) {
      line.append(trace(entry.getThrown()));
    }
    return line.toString();
  }

  private String time(LogRecord entry) {
    ZonedDateTime at = entry.getInstant().atZone(zone);
    return switch (timeFormat) {
      case "iso8601" -> SECONDS.format(at);
      case "rfc5424" -> SECONDS.format(at) + OFFSET.format(at);
      case "rfc5424_ms" -> MILLIS.format(at) + OFFSET.format(at);
      case "rfc3339" -> SECONDS.format(at.withZoneSameInstant(ZoneOffset.UTC)) + "Z";
      case "clock" ->
          Long.toString(
              ProcessHandle.current()
                  .info()
                  .totalCpuDuration()
                  .map(used -> used.toNanos() / 1_000)
                  .orElse(0L));
      case "short" -> SHORT.format(at);
      case "thread_id" ->
          LONG.format(at)
              + " "
              + ProcessHandle.current().pid()
              + " "
              + Thread.currentThread().getName()
              + " "
              + entry.getLongThreadID();
      case "omit" -> "";
      default -> MILLIS.format(at);
    };
  }

  /** What stands before a message of a level, as in Slurm. */
  private static String word(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return "error: ";
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return "warning: ";
    }
    return level.intValue() >= Level.INFO.intValue() ? "" : "debug: ";
  }

  private String object(LogRecord entry) {
    Instant at = entry.getInstant().truncatedTo(ChronoUnit.MILLIS);
    String word = word(entry.getLevel());
    ObjectNode object = JSON.createObjectNode();
    object.put("time", at.toString());
    object.put("level", word.isEmpty() ? "info" : word.substring(0, word.length() - 2));
    object.put("logger", entry.getLoggerName());
    object.put("thread", Thread.currentThread().getName());
    object.put("message", formatMessage(entry));
    Throwable thrown = entry.getThrown();
    if (thrown != null) {
      object.put("exception", trace(thrown));
    }
    try {
      return JSON.writeValueAsString(object) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts can always be written", e);
    }
  }

  private static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text, true));
    return text.toString();
  }
}
