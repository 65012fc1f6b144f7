package dev.yardmaster.engine.plan;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Sorts a long queue by {@link Entry#ORDER}. The queue comes in the order of submission, so that
 * what decides is nearly always reservation, tier and priority: these are packed into one number
 * with the place in the queue, numbers are sorted, and only entries equal in all three are compared
 * further.
 */
final class QueueOrder {
  private static final int PRIORITY_BITS = 32;
  private static final long HIGHEST = (1L << PRIORITY_BITS) - 1;
  private static final int SHORT = 64;

  private QueueOrder() {}

  static void sort(List<Entry> queue) {
    int count = queue.size();
    int placeBits = Integer.SIZE - Integer.numberOfLeadingZeros(count);
    int[] classes = classes(queue);
    boolean fits = classes.length < 1L << (Long.SIZE - 1 - PRIORITY_BITS - placeBits);
    if (count < SHORT || !fits || !pack(queue, classes, placeBits)) {
      queue.sort(Entry.ORDER);
    }
  }

  /** The classes of entries that come before all others whatever their priority, in order. */
  private static int[] classes(List<Entry> queue) {
    TreeSet<Integer> found = new TreeSet<>();
    int last = 0;
    for (Entry entry : queue) {
      int own = entry.precedence();
      if (own != last || found.isEmpty()) {
        found.add(own);
        last = own;
      }
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  /** Sorts by the packed numbers; false, with nothing done, if a priority is too high for that. */
  private static boolean pack(List<Entry> queue, int[] classes, int placeBits) {
    Entry[] entries = queue.toArray(new Entry[0]);
    long[] keys = new long[entries.length];
    for (int i = 0; i < keys.length; i++) {
      long priority = entries[i].priority().priority();
      if (priority < 0 || priority > HIGHEST) {
        return false;
      }
      long rank = Arrays.binarySearch(classes, entries[i].precedence());
      keys[i] = (rank << PRIORITY_BITS | HIGHEST - priority) << placeBits | i;
    }
    Arrays.sort(keys);
    long place = (1L << placeBits) - 1;
    for (int i = 0; i < keys.length; i++) {
      queue.set(i, entries[(int) (keys[i] & place)]);
    }
    int from = 0;
    for (int i = 1; i <= keys.length; i++) {
      if (i == keys.length || keys[i] >> placeBits != keys[from] >> placeBits) {
        if (i - from > 1) {
          queue.subList(from, i).sort(Entry.ORDER);
        }
        from = i;
      }
    }
    return true;
  }
}
