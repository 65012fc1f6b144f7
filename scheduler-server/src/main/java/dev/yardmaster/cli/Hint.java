package dev.yardmaster.cli;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Advice beyond Slurm's own texts. Scripts and comparisons expect those texts and no more, so hints
 * are marked, and shown only to a person at a terminal.
 */
final class Hint {
  private static final String MARK = "\u0001";

  private Hint() {}

  /** A line that is shown at a terminal only. */
  static String of(String text) {
    return MARK + text;
  }

  static boolean is(String line) {
    return line.startsWith(MARK);
  }

  /** The text of a hint, or the line itself. */
  static String text(String line) {
    return is(line) ? line.substring(MARK.length()) : line;
  }

  /** The known word that is nearest to one that is not known; null when none is near. */
  static @Nullable String nearest(String word, Collection<String> known) {
    String best = null;
    int least = Math.max(2, word.length() / 3) + 1;
    for (String candidate : known) {
      int distance = distance(word, candidate);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return best;
  }

  /** Edit distance. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int above = row[j];
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(Math.min(above, row[j - 1]) + 1, diagonal + change);
        diagonal = above;
      }
    }
    return row[b.length()];
  }
}
