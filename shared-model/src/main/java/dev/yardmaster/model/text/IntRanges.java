package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.stream.IntStream;

/**
 * A set of whole numbers from 0, written as ranges: {@code 0-2,5}, {@code 0-15:2}. Used for GPU
 * indices, sockets, cores and array tasks. Printed ascending, without steps, as Slurm prints them
 * ({@code 0,2,4}).
 */
public final class IntRanges {
  /** No number; printed as the empty text. */
  public static final IntRanges EMPTY = new IntRanges(new int[0], new int[0]);

  /** The largest number that can be a member. */
  public static final int MAX_VALUE = 1_000_000_000;

  /**
   * The most single numbers that a stepped range may stand for; above Slurm's largest MaxArraySize
   * of 4000001.
   */
  private static final int MAX_STEPPED = 4_000_001;

  private static final String NOTATION = "range list";

  private final int[] low;
  private final int[] high;
  private final int size;

  private IntRanges(int[] low, int[] high) {
    this.low = low;
    this.high = high;
    int count = 0;
    for (int i = 0; i < low.length; i++) {
      count += high[i] - low[i] + 1;
    }
    this.size = count;
  }

  /** Parses ranges; the empty text is the empty set. Overlaps and any order are accepted. */
  public static IntRanges parse(String text) {
    return parse(new Scan(NOTATION, text), MAX_VALUE);
  }

  /** Parses all that is left of a scan; no number may exceed {@code max}. */
  static IntRanges parse(Scan scan, int max) {
    var found = new Builder();
    while (!scan.end()) {
      int from = scan.at;
      int lo = (int) scan.number("a number", max);
      int hi = lo;
      int step = 1;
      if (scan.accept('-')) {
        hi = (int) scan.number("the end of the range", max);
        if (hi < lo) {
          throw scan.error(
              from, "range " + lo + "-" + hi + " runs backwards", "write " + hi + "-" + lo);
        }
        if (scan.accept(':')) {
          step = (int) scan.number("a step", max);
          if (step == 0) {
            throw scan.error(scan.at - 1, "step 0 never advances", "use a step of 1 or more");
          }
        }
      }
      found.add(scan, from, lo, hi, step);
      if (!scan.end()) {
        if (!scan.accept(',')) {
          throw scan.error(scan.at, scan.unexpected(), "write ranges as 0-2,5");
        }
        if (scan.end()) {
          throw scan.error(scan.at - 1, "nothing after \",\"", "drop the last comma");
        }
      }
    }
    return found.build();
  }

  /** All numbers from {@code low} to {@code high}, both included. */
  public static IntRanges range(int low, int high) {
    if (low < 0 || high < low || high > MAX_VALUE) {
      throw new NotationException(
          NOTATION, low + "-" + high, 0, "not a range", "use 0 <= low <= high <= " + MAX_VALUE);
    }
    return new IntRanges(new int[] {low}, new int[] {high});
  }

  public static IntRanges of(int... values) {
    var found = new Builder();
    for (int value : values) {
      IntRanges one = range(value, value);
      found.pairs.add(new int[] {one.low[0], one.high[0]});
    }
    return found.build();
  }

  public static IntRanges of(BitSet bits) {
    return of(bits.stream().toArray());
  }

  public boolean isEmpty() {
    return size == 0;
  }

  public int size() {
    return size;
  }

  public boolean contains(int value) {
    int i = Arrays.binarySearch(low, value);
    return i >= 0 || (i < -1 && value <= high[-i - 2]);
  }

  /** The smallest member, or -1 when empty. */
  public int first() {
    return size == 0 ? -1 : low[0];
  }

  /** The largest member, or -1 when empty. */
  public int last() {
    return size == 0 ? -1 : high[high.length - 1];
  }

  /** The members, ascending, made one by one. */
  public IntStream stream() {
    return IntStream.range(0, low.length).flatMap(i -> IntStream.rangeClosed(low[i], high[i]));
  }

  public PrimitiveIterator.OfInt iterator() {
    return stream().iterator();
  }

  /** The members of both. */
  public IntRanges plus(IntRanges other) {
    var both = new Builder();
    for (IntRanges each : List.of(this, other)) {
      for (int i = 0; i < each.low.length; i++) {
        both.pairs.add(new int[] {each.low[i], each.high[i]});
      }
    }
    return both.build();
  }

  /** These members without one of them. */
  public IntRanges without(int value) {
    if (!contains(value)) {
      return this;
    }
    var left = new Builder();
    for (int i = 0; i < low.length; i++) {
      if (value < low[i] || value > high[i]) {
        left.pairs.add(new int[] {low[i], high[i]});
        continue;
      }
      if (low[i] < value) {
        left.pairs.add(new int[] {low[i], value - 1});
      }
      if (value < high[i]) {
        left.pairs.add(new int[] {value + 1, high[i]});
      }
    }
    return left.build();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof IntRanges other
        && Arrays.equals(low, other.low)
        && Arrays.equals(high, other.high);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(low) + Arrays.hashCode(high);
  }

  @Override
  public String toString() {
    var out = new StringBuilder();
    for (int i = 0; i < low.length; i++) {
      out.append(i == 0 ? "" : ",").append(low[i]);
      if (high[i] > low[i]) {
        out.append('-').append(high[i]);
      }
    }
    return out.toString();
  }

  /** Collects ranges in any order and joins what touches. */
  private static final class Builder {
    private final List<int[]> pairs = new ArrayList<>();

    void add(Scan scan, int from, int lo, int hi, int step) {
      if (step == 1) {
        pairs.add(new int[] {lo, hi});
        return;
      }
      if (pairs.size() + (hi - lo) / step > MAX_STEPPED) {
        throw scan.error(from, "range stands for too many numbers", "use at most " + MAX_STEPPED);
      }
      for (long value = lo; value <= hi; value += step) {
        pairs.add(new int[] {(int) value, (int) value});
      }
    }

    IntRanges build() {
      pairs.sort((a, b) -> Integer.compare(a[0], b[0]));
      int[] low = new int[pairs.size()];
      int[] high = new int[pairs.size()];
      int n = 0;
      for (int[] pair : pairs) {
        if (n > 0 && pair[0] <= high[n - 1] + 1) {
          high[n - 1] = Math.max(high[n - 1], pair[1]);
        } else {
          low[n] = pair[0];
          high[n++] = pair[1];
        }
      }
      return n == 0 ? EMPTY : new IntRanges(Arrays.copyOf(low, n), Arrays.copyOf(high, n));
    }
  }
}
