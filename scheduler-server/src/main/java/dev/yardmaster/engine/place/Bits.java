package dev.yardmaster.engine.place;

/** Sets of node indices as words of 64 bits; all sets of one cluster have the same length. */
public final class Bits {
  private Bits() {}

  /** An empty set for {@code size} members. */
  public static long[] of(int size) {
    return new long[(size + 63) >> 6];
  }

  /** The set of all {@code size} members. */
  public static long[] all(int size) {
    long[] set = of(size);
    for (int i = 0; i < size; i++) {
      add(set, i);
    }
    return set;
  }

  public static void add(long[] set, int member) {
    set[member >> 6] |= 1L << member;
  }

  public static void remove(long[] set, int member) {
    set[member >> 6] &= ~(1L << member);
  }

  public static boolean has(long[] set, int member) {
    return (set[member >> 6] & 1L << member) != 0;
  }

  public static int count(long[] set) {
    int count = 0;
    for (long word : set) {
      count += Long.bitCount(word);
    }
    return count;
  }

  /** How many members both sets have. */
  public static int countCommon(long[] a, long[] b) {
    int count = 0;
    for (int i = 0; i < a.length; i++) {
      count += Long.bitCount(a[i] & b[i]);
    }
    return count;
  }

  public static boolean isEmpty(long[] set) {
    for (long word : set) {
      if (word != 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether every member of {@code part} is one of {@code whole}. */
  public static boolean contains(long[] whole, long[] part) {
    for (int i = 0; i < part.length; i++) {
      if ((part[i] & ~whole[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  public static void retain(long[] set, long[] other) {
    for (int i = 0; i < set.length; i++) {
      set[i] &= other[i];
    }
  }

  public static void removeAll(long[] set, long[] other) {
    for (int i = 0; i < set.length; i++) {
      set[i] &= ~other[i];
    }
  }

  public static void addAll(long[] set, long[] other) {
    for (int i = 0; i < set.length; i++) {
      set[i] |= other[i];
    }
  }

  public static long[] common(long[] a, long[] b) {
    long[] set = a.clone();
    retain(set, b);
    return set;
  }

  /** The first member not below {@code from}, or -1. */
  public static int next(long[] set, int from) {
    int word = from >> 6;
    if (word >= set.length) {
      return -1;
    }
    long bits = set[word] & -1L << from;
    while (bits == 0) {
      if (++word == set.length) {
        return -1;
      }
      bits = set[word];
    }
    return (word << 6) + Long.numberOfTrailingZeros(bits);
  }
}
