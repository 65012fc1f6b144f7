package dev.yardmaster.config;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Splits a line into {@code key=value} and whatever stands between them. */
final class PairScanner {
  /** A piece of a line. */
  sealed interface Piece {
    /** Where it begins in the line. */
    int offset();
  }

  /**
   * A pair.
   *
   * @param value without its quotes
   * @param missing true when nothing stands behind the "="
   */
  record Pair(int offset, String key, String value, boolean missing) implements Piece {}

  /** A word that is no pair. */
  record Stray(int offset, String word) implements Piece {}

  private final String text;
  private final Predicate<String> known;
  private int at;

  private PairScanner(String text, Predicate<String> known) {
    this.text = text;
    this.known = known;
  }

  /**
   * The pieces of a line in order.
   *
   * @param known whether a word is a key here; tells a forgotten value from one that begins behind
   *     blanks
   */
  static List<Piece> scan(String text, Predicate<String> known) {
    var scanner = new PairScanner(text, known);
    var pieces = new ArrayList<Piece>();
    scanner.skipSpace();
    while (scanner.at < text.length()) {
      pieces.add(scanner.next());
      scanner.skipSpace();
    }
    return pieces;
  }

  private Piece next() {
    int start = at;
    int keyEnd = start;
    while (keyEnd < text.length() && isKeyChar(text.charAt(keyEnd))) {
      keyEnd++;
    }
    at = keyEnd;
    skipSpace();
    // Slurm's parser knows Key+=value and the like; no file read here gives them a meaning.
    if (at + 1 < text.length()
        && "-*+/".indexOf(text.charAt(at)) >= 0
        && text.charAt(at + 1) == '=') {
      at++;
    }
    if (keyEnd == start || at >= text.length() || text.charAt(at) != '=') {
      at = start;
      return new Stray(start, word());
    }
    at++;
    String key = text.substring(start, keyEnd);
    int afterEquals = at;
    skipSpace();
    if (at >= text.length() || (at > afterEquals && isKnownPair())) {
      return new Pair(start, key, "", true);
    }
    return new Pair(start, key, value(), false);
  }

  private String value() {
    if (text.charAt(at) == '"') {
      int close = text.indexOf('"', at + 1);
      if (close > 0 && (close + 1 == text.length() || LineSource.isSpace(text.charAt(close + 1)))) {
        String quoted = text.substring(at + 1, close);
        at = close + 1;
        return quoted;
      }
    }
    return word();
  }

  private boolean isKnownPair() {
    int end = at;
    while (end < text.length() && isKeyChar(text.charAt(end))) {
      end++;
    }
    return end < text.length() && text.charAt(end) == '=' && known.test(text.substring(at, end));
  }

  private String word() {
    int start = at;
    while (at < text.length() && !LineSource.isSpace(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private void skipSpace() {
    while (at < text.length() && LineSource.isSpace(text.charAt(at))) {
      at++;
    }
  }

  private static boolean isKeyChar(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == '.';
  }
}
