package dev.yardmaster.cli;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/** How Slurm's lists are put in order where a plain sort is not the same. */
final class Sorting {
  private Sorting() {}

  /** Sorts rows; those without what is sorted by come last, in the reverse of their order. */
  static <R> void nothingLast(List<R> rows, Comparator<R> by, Predicate<R> nothing) {
    List<R> others = rows.stream().filter(nothing).toList();
    rows.removeIf(nothing);
    rows.sort(by);
    rows.addAll(others.reversed());
  }
}
