package dev.yardmaster.console.connect;

/**
 * Where a number of GPUs, or of CPUs, are. The three parts are counted from one snapshot, none is
 * negative, and they add up to the whole.
 *
 * @param allocated held by jobs
 * @param free not held, on nodes that take work
 * @param unavailable not held, on nodes that take no work
 */
public record UnitCount(long allocated, long free, long unavailable) {
  /** None at all. */
  public static final UnitCount NONE = new UnitCount(0, 0, 0);

  public UnitCount {
    if (allocated < 0 || free < 0 || unavailable < 0) {
      throw new IllegalArgumentException(
          "counts %d allocated, %d free, %d unavailable: none may be negative"
              .formatted(allocated, free, unavailable));
    }
  }

  /** All of them. */
  public long total() {
    return allocated + free + unavailable;
  }

  /** The share that is allocated, from 0 to 1; 0 when there are none. */
  public double allocatedShare() {
    return total() == 0 ? 0 : (double) allocated / total();
  }

  /** Both together. */
  public UnitCount plus(UnitCount other) {
    return new UnitCount(
        allocated + other.allocated, free + other.free, unavailable + other.unavailable);
  }
}
