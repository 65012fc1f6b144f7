package dev.yardmaster.engine.plan;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Sorts a long queue by {@link Entry#ORDER}. What decides is nearly always reservation, tier and
 * priority: these are packed into one number, the numbers are sorted digit by digit, which keeps
 * the order of submission among equals, and only entries equal in all three are compared further.
 */
final class QueueOrder {
  private static final int PRIORITY_BITS = 32;
  private static final long HIGHEST = (1L << PRIORITY_BITS) - 1;
  private static final int DIGIT_BITS = 11;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final int SHORT = 64;

  private final Entry[] entries;
  private final long[] keys;

  /** The bits in which any two keys differ. */
  private long varying;

  private QueueOrder(List<Entry> queue) {
    entries = queue.toArray(new Entry[0]);
    keys = new long[entries.length];
  }

  static void sort(List<Entry> queue) {
    QueueOrder order = queue.size() < SHORT ? null : new QueueOrder(queue);
    if (order == null || !order.pack()) {
      queue.sort(Entry.ORDER);
      return;
    }
    order.sort();
    for (int i = 0; i < order.entries.length; i++) {
      queue.set(i, order.entries[i]);
    }
  }

  /** Makes the keys; false if a priority is too high for that. */
  private boolean pack() {
    int[] classes = classes();
    for (int i = 0; i < keys.length; i++) {
      long priority = entries[i].priority().priority();
      if (priority < 0 || priority > HIGHEST) {
        return false;
      }
      long rank = Arrays.binarySearch(classes, entries[i].precedence());
      keys[i] = rank << PRIORITY_BITS | HIGHEST - priority;
      varying |= keys[i] ^ keys[0];
    }
    return true;
  }

  /** The classes of entries that come before all others whatever their priority, in order. */
  private int[] classes() {
    TreeSet<Integer> found = new TreeSet<>();
    int last = 0;
    for (Entry entry : entries) {
      int own = entry.precedence();
      if (own != last || found.isEmpty()) {
        found.add(own);
        last = own;
      }
    }
    return found.stream().mapToInt(Integer::intValue).toArray();
  }

  private void sort() {
    Entry[] otherEntries = new Entry[entries.length];
    long[] otherKeys = new long[keys.length];
    for (int shift = 0; shift < Long.SIZE && varying >>> shift != 0; shift += DIGIT_BITS) {
      if ((varying >>> shift & (DIGITS - 1)) != 0) {
        sortDigit(shift, otherEntries, otherKeys);
      }
    }
    int from = 0;
    for (int i = 1; i <= keys.length; i++) {
      if (i == keys.length || keys[i] != keys[from]) {
        sortEquals(from, i);
        from = i;
      }
    }
  }

  private void sortDigit(int shift, Entry[] otherEntries, long[] otherKeys) {
    int[] next = new int[DIGITS + 1];
    for (long key : keys) {
      next[(int) (key >>> shift & (DIGITS - 1)) + 1]++;
    }
    for (int digit = 1; digit < DIGITS; digit++) {
      next[digit] += next[digit - 1];
    }
    for (int i = 0; i < keys.length; i++) {
      int place = next[(int) (keys[i] >>> shift & (DIGITS - 1))]++;
      otherKeys[place] = keys[i];
      otherEntries[place] = entries[i];
    }
    System.arraycopy(otherKeys, 0, keys, 0, keys.length);
    System.arraycopy(otherEntries, 0, entries, 0, entries.length);
  }

  /** Equals come in the order of submission, which is mostly that of the queue already. */
  private void sortEquals(int from, int to) {
    for (int i = from + 1; i < to; i++) {
      if (Entry.ORDER.compare(entries[i - 1], entries[i]) > 0) {
        Arrays.sort(entries, from, to, Entry.ORDER);
        return;
      }
    }
  }
}
