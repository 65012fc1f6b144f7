package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Bits;
import java.util.Arrays;

/**
 * From when on each node serves jobs of one wish while nothing is planned on it: it follows from
 * the running jobs alone.
 *
 * @param serving the nodes that serve at all
 * @param times by node; {@link Future#NEVER} for nodes that never do
 * @param nodes the nodes in the order in which they become ready
 * @param at their times
 */
record Readiness(long[] serving, long[] times, int[] nodes, long[] at, Future.Groups groups) {
  /** More nodes than any cluster has. */
  private static final int NODE_BITS = 22;

  static Readiness of(long[] serving, long[] times, Future.Groups groups, long now) {
    long[] keys = new long[Bits.count(serving)];
    int count = 0;
    for (int n = Bits.next(serving, 0); n >= 0; n = Bits.next(serving, n + 1)) {
      if (times[n] < Future.NEVER) {
        keys[count++] = (times[n] - now) << NODE_BITS | n;
      }
    }
    Arrays.sort(keys, 0, count);
    int[] nodes = new int[count];
    long[] at = new long[count];
    for (int i = 0; i < count; i++) {
      nodes[i] = (int) (keys[i] & (1L << NODE_BITS) - 1);
      at[i] = times[nodes[i]];
    }
    return new Readiness(serving, times, nodes, at, groups);
  }
}
