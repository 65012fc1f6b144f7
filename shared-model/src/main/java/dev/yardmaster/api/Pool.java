package dev.yardmaster.api;

import java.util.HashMap;
import java.util.Map;

/**
 * Makes equal immutable values one object, so that a hundred thousand jobs of a few hundred kinds
 * cost little. Not safe for use by several threads.
 */
public final class Pool {
  private static final int MAX_SIZE = 200_000;

  private final Map<Object, Object> known = new HashMap<>();

  /** The value that was first seen equal to {@code value}, or itself. */
  @SuppressWarnings("unchecked") // an equal object of this pool has the same immutable type
  <T extends Object> T same(T value) {
    if (known.size() >= MAX_SIZE) {
      known.clear();
    }
    Object first = known.putIfAbsent(value, value);
    return first == null || first.getClass() != value.getClass() ? value : (T) first;
  }
}
