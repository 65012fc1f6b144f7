package dev.yardmaster.console.theme;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A stable colour for each account, from the blue family and its neighbours, so that it is never
 * taken for the colours that mean free, attention, blocked or reserved. Neighbouring colours stay
 * apart for the common colour blindnesses.
 *
 * <p>An account prefers the colour that its name hashes to and takes the next unused one when that
 * is taken, so give the names in a fixed order where one is known. Safe for use by several threads.
 */
public final class AccountPalette {
  /** How many different colours there are. */
  public static final int SIZE = 8;

  private static final String[] DARK = {
    "#5b9dff", "#29d5cd", "#9a5fe0", "#627ba4", "#a196c6", "#569a95", "#9eb9fc", "#52f2f5"
  };
  private static final String[] LIGHT = {
    "#3c7de0", "#0f7a86", "#7a3fc4", "#2c3b62", "#5a1396", "#17625e", "#8185b3", "#5a4886"
  };

  private final Map<String, Integer> assigned = new HashMap<>();
  private final int[] uses = new int[SIZE];

  /** A palette that has not given any colour yet. */
  public AccountPalette() {
    this(Map.of());
  }

  /**
   * A palette that has given colours before, so that an account keeps its colour when others come
   * and go.
   *
   * @param kept indexes by account, as {@link #given} told them; indexes that there are not are
   *     ignored
   */
  public AccountPalette(Map<String, Integer> kept) {
    kept.forEach(
        (account, index) -> {
          if (index != null && index >= 0 && index < SIZE) {
            assigned.put(account, index);
            uses[index]++;
          }
        });
  }

  /** The colours given so far, by account, to be kept until the next start. */
  public synchronized SortedMap<String, Integer> given() {
    return new TreeMap<>(assigned);
  }

  /** The colour at an index below {@link #SIZE}, as {@code #rrggbb}. */
  public static String hex(Theme theme, int index) {
    return theme == Theme.DARK ? DARK[index] : LIGHT[index];
  }

  /**
   * Gives all of these accounts their colours at once, in the order of their names, so that it does
   * not matter which of them a view happens to draw first.
   */
  public synchronized void know(Collection<String> accounts) {
    accounts.stream().sorted().forEach(this::indexOf);
  }

  /** The index of the account's colour; the same for as long as this palette lives. */
  public synchronized int indexOf(String account) {
    Integer known = assigned.get(account);
    if (known != null) {
      return known;
    }
    int preferred = Math.floorMod(hash(account), SIZE);
    int best = preferred;
    for (int step = 1; step < SIZE; step++) {
      int candidate = (preferred + step) % SIZE;
      if (uses[candidate] < uses[best]) {
        best = candidate;
      }
    }
    uses[best]++;
    assigned.put(account, best);
    return best;
  }

  /** FNV-1a: the same on every machine and version, which String.hashCode does not promise. */
  private static int hash(String text) {
    int hash = 0x811c9dc5;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x01000193;
    }
    return hash;
  }
}
