package dev.yardmaster.controller;

import dev.yardmaster.model.SlurmError;
import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values that submissions and updates read alike. */
final class Fields {
  private static final Pattern NUMBER = Pattern.compile("\\+?(-?[0-9]+)");
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  private Fields() {}

  /**
   * A nice value: a negative one is for administrators. As Slurm reads it, the number ends where no
   * digit follows, and what begins with none is 0.
   *
   * @param limit how far from 0 Slurm lets it be
   */
  static int nice(String value, int limit, boolean administrator) {
    Matcher number = NUMBER.matcher(value.strip());
    BigInteger nice = number.lookingAt() ? new BigInteger(number.group(1)) : BigInteger.ZERO;
    return checked(value, nice.min(MOST).max(MOST.negate()).longValue(), limit, administrator);
  }

  private static int checked(String value, long nice, int limit, boolean administrator) {
    if (nice > limit || nice < -limit) {
      throw new Refusal(
          SlurmError.COMMAND_LINE, "Invalid --nice value, out of range (+/- " + limit + ")");
    }
    if (nice < 0 && !administrator) {
      throw new Refusal(
          SlurmError.INVALID_NICE, "\n" + value + ": only an administrator may give less than 0");
    }
    return (int) nice;
  }
}
