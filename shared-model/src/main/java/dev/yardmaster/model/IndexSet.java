package dev.yardmaster.model;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * An immutable set of small non-negative indices: cores of a node, GPUs, array tasks. Prints as
 * Slurm does ({@code 0-3,7}); the empty set prints as the empty string.
 */
public final class IndexSet {
  /** The set without members. */
  public static final IndexSet EMPTY = new IndexSet(new long[0]);

  private final long[] words;

  private IndexSet(long[] words) {
    this.words = words;
  }

  /** The set of the given indices; order and repetition do not matter. */
  public static IndexSet of(int... indices) {
    BitSet bits = new BitSet();
    for (int index : indices) {
      bits.set(index);
    }
    return of(bits);
  }

  /** A copy of a bit set. */
  public static IndexSet of(BitSet bits) {
    long[] words = bits.toLongArray();
    return words.length == 0 ? EMPTY : new IndexSet(words);
  }

  /** The indices from {@code first} to {@code last}, both included; empty when last is smaller. */
  public static IndexSet range(int first, int last) {
    BitSet bits = new BitSet();
    if (last >= first) {
      bits.set(first, last + 1);
    }
    return of(bits);
  }

  /**
   * Reads the printed form, for example {@code 0-3,7}.
   *
   * @throws IllegalArgumentException naming the part that is neither a number nor a range
   */
  public static IndexSet parse(String text) {
    BitSet bits = new BitSet();
    if (text.isBlank()) {
      return EMPTY;
    }
    for (String part : text.split(",", -1)) {
      String[] ends = part.strip().split("-", -1);
      try {
        int first = Integer.parseUnsignedInt(ends[0]);
        int last = ends.length == 1 ? first : Integer.parseUnsignedInt(ends[1]);
        if (ends.length > 2 || last < first || last > 1_000_000) {
          throw new NumberFormatException();
        }
        bits.set(first, last + 1);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            "index list \"" + text + "\": \"" + part + "\" is not a number or a range such as 0-3",
            e);
      }
    }
    return of(bits);
  }

  public boolean contains(int index) {
    return index >= 0 && index >> 6 < words.length && (words[index >> 6] & 1L << index) != 0;
  }

  /** How many words of 64 indices the set spans. */
  public int wordCount() {
    return words.length;
  }

  /** The members from {@code 64 * at} on, as the bits of a word. */
  public long word(int at) {
    return words[at];
  }

  public int size() {
    int size = 0;
    for (long word : words) {
      size += Long.bitCount(word);
    }
    return size;
  }

  public boolean isEmpty() {
    return words.length == 0;
  }

  /** The members in ascending order. */
  public IntStream stream() {
    return toBitSet().stream();
  }

  /** A new, independent bit set with the same members. */
  public BitSet toBitSet() {
    return BitSet.valueOf(words);
  }

  public IndexSet or(IndexSet other) {
    BitSet bits = toBitSet();
    bits.or(other.toBitSet());
    return of(bits);
  }

  public IndexSet and(IndexSet other) {
    BitSet bits = toBitSet();
    bits.and(other.toBitSet());
    return of(bits);
  }

  public IndexSet andNot(IndexSet other) {
    BitSet bits = toBitSet();
    bits.andNot(other.toBitSet());
    return of(bits);
  }

  public boolean intersects(IndexSet other) {
    for (int i = 0; i < Math.min(words.length, other.words.length); i++) {
      if ((words[i] & other.words[i]) != 0) {
        return true;
      }
    }
    return false;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof IndexSet other && Arrays.equals(words, other.words);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(words);
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    BitSet bits = toBitSet();
    for (int first = bits.nextSetBit(0); first >= 0; ) {
      int end = bits.nextClearBit(first);
      if (!out.isEmpty()) {
        out.append(',');
      }
      out.append(first);
      if (end - first > 1) {
        out.append('-').append(end - 1);
      }
      first = bits.nextSetBit(end);
    }
    return out.toString();
  }
}
