package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * Texts of words: the {@code key=value} records that scontrol prints and accepts, and the words of
 * a command line or of an {@code #SBATCH} line.
 */
public final class KeyValueText {
  private static final String NOTATION = "words";
  private static final String DIRECTIVE = "#SBATCH";

  private KeyValueText() {}

  /**
   * Splits one record. The first "=" of a word splits key from value; a word without "=" continues
   * the value before it, with the white space between them kept; words before the first key are
   * dropped. A later value of a key replaces the earlier one.
   */
  public static SequencedMap<String, String> record(String text) {
    var out = new LinkedHashMap<String, String>();
    String key = "";
    int valueFrom = 0;
    int valueEnd = 0;
    for (int at = 0; at < text.length(); ) {
      int end = at;
      while (end < text.length() && !Character.isWhitespace(text.charAt(end))) {
        end++;
      }
      if (end == at) {
        at++;
        continue;
      }
      int equals = at;
      while (equals < end && text.charAt(equals) != '=') {
        equals++;
      }
      if (equals < end && isKey(text, at, equals)) {
        put(out, key, text.substring(valueFrom, valueEnd));
        key = text.substring(at, equals);
        valueFrom = equals + 1;
      }
      valueEnd = end;
      at = end;
    }
    put(out, key, text.substring(valueFrom, valueEnd));
    return out;
  }

  private static void put(SequencedMap<String, String> out, String key, String value) {
    if (!key.isEmpty()) {
      out.put(key, value);
    }
  }

  /**
   * Splits a text of several records: each begins with the first key of the first record. Blank
   * lines separate as well.
   */
  public static List<SequencedMap<String, String>> records(String text) {
    var out = new ArrayList<SequencedMap<String, String>>();
    var block = new StringBuilder();
    String firstKey = null;
    for (String line : text.lines().toList()) {
      int equals = line.indexOf('=');
      boolean starts = firstKey != null && line.startsWith(firstKey + "=");
      if (line.isBlank() || starts) {
        flush(block, out);
      }
      if (firstKey == null && equals > 0 && isKey(line, 0, equals)) {
        firstKey = line.substring(0, equals);
      }
      block.append(line).append('\n');
    }
    flush(block, out);
    return out;
  }

  /**
   * Splits a line into words as a shell does: white space separates, quotes of both kinds and
   * backslashes protect, an unquoted "#" at the start of a word begins a comment.
   *
   * @throws NotationException when a quote is not closed
   */
  public static List<String> words(String line) {
    return new Words(line).split();
  }

  /**
   * The options of an {@code #SBATCH} line; empty for any other line.
   *
   * @throws NotationException when a quote is not closed
   */
  public static Optional<List<String>> sbatch(String line) {
    if (!line.startsWith(DIRECTIVE)
        || (line.length() > DIRECTIVE.length()
            && !Character.isWhitespace(line.charAt(DIRECTIVE.length())))) {
      return Optional.empty();
    }
    return Optional.of(words(line.substring(DIRECTIVE.length())));
  }

  /** Writes a word so that {@link #words} gives it back. */
  public static String quote(String word) {
    if (!word.isEmpty()
        && word.chars()
            .allMatch(c -> Character.isLetterOrDigit(c) || "-_./:=,+%@".indexOf(c) >= 0)) {
      return word;
    }
    return "'" + word.replace("'", "'\\''") + "'";
  }

  private static void flush(StringBuilder block, List<SequencedMap<String, String>> out) {
    SequencedMap<String, String> found = record(block.toString());
    block.setLength(0);
    if (!found.isEmpty()) {
      out.add(found);
    }
  }

  private static boolean isKey(String text, int from, int to) {
    if (from == to || !Character.isLetter(text.charAt(from))) {
      return false;
    }
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (!Character.isLetterOrDigit(c) && "_-:/.".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The words of one line. */
  private static final class Words {
    private final String line;
    private final List<String> out = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;

    Words(String line) {
      this.line = line;
    }

    List<String> split() {
      for (int i = 0; i < line.length(); i++) {
        char c = line.charAt(i);
        if (Character.isWhitespace(c)) {
          finish();
        } else if (c == '#' && !inWord) {
          break;
        } else if (c == '\'' || c == '"') {
          i = quoted(i, c);
        } else {
          inWord = true;
          if (c == '\\' && i + 1 < line.length()) {
            i++;
          }
          word.append(line.charAt(i));
        }
      }
      finish();
      return out;
    }

    private int quoted(int open, char quote) {
      inWord = true;
      for (int i = open + 1; i < line.length(); i++) {
        char c = line.charAt(i);
        if (c == quote) {
          return i;
        }
        if (c == '\\'
            && quote == '"'
            && i + 1 < line.length()
            && "\"\\$`".indexOf(line.charAt(i + 1)) >= 0) {
          i++;
        }
        word.append(line.charAt(i));
      }
      throw new NotationException(
          NOTATION, line, open + 1, "unmatched " + quote, "close the quote");
    }

    private void finish() {
      if (inWord) {
        out.add(word.toString());
        word.setLength(0);
        inWord = false;
      }
    }
  }
}
