package dev.yardmaster.model.text;

/**
 * A cursor over a text, or a part of it, in one notation; it knows where it stands when something
 * is wrong.
 */
final class Scan {
  final String notation;
  final String text;
  private final int limit;
  int at;

  Scan(String notation, String text) {
    this(notation, text, 0, text.length());
  }

  /** A cursor over the part from one index up to another; errors quote the whole text. */
  Scan(String notation, String text, int from, int limit) {
    this.notation = notation;
    this.text = text;
    this.at = from;
    this.limit = limit;
  }

  boolean end() {
    return at >= limit;
  }

  /** The next character, or NUL at the end. */
  char peek() {
    return end() ? '\0' : text.charAt(at);
  }

  boolean accept(char c) {
    if (!end() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  boolean acceptWord(String word) {
    if (at + word.length() <= limit && text.regionMatches(true, at, word, 0, word.length())) {
      at += word.length();
      return true;
    }
    return false;
  }

  /** Takes everything up to one of the stop characters or the end. */
  String until(String stops) {
    int from = at;
    while (!end() && stops.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(from, at);
  }

  /** Takes the decimal digits that come next, perhaps none. */
  String digits() {
    int from = at;
    while (!end() && isDigit(text.charAt(at))) {
      at++;
    }
    return text.substring(from, at);
  }

  /** Takes a decimal number that must be there and must not exceed {@code max}. */
  long number(String what, long max) {
    int from = at;
    String digits = digits();
    if (digits.isEmpty()) {
      throw error(from, "expected " + what + found(), "write a whole number");
    }
    return value(from, digits, what, max);
  }

  long value(int from, String digits, String what, long max) {
    int first = 0;
    while (first < digits.length() - 1 && digits.charAt(first) == '0') {
      first++;
    }
    // Nineteen digits always fit an unsigned long, so no sum can overflow before it is compared.
    if (digits.length() - first <= 19) {
      long value = Long.parseUnsignedLong(digits, first, digits.length(), 10);
      if (value >= 0 && value <= max) {
        return value;
      }
    }
    throw error(from, what + " " + digits + " is too large", "use at most " + max);
  }

  /** What stands here, to end a sentence on what was expected. */
  String found() {
    return end() ? ", found the end" : ", found " + here();
  }

  /** The fault that what stands here should not. */
  String unexpected() {
    return end() ? "unexpected end" : "unexpected " + here();
  }

  private String here() {
    return "\"" + NotationException.shown(text.substring(at, at + 1), 1) + "\"";
  }

  /** A fault at an index counted from 0. */
  NotationException error(int index, String wrong, String right) {
    return new NotationException(notation, text, index + 1, wrong, right);
  }

  /** A fault of the text as a whole. */
  NotationException whole(String wrong, String right) {
    return new NotationException(notation, text, 0, wrong, right);
  }

  static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  static boolean allDigits(String s) {
    return !s.isEmpty() && s.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
