package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Bits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Times at which a run could begin, node by node; swept in order of time until enough nodes are
 * open at once.
 */
final class Windows {
  /** Asked when enough nodes are open. */
  interface Attempt {
    Plan.@Nullable Slot at(long time, long[] open);
  }

  private int count;
  private int[] node = new int[64];
  private long[] from = new long[64];
  private long[] to = new long[64];

  /** From the first to the last possible start, both included. */
  void add(int n, long first, long last) {
    if (count == node.length) {
      node = Arrays.copyOf(node, count * 2);
      from = Arrays.copyOf(from, count * 2);
      to = Arrays.copyOf(to, count * 2);
    }
    node[count] = n;
    from[count] = first;
    to[count] = last;
    count++;
  }

  Plan.@Nullable Slot sweep(int needed, int size, Attempt attempt) {
    long[] times = Arrays.copyOf(from, count);
    Arrays.sort(times);
    long previous = Long.MIN_VALUE;
    for (long time : times) {
      if (time == previous) {
        continue;
      }
      previous = time;
      int open = 0;
      for (int i = 0; i < count; i++) {
        open += from[i] <= time && time <= to[i] ? 1 : 0;
      }
      if (open < needed) {
        continue;
      }
      long[] candidates = Bits.of(size);
      for (int i = 0; i < count; i++) {
        if (from[i] <= time && time <= to[i]) {
          Bits.add(candidates, node[i]);
        }
      }
      Plan.Slot slot = attempt.at(time, candidates);
      if (slot != null) {
        return slot;
      }
    }
    return null;
  }
}
