package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Bits;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Which nodes nobody has planned, over time: segments between the moments at which that changes. A
 * segment begins at its start and ends where the next begins; the last never ends.
 */
final class Timeline {
  /** Asked at a moment from which enough nodes are open for the whole duration. */
  interface Attempt {
    Plan.@Nullable Slot at(long time, long[] open);
  }

  private final int words;
  private long[] start = new long[16];
  private long[][] free = new long[16][];
  private int[] open = new int[16];
  private int size;
  private final Window window;

  Timeline(long now, long[] nodes) {
    words = nodes.length;
    start[0] = now;
    free[0] = nodes.clone();
    open[0] = Bits.count(nodes);
    size = 1;
    window = new Window();
  }

  /** Takes nodes for a time. */
  void block(long from, long until, long[] nodes) {
    if (until <= from || until <= start[0]) {
      return;
    }
    int first = split(Math.max(from, start[0]));
    int last = split(until);
    for (int i = first; i < last; i++) {
      Bits.removeAll(free[i], nodes);
      open[i] = Bits.count(free[i]);
    }
  }

  /** Makes a search stop at a moment at which something other than whole nodes becomes free. */
  void mark(long time) {
    if (time > start[0]) {
      split(time);
    }
  }

  /** Makes a segment begin at a moment; its index. */
  private int split(long time) {
    int at = indexOf(time);
    if (start[at] == time) {
      return at;
    }
    if (size == start.length) {
      start = Arrays.copyOf(start, size * 2);
      free = Arrays.copyOf(free, size * 2);
      open = Arrays.copyOf(open, size * 2);
    }
    int next = at + 1;
    System.arraycopy(start, next, start, next + 1, size - next);
    System.arraycopy(free, next, free, next + 1, size - next);
    System.arraycopy(open, next, open, next + 1, size - next);
    start[next] = time;
    free[next] = free[at].clone();
    open[next] = open[at];
    size++;
    return next;
  }

  /** The segment in which a moment lies. */
  private int indexOf(long time) {
    int at = Arrays.binarySearch(start, 0, size, time);
    return at >= 0 ? at : Math.max(0, -at - 2);
  }

  /**
   * The first moment from which enough nodes are open and ready for a whole duration, and the
   * attempt succeeds.
   *
   * @param from where the search begins: known to be no later than the answer
   * @param ready the nodes in order of the time at which they are ready, with these times
   * @param needed how many nodes are needed at least
   * @param moments further moments worth a try, ascending: nodes that are ready may have more room
   * @param length says when a run that begins at a moment is over
   */
  Plan.@Nullable Slot search(
      long from,
      long horizon,
      Ready ready,
      int needed,
      long[] moments,
      Length length,
      Attempt attempt) {
    long time = Math.max(from, start[0]);
    int segment = indexOf(time);
    int next = ready.upTo(time);
    window.restart(segment);
    while (time < horizon) {
      int blocked = window.extend(length.end(time), needed);
      if (blocked >= 0) {
        segment = blocked + 1;
        if (segment >= size) {
          return null;
        }
        time = start[segment];
        next = ready.upTo(time);
        window.restart(segment);
        continue;
      }
      long[] mask = window.mask(ready.nodes());
      if (Bits.count(mask) >= needed) {
        Plan.Slot slot = attempt.at(time, mask);
        if (slot != null) {
          return slot;
        }
      }
      long nextReady = ready.time(next);
      long nextSegment = segment + 1 < size ? start[segment + 1] : Long.MAX_VALUE;
      time = Math.min(after(moments, time), Math.min(nextReady, nextSegment));
      if (time == Long.MAX_VALUE) {
        return null;
      }
      next = ready.upTo(time);
      if (time == nextSegment) {
        segment++;
        window.dropFirst();
      }
    }
    return null;
  }

  /** The first of ascending moments after a time. */
  private static long after(long[] moments, long time) {
    int at = Arrays.binarySearch(moments, time + 1);
    int first = at >= 0 ? at : -at - 1;
    return first < moments.length ? moments[first] : Long.MAX_VALUE;
  }

  /** When a run is over that begins at a moment. */
  interface Length {
    long end(long time);
  }

  /** Nodes in the order in which they become ready, with a set that follows the search. */
  static final class Ready {
    private final int[] node;
    private final long[] at;
    private final long[] set;
    private int filled;
    private long filledTo = Long.MIN_VALUE;

    Ready(Readiness readiness) {
      node = readiness.nodes();
      at = readiness.at();
      set = new long[readiness.serving().length];
    }

    int size() {
      return node.length;
    }

    /**
     * The set holds the nodes ready by then; searches mostly begin where an earlier one ended.
     *
     * @return the index of the first node that is not
     */
    int upTo(long time) {
      if (time < filledTo) {
        Arrays.fill(set, 0);
        filled = 0;
      }
      while (filled < node.length && at[filled] <= time) {
        Bits.add(set, node[filled++]);
      }
      filledTo = time;
      return filled;
    }

    long time(int i) {
      return i < at.length ? at[i] : Long.MAX_VALUE;
    }

    long[] nodes() {
      return set;
    }
  }

  /**
   * The nodes open in all segments of a window that moves forward. The front part keeps what is
   * common to each of its segments and all behind it, the back part what is common to all of it, so
   * that moving costs little.
   */
  private final class Window {
    private int first;
    private int split;
    private int end;
    private int base;
    private long[][] front = new long[0][];
    private final long[] back = new long[words];
    private boolean backEmpty;
    private final long[] mask = new long[words];

    void restart(int segment) {
      first = segment;
      split = segment;
      end = segment;
      backEmpty = true;
    }

    /**
     * Takes in all segments that begin before a moment.
     *
     * @return a segment with too few open nodes, or -1
     */
    int extend(long until, int needed) {
      while (end < size && (end == first || start[end] < until)) {
        if (open[end] < needed) {
          return end;
        }
        if (backEmpty) {
          System.arraycopy(free[end], 0, back, 0, words);
          backEmpty = false;
        } else {
          Bits.retain(back, free[end]);
        }
        end++;
      }
      return -1;
    }

    void dropFirst() {
      first++;
      if (first >= end) {
        restart(first);
      } else if (first > split) {
        rebuild();
      }
    }

    private void rebuild() {
      int count = end - first;
      if (front.length < count) {
        int old = front.length;
        front = Arrays.copyOf(front, Math.max(count, 2 * old));
        for (int i = old; i < front.length; i++) {
          front[i] = new long[words];
        }
      }
      for (int i = count - 1; i >= 0; i--) {
        System.arraycopy(free[first + i], 0, front[i], 0, words);
        if (i < count - 1) {
          Bits.retain(front[i], front[i + 1]);
        }
      }
      base = first;
      split = end;
      backEmpty = true;
    }

    /** What is open in the whole window and part of a set. */
    long[] mask(long[] nodes) {
      System.arraycopy(nodes, 0, mask, 0, words);
      if (first < split) {
        Bits.retain(mask, front[first - base]);
      }
      if (!backEmpty) {
        Bits.retain(mask, back);
      }
      return mask;
    }
  }
}
