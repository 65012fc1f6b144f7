package dev.yardmaster.config;

import java.nio.file.Path;

/**
 * One thing to say about a configuration file.
 *
 * @param file where it stands
 * @param line its line, counted from 1; 0 when it concerns the file as a whole
 * @param key the setting it concerns, in the manual's spelling where known; empty when it concerns
 *     no single one
 * @param value the value as written; empty when there is none
 * @param message what is wrong
 * @param suggestion what would be right; empty when nothing can be said
 */
public record ConfigFinding(
    Severity severity,
    Path file,
    int line,
    String key,
    String value,
    String message,
    String suggestion) {
  private static final int SHOWN = 120;

  /** One printable line: {@code slurm.conf:12: Weight=heavy: not a number; write 0-65535}. */
  @Override
  public String toString() {
    var out = new StringBuilder(printable(file.toString(), Integer.MAX_VALUE)).append(':');
    if (line > 0) {
      out.append(line).append(':');
    }
    out.append(' ');
    if (!key.isEmpty()) {
      out.append(printable(key, SHOWN));
      if (!value.isEmpty()) {
        out.append('=').append(printable(value, SHOWN));
      }
      out.append(": ");
    } else if (!value.isEmpty()) {
      out.append('"').append(printable(value, SHOWN)).append("\": ");
    }
    out.append(printable(message, Integer.MAX_VALUE));
    if (!suggestion.isEmpty()) {
      out.append("; ").append(printable(suggestion, Integer.MAX_VALUE));
    }
    return out.toString();
  }

  /** The text without line breaks and control characters, cut where it grows too long. */
  static String printable(String text, int most) {
    var out = new StringBuilder();
    int end = text.length() <= most ? text.length() : most;
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      boolean hidden =
          Character.isISOControl(c) || Character.isSurrogate(c) || c == '\u2028' || c == '\u2029';
      out.append(hidden ? String.format("\\u%04x", (int) c) : String.valueOf(c));
    }
    return end < text.length() ? out.append("...").toString() : out.toString();
  }
}
