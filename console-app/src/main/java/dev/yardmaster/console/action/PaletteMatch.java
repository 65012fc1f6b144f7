package dev.yardmaster.console.action;

import java.util.Arrays;

/**
 * An entry that the query found.
 *
 * @param entry the entry
 * @param score how well it fits; higher is better
 * @param hits indexes of the characters of the title that the query names, ascending
 */
public record PaletteMatch(PaletteEntry entry, int score, int[] hits) {
  @Override
  public boolean equals(Object other) {
    return other instanceof PaletteMatch(PaletteEntry e, int s, int[] h)
        && entry.equals(e)
        && score == s
        && Arrays.equals(hits, h);
  }

  @Override
  public int hashCode() {
    return 31 * entry.hashCode() + score;
  }
}
