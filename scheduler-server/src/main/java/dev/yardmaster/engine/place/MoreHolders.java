package dev.yardmaster.engine.place;

import dev.yardmaster.model.Allocation;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cores that more than one job holds though they are not shared: one of them works, the others are
 * stopped, or a job went on that had lent its cores.
 */
final class MoreHolders {
  private final int words;

  /** How many jobs keep each node from all others (--exclusive=topo). */
  private final int[] blocking;

  private byte @Nullable [] counts;

  /**
   * @param words how many words of 64 cores there are
   * @param nodes how many nodes there are
   */
  MoreHolders(int words, int nodes) {
    this.words = words;
    blocking = new int[nodes];
  }

  /** Whether a job keeps a node from all others. */
  boolean isBlocked(int node) {
    return blocking[node] > 0;
  }

  /** A job begins (1) or ends (-1) to keep its nodes from all others. */
  void block(Allocation allocation, Hardware hardware, int sign) {
    for (String name : allocation.blocked()) {
      int node = hardware.indexOf(name);
      if (node >= 0) {
        block(node, sign);
      }
    }
  }

  /** A job begins (1) or ends (-1) to keep a node from all others. */
  void block(int node, int sign) {
    blocking[node] += sign;
  }

  MoreHolders copy() {
    MoreHolders copy = new MoreHolders(words, blocking.length);
    System.arraycopy(blocking, 0, copy.blocking, 0, blocking.length);
    copy.counts = counts == null ? null : counts.clone();
    return copy;
  }

  /** Cores of a word that are taken already get another holder. */
  void add(int word, long cores) {
    if (cores == 0) {
      return;
    }
    byte[] held = counts;
    if (held == null) {
      held = new byte[words << 6];
      counts = held;
    }
    for (long left = cores; left != 0; left &= left - 1) {
      held[(word << 6) + Long.numberOfTrailingZeros(left)]++;
    }
  }

  /** Takes a holder from each of some cores of a word; says which have another one left. */
  long take(int word, long cores) {
    byte[] held = counts;
    if (held == null) {
      return 0;
    }
    long taken = 0;
    for (long left = cores; left != 0; left &= left - 1) {
      int at = (word << 6) + Long.numberOfTrailingZeros(left);
      if (held[at] > 0) {
        held[at]--;
        taken |= 1L << at;
      }
    }
    return taken;
  }

  /** Makes some words equal to those of another. */
  void copyRow(MoreHolders from, int node, int word, int count) {
    blocking[node] = from.blocking[node];
    byte[] theirs = from.counts;
    byte[] held = counts;
    if (theirs == null) {
      if (held != null) {
        Arrays.fill(held, word << 6, word + count << 6, (byte) 0);
      }
      return;
    }
    if (held == null) {
      held = new byte[words << 6];
      counts = held;
    }
    System.arraycopy(theirs, word << 6, held, word << 6, count << 6);
  }
}
