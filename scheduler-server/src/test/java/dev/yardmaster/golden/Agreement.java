package dev.yardmaster.golden;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** What was compared in a case, and what of it differs. */
final class Agreement {
  /** Stands for a value that differs each time the same Slurm does the same. */
  static final String ANY = "~";

  private final Set<String> differing = new LinkedHashSet<>();
  private final List<String> details = new ArrayList<>();
  private int total;

  /** How many expectations there are. */
  int total() {
    return total;
  }

  /** The expectations that are not met, in order. */
  List<String> differing() {
    return List.copyOf(differing);
  }

  /** The same with both values, for a person. */
  String report() {
    return String.join("\n", details) + "\n";
  }

  void check(String what, String expected, @Nullable String actual) {
    check(what, expected, actual, (a, b) -> false);
  }

  /**
   * Compares.
   *
   * @param near whether values that are not equal are near enough
   */
  void check(
      String what, String expected, @Nullable String actual, BiPredicate<String, String> near) {
    if (expected.equals(ANY)) {
      return;
    }
    total++;
    if (actual == null || !expected.equals(actual) && !near.test(expected, actual)) {
      fail(what, expected, String.valueOf(actual));
    }
  }

  /** Something that should not be there; not an expectation of its own. */
  void surplus(String what, String actual) {
    total++;
    fail(what, "nothing", actual);
  }

  private void fail(String what, String expected, String actual) {
    String key = what;
    for (int i = 2; !differing.add(key); i++) {
      key = what + " (" + i + ")";
    }
    details.add(key + "\n    Slurm: " + expected + "\n    here:  " + actual);
  }
}
