package dev.yardmaster.model.text;

import org.jspecify.annotations.Nullable;

/**
 * How many nodes a job wants (sbatch(1), {@code --nodes}): {@code 2}, {@code 2-4}, or the sizes
 * that will do, {@code 4,8,16} and {@code 1-16:2}. Counts may carry k or m, powers of 1024. {@code
 * 2-0} has no upper end.
 *
 * @param min the smallest number of nodes, from 0
 * @param max the largest number of nodes, at least {@code min}
 * @param sizes the sizes that will do when they are not simply all from min to max; else null
 */
public record NodeCount(int min, int max, @Nullable IntRanges sizes) {
  private static final String NOTATION = "node count";

  /** The {@code max} of a count without an upper end. */
  public static final int UNBOUNDED = IntRanges.MAX_VALUE;

  public NodeCount {
    if (min < 0 || max < min) {
      throw new NotationException(
          NOTATION, min + "-" + max, 0, "the largest count is below the smallest", "write MIN-MAX");
    }
    if (sizes != null && (sizes.isEmpty() || sizes.first() != min || sizes.last() != max)) {
      throw new NotationException(
          NOTATION,
          sizes.toString(),
          0,
          "sizes do not span " + min + "-" + max,
          "use their first and last");
    }
  }

  /** Exactly this many. */
  public static NodeCount of(int count) {
    return new NodeCount(count, count, null);
  }

  public static NodeCount of(int min, int max) {
    return new NodeCount(min, max, null);
  }

  /** Parses a node count. */
  public static NodeCount parse(String text) {
    var scan = new Scan(NOTATION, text);
    if (text.indexOf(',') >= 0 || text.indexOf(':') >= 0) {
      IntRanges sizes = IntRanges.parse(scan, UNBOUNDED);
      if (sizes.isEmpty()) {
        throw scan.whole("no size", "write 4,8,16");
      }
      boolean gapless = sizes.size() == sizes.last() - sizes.first() + 1;
      return new NodeCount(sizes.first(), sizes.last(), gapless ? null : sizes);
    }
    int min = (int) Units.count(scan, "a node count", UNBOUNDED);
    int max = min;
    if (scan.accept('-')) {
      max = (int) Units.count(scan, "the largest node count", UNBOUNDED);
      max = max == 0 ? UNBOUNDED : max;
    }
    if (!scan.end()) {
      throw scan.error(scan.at, scan.unexpected(), "write 2, 2-4, 4,8,16 or 1-16:2");
    }
    if (max < min) {
      throw scan.whole("the largest count is below the smallest", "write " + max + "-" + min);
    }
    return new NodeCount(min, max, null);
  }

  /** Whether a job may get exactly this many nodes. */
  public boolean allows(int nodes) {
    return sizes == null ? nodes >= min && nodes <= max : sizes.contains(nodes);
  }

  @Override
  public String toString() {
    if (sizes != null) {
      return sizes.toString();
    }
    if (max == UNBOUNDED) {
      return min + "-0";
    }
    return min == max ? Integer.toString(min) : min + "-" + max;
  }
}
