package dev.yardmaster.console.connect;

/**
 * Where a number of GPUs are. The three parts are counted from one snapshot, none is negative, and
 * they add up to the whole.
 *
 * @param allocated held by jobs
 * @param free not held, on nodes that take work
 * @param unavailable not held, on nodes that take no work
 */
public record GpuCount(long allocated, long free, long unavailable) {
  /** No GPU at all. */
  public static final GpuCount NONE = new GpuCount(0, 0, 0);

  public GpuCount {
    if (allocated < 0 || free < 0 || unavailable < 0) {
      throw new IllegalArgumentException(
          "GPU counts %d allocated, %d free, %d unavailable: none may be negative"
              .formatted(allocated, free, unavailable));
    }
  }

  /** All of them. */
  public long total() {
    return allocated + free + unavailable;
  }

  /** The share that is allocated, from 0 to 1; 0 when there are no GPUs. */
  public double allocatedShare() {
    return total() == 0 ? 0 : (double) allocated / total();
  }

  /** Both together. */
  public GpuCount plus(GpuCount other) {
    return new GpuCount(
        allocated + other.allocated, free + other.free, unavailable + other.unavailable);
  }
}
