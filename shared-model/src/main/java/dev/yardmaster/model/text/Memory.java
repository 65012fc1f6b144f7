package dev.yardmaster.model.text;

import java.util.Locale;

/**
 * Amounts of memory, held as whole MiB. A bare number is MiB; K, M, G, T and P are powers of 1024
 * and K rounds up to a whole MiB (sbatch(1), {@code --mem}).
 */
public final class Memory {
  /**
   * The largest amount, in MiB; far above any machine and far below what arithmetic on it would
   * overflow.
   */
  public static final long MAX_MIB = 1L << 50;

  static final String UNITS = "KMGTP";
  private static final String NOTATION = "memory";

  private Memory() {}

  /** The two ways in which an older {@code sacct} says what a requested amount is counted for. */
  public enum Per {
    /** No suffix: the size stands alone. */
    UNSAID(""),
    CPU("c"),
    NODE("n");

    private final String suffix;

    Per(String suffix) {
      this.suffix = suffix;
    }
  }

  /**
   * The ReqMem column of an older {@code sacct}: {@code 1Mc} is 1 MiB per CPU, {@code 48Gn} is 48
   * GiB per node.
   */
  public record ReqMem(long mib, Per per) {
    @Override
    public String toString() {
      return format(mib) + per.suffix;
    }
  }

  /** Parses a request as MiB: a whole number with an optional unit. */
  public static long parse(String text) {
    return mib(text, text, false);
  }

  /**
   * Parses what a command printed as MiB: as {@link #parse}, and fractions such as {@code 62.50G},
   * rounded up.
   */
  public static long parseReported(String text) {
    return mib(text, text, true);
  }

  /**
   * Parses ReqMem as {@code sacct} prints it: number, unit, and the optional suffix c (per CPU) or
   * n (per node). In raw numbers the highest bit of 64 says per CPU: 9223372036854779904 is 4096
   * MiB per CPU.
   */
  public static ReqMem parseReqMem(String text) {
    if (text.length() == 19 && Scan.allDigits(text) && Long.parseUnsignedLong(text) < 0) {
      return new ReqMem(Long.parseUnsignedLong(text) & Long.MAX_VALUE, Per.CPU);
    }
    char last = text.isEmpty() ? ' ' : Character.toLowerCase(text.charAt(text.length() - 1));
    Per per = last == 'c' ? Per.CPU : last == 'n' ? Per.NODE : Per.UNSAID;
    String amount = per == Per.UNSAID ? text : text.substring(0, text.length() - 1);
    return new ReqMem(mib(text, amount, true), per);
  }

  /**
   * Prints MiB as Slurm does by default: the largest unit in which the amount is a whole or half
   * number, so {@code 1000M}, {@code 125G}, {@code 62.50G}.
   */
  public static String format(long mib) {
    if (mib < 0) {
      throw new NotationException(NOTATION, Long.toString(mib), 0, "negative", "use 0 or more MiB");
    }
    long whole = mib;
    int unit = 1;
    while (whole >= 1024 && whole % 512 == 0 && unit < UNITS.length() - 1) {
      unit++;
      if (whole % 1024 != 0) {
        return String.format(Locale.ROOT, "%d.50%c", whole / 1024, UNITS.charAt(unit));
      }
      whole /= 1024;
    }
    return whole == 0 ? "0" : whole + String.valueOf(UNITS.charAt(unit));
  }

  private static long mib(String whole, String amount, boolean fractions) {
    var scan = new Scan(NOTATION, whole);
    String help = "write a whole number with an optional K, M, G, T or P";
    String digits = scan.digits();
    if (digits.isEmpty()) {
      throw scan.error(0, "expected a number" + scan.found(), help);
    }
    String decimals = "";
    if (scan.peek() == '.') {
      if (!fractions) {
        throw scan.error(
            scan.at, "a fraction", "write a whole number in a smaller unit, as 1536M for 1.5G");
      }
      scan.at++;
      decimals = scan.digits();
    }
    int unit = 1;
    if (scan.at < amount.length()) {
      unit = UNITS.indexOf(Character.toUpperCase(scan.peek()));
      if (unit < 0) {
        throw scan.error(
            scan.at,
            "unknown unit \"" + NotationException.shown(amount.substring(scan.at), 1) + "\"",
            help);
      }
      scan.at++;
    }
    if (scan.at < amount.length() && Character.toUpperCase(scan.peek()) == 'B') {
      scan.at++;
    }
    if (scan.at < amount.length()) {
      throw scan.error(scan.at, "unexpected text after the unit", help);
    }
    long value = scan.value(0, digits, "amount", MAX_MIB);
    double fraction = decimals.isEmpty() ? 0 : Double.parseDouble("0." + decimals);
    if (unit == 0) {
      return (value + (fraction > 0 ? 1 : 0) + 1023) / 1024;
    }
    long scale = 1L << (10 * (unit - 1));
    if (value > MAX_MIB / scale) {
      throw scan.error(0, "amount is too large", "use at most " + format(MAX_MIB));
    }
    return value * scale + (long) Math.ceil(fraction * scale);
  }
}
