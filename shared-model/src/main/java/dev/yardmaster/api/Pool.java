package dev.yardmaster.api;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes equal immutable values one object, so that a hundred thousand jobs of a few hundred kinds
 * cost little. Not safe for use by several threads.
 */
public final class Pool {
  private static final int MAX_SIZE = 200_000;

  private final @Nullable Map<Object, Object> known;

  private Pool(@Nullable Map<Object, Object> known) {
    this.known = known;
  }

  /** For what is kept. */
  public static Pool sharing() {
    return new Pool(new HashMap<>());
  }

  /** For what is read once: leaves values as they are, since comparing them costs a start-up. */
  public static Pool none() {
    return new Pool(null);
  }

  /** The value that was first seen equal to {@code value}, or itself. */
  @SuppressWarnings("unchecked") // an equal object of this pool has the same immutable type
  <T extends Object> T same(T value) {
    if (known == null) {
      return value;
    }
    if (known.size() >= MAX_SIZE) {
      known.clear();
    }
    Object first = known.putIfAbsent(value, value);
    return first == null || first.getClass() != value.getClass() ? value : (T) first;
  }
}
