package dev.yardmaster.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds what was probably meant by a misspelt word. */
final class Nearest {
  private static final int LONGEST = 80;

  private Nearest() {}

  /** The same while the finding would be listed; what nobody sees is not searched for. */
  static Optional<String> of(String word, Collection<String> candidates, Findings findings) {
    return findings.lists() ? of(word, candidates) : Optional.empty();
  }

  /**
   * The candidate that differs least from the word: by at most a third of its letters, or one that
   * begins with it; case does not matter. The first of equals wins.
   */
  static Optional<String> of(String word, Collection<String> candidates) {
    String wanted = word.toLowerCase(Locale.ROOT);
    if (wanted.isEmpty() || wanted.length() > LONGEST) {
      return Optional.empty();
    }
    String best = null;
    int least = Math.max(1, wanted.length() / 3) + 1;
    for (String candidate : candidates) {
      String offered = candidate.toLowerCase(Locale.ROOT);
      boolean begins = wanted.length() >= 4 && offered.startsWith(wanted);
      if (!begins && Math.abs(wanted.length() - offered.length()) >= least) {
        continue;
      }
      int distance = begins ? Math.min(1, distance(wanted, offered)) : distance(wanted, offered);
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Insertions, deletions, replacements and swaps of neighbours that make one word the other. */
  static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int replace = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j] + 1, d[i][j - 1] + 1), d[i - 1][j - 1] + replace);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
