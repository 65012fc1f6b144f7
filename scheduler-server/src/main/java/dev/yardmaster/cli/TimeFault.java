package dev.yardmaster.cli;

import java.util.List;
import java.util.Locale;

/** Where a time that cannot be read goes wrong, as Slurm's commands count it, from 0. */
final class TimeFault {
  private static final List<String> WORDS =
      List.of("today", "tomorrow", "midnight", "noon", "elevenses", "fika", "teatime");
  private static final List<String> UNITS =
      List.of(
          "seconds", "second", "minutes", "minute", "hours", "hour", "days", "day", "weeks",
          "week");

  private final String given;
  private final String text;
  private int at;

  private TimeFault(String given) {
    this.given = given;
    text = given.toLowerCase(Locale.ROOT);
  }

  /** What Slurm's commands say of a text that is no time. */
  static String message(String text) {
    return "Invalid time specification (pos=" + in(text) + "): " + text;
  }

  /** The place of the fault in a text that is no time. */
  static int in(String text) {
    TimeFault fault = new TimeFault(text);
    while (fault.at < text.length()) {
      if (!fault.part()) {
        return fault.at;
      }
      fault.at++;
    }
    return 0;
  }

  private char peek(int offset) {
    return at + offset < text.length() ? text.charAt(at + offset) : '\0';
  }

  private boolean isDigit(int offset) {
    return peek(offset) >= '0' && peek(offset) <= '9';
  }

  /** Reads one part up to its last character; false when it is none. */
  private boolean part() {
    char c = peek(0);
    String rest = text.substring(at);
    String word = WORDS.stream().filter(rest::startsWith).findFirst().orElse(null);
    if (word != null) {
      at += word.length() - 1;
      return true;
    }
    if (rest.startsWith("now")) {
      return now();
    }
    if (c == ' ' || c == '\t' || c == '-' || given.charAt(at) == 'T') {
      return true;
    }
    if (!isDigit(0)) {
      return false;
    }
    return peek(1) == ':' || peek(2) == ':' ? clock() : date();
  }

  private boolean now() {
    at += 3;
    while (peek(0) == ' ') {
      at++;
    }
    if (peek(0) == '\0') {
      at--;
      return true;
    }
    return (peek(0) == '+' || peek(0) == '-') && delta();
  }

  private boolean delta() {
    int sign = at;
    boolean digits = false;
    for (at++; peek(0) != '\0'; at++) {
      String unit = UNITS.stream().filter(text.substring(at)::startsWith).findFirst().orElse(null);
      if (unit != null) {
        at += unit.length();
        break;
      }
      if (!isDigit(0) && peek(0) != ' ') {
        at--;
        return false;
      }
      digits |= isDigit(0);
    }
    at = digits ? at - 1 : sign;
    return digits;
  }

  private boolean clock() {
    int width = isDigit(1) ? 2 : 1;
    if (Integer.parseInt(text.substring(at, at + width)) > 23) {
      return false;
    }
    at += width + 1;
    if (!sixty()) {
      return false;
    }
    if (peek(0) == ':') {
      at++;
      if (!sixty()) {
        return false;
      }
    }
    while (peek(0) == ' ') {
      at++;
    }
    boolean half = text.startsWith("pm", at) || text.startsWith("am", at);
    at += half ? 1 : -1;
    return true;
  }

  /** Two digits below 60. */
  private boolean sixty() {
    for (int i = 0; i < 2; i++) {
      if (!isDigit(i)) {
        at += i;
        return false;
      }
    }
    if (peek(0) > '5') {
      return false;
    }
    at += 2;
    return true;
  }

  private boolean date() {
    boolean iso = peek(4) == '-' && peek(7) == '-';
    if (iso) {
      at += 5;
    }
    if (!number(12)) {
      return false;
    }
    if (iso || peek(0) == '.' || peek(0) == '/') {
      at++;
    }
    if (!number(31)) {
      return false;
    }
    if (!iso && (peek(0) == '.' || peek(0) == '/')) {
      at++;
    }
    if (!iso && isDigit(0)) {
      if (!isDigit(1)) {
        at++;
        return false;
      }
      at += 2;
    }
    at--;
    return true;
  }

  /** One or two digits from 1 to a largest number. */
  private boolean number(int most) {
    if (!isDigit(0)) {
      return false;
    }
    int width = isDigit(1) ? 2 : 1;
    int value = Integer.parseInt(text.substring(at, at + width));
    if (value < 1 || value > most) {
      at += width - 2;
      return false;
    }
    at += width;
    return true;
  }
}
