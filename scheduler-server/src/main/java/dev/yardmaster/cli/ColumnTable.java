package dev.yardmaster.cli;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a listing can show, by letter for {@code -o} and by name for {@code -O}.
 *
 * @param <R> what a line is about
 */
final class ColumnTable<R> {
  /** Where -o ends after a width: Slurm takes its first column that has no letter. */
  static final char NO_LETTER = 0;

  private final Map<Character, Layout.Field<R>> letters = new HashMap<>();
  private final Map<String, Layout.Field<R>> names = new HashMap<>();

  Map<Character, Layout.Field<R>> letters() {
    return letters;
  }

  Map<String, Layout.Field<R>> names() {
    return names;
  }

  /**
   * Adds a column.
   *
   * @param keys its letter and its names, with blanks between
   */
  void add(String keys, String header, Function<R, String> text) {
    put(keys, new Layout.Field<>(header, text));
  }

  private void put(String keys, Layout.Field<R> field) {
    for (String key : keys.split(" ")) {
      if (key.length() == 1) {
        letters.put(key.charAt(0), field);
      } else {
        names.put(key.toLowerCase(Locale.ROOT), field);
      }
    }
  }

  /**
   * Adds a column that is not cut where it is narrower than its texts.
   *
   * @param head whether its head is not cut either
   * @param whole which texts are not
   */
  void addWhole(
      String keys, String header, boolean head, Predicate<String> whole, Function<R, String> text) {
    put(keys, new Layout.Field<>(header, text, head, whole, false));
  }

  /** Adds a column that says the same in each line. */
  void fixed(String keys, String header, String text) {
    add(keys, header, row -> text);
  }

  /** Says which column is the first one without a letter. */
  void withoutLetter(String name) {
    Layout.@Nullable Field<R> field = names.get(name);
    if (field != null) {
      letters.put(NO_LETTER, field);
    }
  }
}
