package dev.yardmaster.model;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** Unmodifiable collections whose order does not depend on hashes. */
public final class Immutable {
  private Immutable() {}

  public static <K extends Comparable<K>, V> SortedMap<K, V> sortedMap() {
    return Collections.emptySortedMap();
  }

  public static <K extends Comparable<K>, V> SortedMap<K, V> sortedMap(Map<K, V> map) {
    return map.isEmpty() ? sortedMap() : Collections.unmodifiableSortedMap(new TreeMap<>(map));
  }
}
