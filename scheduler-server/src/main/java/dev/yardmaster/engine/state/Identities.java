package dev.yardmaster.engine.state;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What was found for objects, looked up by the object itself rather than by what it equals. It
 * cannot be walked through, so no order comes of it.
 *
 * @param <K> the objects asked about
 * @param <V> what was found
 */
public final class Identities<K, V> {
  private static final int FIRST_SIZE = 64;

  private @Nullable Object[] keys = new @Nullable Object[FIRST_SIZE];
  private @Nullable Object[] values = new @Nullable Object[FIRST_SIZE];
  private int count;

  /** What was put for this object, or null. */
  @SuppressWarnings("unchecked") // only values of this type are ever put
  public @Nullable V get(K key) {
    return (V) values[slot(keys, key)];
  }

  /** Keeps something for an object, in place of what was kept before. */
  public void put(K key, V value) {
    int at = slot(keys, key);
    count += keys[at] == null ? 1 : 0;
    keys[at] = key;
    values[at] = value;
    if (2 * count > keys.length) {
      grow();
    }
  }

  /** How many objects something was put for. */
  public int size() {
    return count;
  }

  /** Forgets everything. */
  public void clear() {
    Arrays.fill(keys, null);
    Arrays.fill(values, null);
    count = 0;
  }

  private void grow() {
    @Nullable Object[] moreKeys = new @Nullable Object[2 * keys.length];
    @Nullable Object[] moreValues = new @Nullable Object[moreKeys.length];
    for (int i = 0; i < keys.length; i++) {
      Object key = keys[i];
      if (key != null) {
        int at = slot(moreKeys, key);
        moreKeys[at] = key;
        moreValues[at] = values[i];
      }
    }
    keys = moreKeys;
    values = moreValues;
  }

  /** Where a key is, or would be. */
  private static int slot(@Nullable Object[] keys, Object key) {
    int mask = keys.length - 1;
    int at = System.identityHashCode(key) & mask;
    while (keys[at] != null && keys[at] != key) {
      at = at + 1 & mask;
    }
    return at;
  }
}
