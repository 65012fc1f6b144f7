package dev.yardmaster.console.action;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.TreeSet;

/**
 * Entries prepared for searching, and the ranking. Immutable; may be used by any thread.
 *
 * <p>Every word of the query must be found in the title or in the detail of an entry: as the whole
 * title, at its beginning, at the beginning of a word, anywhere, or with other characters between
 * its own, each of these worse than the one before. Equal entries keep the order of their list.
 */
public final class PaletteIndex {
  private static final int WHOLE = 1_000;
  private static final int BEGINNING = 800;
  private static final int WORD = 600;
  private static final int INSIDE = 400;
  private static final int SCATTERED = 200;
  private static final int IN_DETAIL = 250;
  private static final int NO = -1;

  private final List<PaletteEntry> entries;
  private final String[] titles;
  private final String[] details;
  private final long[] characters;

  public PaletteIndex(List<PaletteEntry> entries) {
    this.entries = List.copyOf(entries);
    int size = this.entries.size();
    titles = new String[size];
    details = new String[size];
    characters = new long[size];
    for (int i = 0; i < size; i++) {
      titles[i] = this.entries.get(i).title().toLowerCase(Locale.ROOT);
      details[i] = this.entries.get(i).detail().toLowerCase(Locale.ROOT);
      characters[i] = characters(titles[i]) | characters(details[i]);
    }
  }

  /** How many entries there are. */
  public int size() {
    return entries.size();
  }

  /**
   * The best entries for a query, the best first. An empty query finds the first entries.
   *
   * @param limit how many at most
   */
  public List<PaletteMatch> search(String query, int limit) {
    String[] words = query.toLowerCase(Locale.ROOT).strip().split("\\s+");
    if (words.length == 1 && words[0].isEmpty()) {
      return entries.stream().limit(limit).map(e -> new PaletteMatch(e, 0, new int[0])).toList();
    }
    long needed = 0;
    for (String word : words) {
      needed |= characters(word);
    }
    PriorityQueue<Candidate> best = new PriorityQueue<>(limit + 1, Candidate.WORST_FIRST);
    for (int i = 0; i < titles.length; i++) {
      int score = (characters[i] & needed) == needed ? score(i, words) : NO;
      if (score == NO || best.size() == limit && score <= best.element().score) {
        continue;
      }
      best.add(new Candidate(i, score));
      if (best.size() > limit) {
        best.remove();
      }
    }
    List<PaletteMatch> matches = new ArrayList<>(best.size());
    while (!best.isEmpty()) {
      Candidate c = best.remove();
      matches.add(new PaletteMatch(entries.get(c.index), c.score, hits(titles[c.index], words)));
    }
    return matches.reversed();
  }

  private int score(int index, String[] words) {
    int total = 0;
    for (String word : words) {
      int inTitle = score(titles[index], word);
      int inDetail = score(details[index], word);
      int score = Math.max(inTitle, inDetail == NO ? NO : inDetail - IN_DETAIL);
      if (score == NO) {
        return NO;
      }
      total += score;
    }
    // Between equal finds the shorter title is the closer one.
    return Math.max(0, total - Math.min(titles[index].length(), 100));
  }

  private static int score(String text, String word) {
    int at = text.indexOf(word);
    if (at == 0) {
      return text.length() == word.length() ? WHOLE : BEGINNING;
    }
    if (at > 0) {
      return wordStart(text, word, at) >= 0 ? WORD : INSIDE;
    }
    int gaps = gaps(text, word);
    return gaps == NO ? NO : Math.max(IN_DETAIL, SCATTERED + IN_DETAIL / 2 - gaps);
  }

  private static int wordStart(String text, String word, int from) {
    for (int at = from; at >= 0; at = text.indexOf(word, at + 1)) {
      if (at == 0 || !Character.isLetterOrDigit(text.charAt(at - 1))) {
        return at;
      }
    }
    return NO;
  }

  private static int gaps(String text, String word) {
    int gaps = 0;
    int at = -1;
    for (int i = 0; i < word.length(); i++) {
      int next = text.indexOf(word.charAt(i), at + 1);
      if (next < 0) {
        return NO;
      }
      gaps += at < 0 ? 0 : next - at - 1;
      at = next;
    }
    return gaps;
  }

  private static int[] hits(String title, String[] words) {
    TreeSet<Integer> hits = new TreeSet<>();
    for (String word : words) {
      int at = title.indexOf(word);
      if (at >= 0) {
        int start = wordStart(title, word, at);
        at = start >= 0 ? start : at;
        for (int i = 0; i < word.length(); i++) {
          hits.add(at + i);
        }
      } else if (gaps(title, word) != NO) {
        for (int i = 0, from = 0; i < word.length(); i++) {
          at = title.indexOf(word.charAt(i), from);
          hits.add(at);
          from = at + 1;
        }
      }
    }
    return hits.stream().mapToInt(Integer::intValue).toArray();
  }

  /** A bit for each letter, digit and group of other characters that occurs. */
  private static long characters(String text) {
    long bits = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!Character.isWhitespace(c)) {
        bits |= 1L << (c & 63);
      }
    }
    return bits;
  }

  private record Candidate(int index, int score) {
    static final Comparator<Candidate> WORST_FIRST =
        Comparator.comparingInt(Candidate::score)
            .thenComparing(Comparator.comparingInt(Candidate::index).reversed());
  }
}
