package dev.yardmaster.cli;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of {@code scontrol update job} that scontrol(1) reads as far as they are numbers, and what
 * it says of those out of range.
 */
final class JobValues {
  private static final Pattern NUMBER = Pattern.compile("\\s*[+]?(-?[0-9]+)");
  private static final Pattern CPUS = Pattern.compile("([0-9]{1,9})(?:-([0-9]{1,9}))?");
  private static final long MOST = 2_147_483_645L;

  private JobValues() {}

  /**
   * Checks a value and writes into the fields what scontrol makes of it.
   *
   * @param name of the field, in lower case and whole
   */
  static void check(Map<String, String> fields, String name, String value) throws CommandFailure {
    switch (name) {
      case "nice" -> inRange("Nice", value);
      case "sitefactor" -> {
        inRange("SiteFactor", value);
        fields.put(name, number(value).toString());
      }
      case "arraytaskthrottle" -> {
        if (number(value).signum() < 0) {
          throw error("Invalid ArrayTaskThrottle value");
        }
        fields.put(name, number(value).toString());
      }
      case "switches" -> {
        int at = value.indexOf('@');
        String count = number(at < 0 ? value : value.substring(0, at)).max(BigInteger.ZERO) + "";
        fields.put(name, at < 0 ? count : count + value.substring(at));
      }
      case "requeue" -> fields.put(name, value.matches("0+") ? "0" : "1");
      case "numcpus" -> {
        Matcher cpus = CPUS.matcher(value);
        if (!cpus.matches()) {
          throw new CommandFailure(
              1,
              List.of(
                  "scontrol: error: Invalid numeric value \"" + value + "\" for NumCPUs.",
                  "scontrol: error: Invalid NumCPUs value: " + value));
        }
        int least = Integer.parseInt(cpus.group(1));
        int most = cpus.group(2) == null ? 0 : Integer.parseInt(cpus.group(2));
        if (least == 0 || most != 0 && most < least) {
          throw error("Invalid NumCPUs value: " + value);
        }
        fields.put(name, Integer.toString(least));
      }
      default -> {}
    }
  }

  /** As strtoll(3) reads it: a number ends where no digit follows, and is 0 without one. */
  private static BigInteger number(String value) {
    Matcher number = NUMBER.matcher(value);
    return number.lookingAt() ? new BigInteger(number.group(1)) : BigInteger.ZERO;
  }

  private static void inRange(String field, String value) throws CommandFailure {
    if (number(value).abs().compareTo(BigInteger.valueOf(MOST)) > 0) {
      throw error(field + " value out of range (+/- " + MOST + "). Value ignored");
    }
  }

  private static CommandFailure error(String text) {
    return new CommandFailure(1, "scontrol: error: " + text);
  }
}
