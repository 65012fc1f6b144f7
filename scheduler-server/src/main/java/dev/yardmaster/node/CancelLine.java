package dev.yardmaster.node;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The line that slurmstepd writes to a job's output when something ends it. */
final class CancelLine {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS", Locale.ROOT);

  private CancelLine() {}

  /** An instant in the zone of the node. */
  static String time(Instant instant) {
    return TIME.format(instant.atZone(ZoneId.systemDefault()));
  }

  /** What somebody says to a job (scontrol(1), notify). */
  static String message(String time, String text) {
    return "[%s] error: %s".formatted(time, text);
  }

  /**
   * @param time as {@link #time} prints it
   * @param why as {@link dev.yardmaster.controller.Effect.Terminate#message()}
   */
  static String text(int jobId, String node, String time, String why) {
    String cause = why.isEmpty() ? "DUE to SIGNAL Terminated" : why;
    return "[%s] error: *** JOB %d ON %s CANCELLED AT %s %s ***"
        .formatted(time, jobId, node, time.substring(0, time.length() - 4), cause);
  }
}
