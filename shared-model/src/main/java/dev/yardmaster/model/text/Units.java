package dev.yardmaster.model.text;

/** Counts with an optional unit of 1024: {@code 4}, {@code 2k}, {@code 1M}. */
final class Units {
  static final long MAX = 1L << 60;

  private Units() {}

  /** Whether a text is a count, as opposed to a name such as {@code 1g.10gb}. */
  static boolean isCount(String text) {
    int digits = text.length();
    if (digits > 0 && Memory.UNITS.indexOf(Character.toUpperCase(text.charAt(digits - 1))) >= 0) {
      digits--;
    }
    return Scan.allDigits(text.substring(0, digits));
  }

  /** Takes the count that comes next in the scan. */
  static long count(Scan scan, String what, long max) {
    int from = scan.at;
    String digits = scan.digits();
    if (digits.isEmpty()) {
      throw scan.error(from, "expected " + what + scan.found(), "write a whole number");
    }
    long value = scan.value(from, digits, what, max);
    int unit = scan.end() ? -1 : Memory.UNITS.indexOf(Character.toUpperCase(scan.peek()));
    if (unit < 0) {
      return value;
    }
    scan.at++;
    long scale = 1L << (10 * (unit + 1));
    if (value > max / scale) {
      throw scan.error(
          from,
          what + " " + scan.text.substring(from, scan.at) + " is too large",
          "use at most " + max);
    }
    return value * scale;
  }
}
