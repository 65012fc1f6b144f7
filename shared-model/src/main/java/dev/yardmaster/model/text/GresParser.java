package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a list of generic resources. */
final class GresParser {
  static final String NOTATION = "gres";
  static final String HELP = "write name[:type][:count], as gpu:h100:4";

  private final Scan scan;
  private final List<String> words = new ArrayList<>();
  private @Nullable IntRanges sockets;
  private @Nullable IntRanges indices;
  private List<GresItem.Share> shares = List.of();

  GresParser(String text) {
    this.scan = new Scan(NOTATION, text);
  }

  List<GresItem> parse() {
    var items = new ArrayList<GresItem>();
    while (true) {
      items.add(item());
      if (scan.end()) {
        return items;
      }
      if (!scan.accept(',')) {
        throw scan.error(scan.at, scan.unexpected(), HELP);
      }
      if (scan.end()) {
        throw scan.error(scan.at - 1, "nothing after \",\"", "drop the last comma");
      }
    }
  }

  static void checkWord(String word) {
    if (word.isEmpty()) {
      throw new NotationException(NOTATION, word, 0, "empty name", HELP);
    }
    if (word.charAt(0) == '-') {
      throw new NotationException(NOTATION, word, 1, "begins with \"-\"", HELP);
    }
    for (int i = 0; i < word.length(); i++) {
      if (!isWordChar(word.charAt(i))) {
        throw new NotationException(NOTATION, word, i + 1, "not a character of a name", HELP);
      }
    }
  }

  private static boolean isWordChar(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.' || c == '+';
  }

  private GresItem item() {
    sockets = null;
    indices = null;
    shares = List.of();
    words.clear();
    int from = scan.at;
    if (!scan.acceptWord("gres:")) {
      scan.acceptWord("gres/");
    }
    int wordsFrom = scan.at;
    do {
      words.add(word());
    } while (scan.accept(':') || scan.accept('='));
    long count = 1;
    int countAt = scan.at - words.getLast().length();
    boolean counted = words.size() > 1 && Units.isCount(words.getLast());
    if (counted) {
      var number = new Scan(NOTATION, scan.text, countAt, scan.at);
      count = Units.count(number, "count", Units.MAX);
      words.removeLast();
    }
    boolean noConsume = words.size() > 1 && words.getLast().equalsIgnoreCase(GresItem.NO_CONSUME);
    if (noConsume) {
      words.removeLast();
    }
    if (words.size() > 2) {
      throw scan.error(wordsFrom, counted ? "too many parts" : "count is not a number", HELP);
    }
    String type = words.size() == 2 ? words.get(1) : null;
    if (type != null && (Units.isCount(type) || type.equalsIgnoreCase(GresItem.NO_CONSUME))) {
      throw scan.error(from, "two counts", HELP);
    }
    while (scan.peek() == '(') {
      parenthesis();
    }
    return new GresItem(words.getFirst(), type, count, noConsume, sockets, indices, shares);
  }

  private String word() {
    int from = scan.at;
    while (!scan.end() && isWordChar(scan.peek())) {
      scan.at++;
    }
    if (scan.at > from && scan.text.charAt(from) == '-') {
      throw scan.error(from, "negative count", "use 0 or more");
    }
    if (scan.at == from) {
      throw scan.error(from, "expected a name or count" + scan.found(), HELP);
    }
    return scan.text.substring(from, scan.at);
  }

  private void parenthesis() {
    int open = scan.at++;
    int close = scan.text.indexOf(')', open);
    if (close < 0) {
      throw scan.error(open, "unmatched \"(\"", "close it with \")\"");
    }
    if (scan.acceptWord("S:")) {
      sockets = ranges(close);
    } else if (scan.acceptWord("IDX:")) {
      boolean none = scan.text.substring(scan.at, close).equalsIgnoreCase("N/A");
      indices = none ? IntRanges.EMPTY : ranges(close);
    } else if (scan.acceptWord("CNT:")) {
      scan.number("a count", Units.MAX);
      if (scan.at != close) {
        throw scan.error(scan.at, scan.unexpected(), "write (CNT:2)");
      }
    } else if (Scan.isDigit(scan.peek())) {
      shares(close);
    } else {
      throw scan.error(
          open, "unknown parenthesis", "write (S:0-1) for sockets or (IDX:0-3) for devices");
    }
    scan.at = close + 1;
  }

  private IntRanges ranges(int close) {
    return IntRanges.parse(new Scan(NOTATION, scan.text, scan.at, close), IntRanges.MAX_VALUE);
  }

  private void shares(int close) {
    var found = new ArrayList<GresItem.Share>();
    do {
      long used = scan.number("the used part of a device", Units.MAX);
      if (!scan.accept('/')) {
        throw scan.error(
            scan.at, "expected \"/\"" + scan.found(), "write used/total, as (1/4,0/4)");
      }
      found.add(new GresItem.Share(used, scan.number("the parts of a device", Units.MAX)));
    } while (scan.accept(','));
    if (scan.at != close) {
      throw scan.error(scan.at, scan.unexpected(), "write used/total, as (1/4,0/4)");
    }
    shares = found;
  }
}
