package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.List;

/**
 * What stands between one pair of brackets: numbers in the order given, each range with the width
 * of its start.
 */
record HostRanges(List<Range> ranges) {

  /** The numbers from low to high, each padded with zeros to the width. */
  record Range(long low, long high, int width) {
    long size() {
      return high - low + 1;
    }

    String name(long value) {
      String digits = Long.toString(value);
      return digits.length() >= width ? digits : "0".repeat(width - digits.length()) + digits;
    }

    boolean contains(String digits) {
      int shown = digits.length();
      if (shown < width || shown > 18 || (shown > width && digits.charAt(0) == '0')) {
        return false;
      }
      long value = Long.parseLong(digits);
      return value >= low && value <= high;
    }

    /** Whether {@code next} goes on where this range ends, so that both are one range. */
    boolean joins(Range next) {
      return high + 1 == next.low && name(next.low).equals(next.name(next.low));
    }
  }

  HostRanges {
    ranges = List.copyOf(ranges);
  }

  static HostRanges ofDigits(String digits) {
    long value = Long.parseLong(digits);
    return new HostRanges(List.of(new Range(value, value, digits.length())));
  }

  /** The number of values, or {@link Long#MAX_VALUE} when it does not fit. */
  long size() {
    long total = 0;
    for (Range range : ranges) {
      total += range.size();
      if (total < 0) {
        return Long.MAX_VALUE;
      }
    }
    return total;
  }

  String at(long index) {
    long left = index;
    for (Range range : ranges) {
      if (left < range.size()) {
        return range.name(range.low + left);
      }
      left -= range.size();
    }
    throw new IndexOutOfBoundsException("no value " + index);
  }

  boolean contains(String digits) {
    for (Range range : ranges) {
      if (range.contains(digits)) {
        return true;
      }
    }
    return false;
  }

  /** Joins neighbours that go on from each other. */
  HostRanges joined() {
    var out = new ArrayList<Range>();
    for (Range next : ranges) {
      Range last = out.isEmpty() ? null : out.getLast();
      if (last != null && last.joins(next)) {
        out.set(out.size() - 1, new Range(last.low, next.high, last.width));
      } else {
        out.add(next);
      }
    }
    return new HostRanges(out);
  }

  /** The text between literal parts: the number itself when there is one, else the bracket form. */
  @Override
  public String toString() {
    if (ranges.size() == 1 && ranges.getFirst().size() == 1) {
      return at(0);
    }
    var out = new StringBuilder();
    for (Range range : ranges) {
      out.append(out.isEmpty() ? '[' : ',').append(range.name(range.low));
      if (range.size() > 1) {
        out.append('-').append(range.name(range.high));
      }
    }
    return out.append(']').toString();
  }
}
