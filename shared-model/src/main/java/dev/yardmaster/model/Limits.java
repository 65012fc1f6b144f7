package dev.yardmaster.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The limits that one association or QOS sets. What is absent is not limited here.
 *
 * @param numbers limits that are one number; times in minutes
 * @param tres limits by TRES, memory in MiB; never with an empty map
 */
public record Limits(
    SortedMap<LimitKind, Long> numbers, SortedMap<LimitKind, SortedMap<String, Long>> tres) {
  /** No limit of any kind. */
  public static final Limits NONE = new Limits(new TreeMap<>(), new TreeMap<>());

  public Limits {
    numbers = Collections.unmodifiableSortedMap(new TreeMap<>(numbers));
    TreeMap<LimitKind, SortedMap<String, Long>> copy = new TreeMap<>();
    tres.forEach(
        (kind, amounts) -> {
          if (!amounts.isEmpty()) {
            copy.put(kind, Collections.unmodifiableSortedMap(new TreeMap<>(amounts)));
          }
        });
    tres = Collections.unmodifiableSortedMap(copy);
  }

  public boolean isEmpty() {
    return numbers.isEmpty() && tres.isEmpty();
  }

  /** A limit that is one number; null when it is not set. */
  public @Nullable Long number(LimitKind kind) {
    return numbers.get(kind);
  }

  /** A limit by TRES; empty when it is not set. */
  public SortedMap<String, Long> tres(LimitKind kind) {
    SortedMap<String, Long> amounts = tres.get(kind);
    return amounts == null ? Immutable.sortedMap() : amounts;
  }

  /** With a number set, or taken away by null. */
  public Limits with(LimitKind kind, @Nullable Long number) {
    TreeMap<LimitKind, Long> changed = new TreeMap<>(numbers);
    if (number == null) {
      changed.remove(kind);
    } else {
      changed.put(kind, number);
    }
    return new Limits(changed, tres);
  }

  /** With amounts set by TRES, each -1 taking one away; others stay. */
  public Limits with(LimitKind kind, SortedMap<String, Long> amounts) {
    TreeMap<String, Long> merged = new TreeMap<>(tres(kind));
    amounts.forEach(
        (name, amount) -> {
          if (amount < 0) {
            merged.remove(name);
          } else {
            merged.put(name, amount);
          }
        });
    TreeMap<LimitKind, SortedMap<String, Long>> changed = new TreeMap<>(tres);
    changed.put(kind, merged);
    return new Limits(numbers, changed);
  }
}
