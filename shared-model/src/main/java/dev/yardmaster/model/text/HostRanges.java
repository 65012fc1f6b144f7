package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What stands between one pair of brackets: numbers in the order given, each range with the width
 * of its start.
 */
final class HostRanges {

  /** The numbers from low to high, each padded with zeros to the width. */
  record Range(long low, long high, int width) {
    static Range single(String digits) {
      long value = Long.parseLong(digits);
      return new Range(value, value, digits.length());
    }

    long size() {
      return high - low + 1;
    }

    String name(long value) {
      String digits = Long.toString(value);
      return digits.length() >= width ? digits : "0".repeat(width - digits.length()) + digits;
    }

    boolean contains(long value, String digits) {
      boolean shown =
          digits.length() == width || (digits.length() > width && digits.charAt(0) != '0');
      return shown && value >= low && value <= high;
    }

    /** Whether {@code next} goes on where this range ends, so that both are one range. */
    boolean joins(Range next) {
      return high + 1 == next.low && name(next.low).equals(next.name(next.low));
    }
  }

  private final List<Range> ranges;

  /** How many values stand before the end of each range. */
  private final long[] ends;

  /** Joins neighbours that go on from each other. */
  HostRanges(List<Range> given) {
    var joined = new ArrayList<Range>();
    for (Range next : given) {
      Range last = joined.isEmpty() ? null : joined.getLast();
      if (last != null && last.joins(next)) {
        joined.set(joined.size() - 1, new Range(last.low, next.high, last.width));
      } else {
        joined.add(next);
      }
    }
    ranges = List.copyOf(joined);
    ends = new long[ranges.size()];
    long total = 0;
    for (int i = 0; i < ends.length; i++) {
      total += ranges.get(i).size();
      ends[i] = total < 0 ? Long.MAX_VALUE : total;
      total = ends[i];
    }
  }

  List<Range> ranges() {
    return ranges;
  }

  /** The number of values, or {@link Long#MAX_VALUE} when it does not fit. */
  long size() {
    return ends[ends.length - 1];
  }

  String at(long index) {
    int found = Arrays.binarySearch(ends, index + 1);
    int i = found < 0 ? -found - 1 : found;
    Range range = ranges.get(i);
    return range.name(range.high - (ends[i] - 1 - index));
  }

  boolean contains(String digits) {
    if (digits.length() > 18) {
      return false;
    }
    long value = Long.parseLong(digits);
    for (Range range : ranges) {
      if (range.contains(value, digits)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof HostRanges other && ranges.equals(other.ranges);
  }

  @Override
  public int hashCode() {
    return ranges.hashCode();
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
