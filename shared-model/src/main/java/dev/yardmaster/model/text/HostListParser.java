package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.List;

/** Reads one host list. */
final class HostListParser {
  static final String NOTATION = "hostlist";
  private static final int MAX_NAME = 255;
  private static final int MAX_BRACKETS = 16;

  private final Scan scan;
  private final HostListBuilder builder = new HostListBuilder();

  HostListParser(String text) {
    this.scan = new Scan(NOTATION, text);
  }

  HostList parse() {
    while (!scan.end()) {
      if (scan.accept(',')) {
        continue;
      }
      int from = scan.at;
      HostPattern pattern = pattern();
      if (pattern.size() > HostList.MAX_NAMES - builder.total()) {
        String size =
            pattern.size() == Long.MAX_VALUE
                ? "far too many"
                : pattern.size() + builder.total() + "";
        throw scan.error(
            from, "stands for " + size + " names", "use at most " + HostList.MAX_NAMES);
      }
      builder.add(pattern);
    }
    if (builder.total() == 0) {
      throw scan.whole("no name between the commas", "write names as n[1-3],n7");
    }
    return builder.build(scan.text);
  }

  /** Refuses what cannot be a single node name. */
  static void checkName(String name) {
    if (name.isEmpty()) {
      throw new NotationException(NOTATION, name, 0, "empty node name", "write names as n[1-3],n7");
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isNameChar(name.charAt(i))) {
        throw badChar(new Scan(NOTATION, name), i);
      }
    }
    if (name.length() > MAX_NAME) {
      throw new NotationException(
          NOTATION,
          name,
          0,
          "node name of " + name.length() + " characters",
          "use at most " + MAX_NAME);
    }
  }

  private HostPattern pattern() {
    int from = scan.at;
    var texts = new ArrayList<String>();
    var slots = new ArrayList<HostRanges>();
    texts.add(text());
    while (scan.peek() == '[') {
      if (slots.size() == MAX_BRACKETS) {
        throw scan.error(
            scan.at, "more than " + MAX_BRACKETS + " brackets in one name", "split the name");
      }
      slots.add(brackets());
      texts.add(text());
    }
    int length = texts.stream().mapToInt(String::length).sum();
    if (length > MAX_NAME) {
      throw scan.error(from, "node name of " + length + " characters", "use at most " + MAX_NAME);
    }
    return new HostPattern(texts, slots);
  }

  private String text() {
    int from = scan.at;
    while (!scan.end() && isNameChar(scan.peek())) {
      scan.at++;
    }
    if (!scan.end() && scan.peek() != ',' && scan.peek() != '[') {
      throw badChar(scan, scan.at);
    }
    return scan.text.substring(from, scan.at);
  }

  private HostRanges brackets() {
    int open = scan.at++;
    List<HostRanges.Range> ranges = new ArrayList<>();
    while (true) {
      if (scan.end()) {
        throw unmatched(open);
      }
      if (scan.peek() == ']' && ranges.isEmpty()) {
        throw scan.error(open, "empty brackets", "write a range as [1-3]");
      }
      ranges.add(range(open));
      if (scan.accept(']')) {
        return new HostRanges(ranges);
      }
      if (scan.end()) {
        throw unmatched(open);
      }
      if (!scan.accept(',')) {
        throw scan.error(scan.at, scan.unexpected() + " in brackets", "write ranges as [1-3,7]");
      }
    }
  }

  private HostRanges.Range range(int open) {
    int from = scan.at;
    String low = number(open);
    if (!scan.accept('-')) {
      return HostRanges.Range.single(low);
    }
    int second = scan.at;
    String high = number(open);
    if (high.charAt(0) == '0' && high.length() != low.length() && high.length() > 1) {
      throw scan.error(
          second, "range end " + high + " is wider than its start " + low, "pad both to one width");
    }
    long lo = Long.parseLong(low);
    long hi = Long.parseLong(high);
    if (hi < lo) {
      throw scan.error(
          from, "range " + low + "-" + high + " runs backwards", "write " + high + "-" + low);
    }
    return new HostRanges.Range(lo, hi, low.length());
  }

  private String number(int open) {
    int from = scan.at;
    String digits = scan.digits();
    if (digits.isEmpty()) {
      if (scan.text.indexOf(']', from) < 0) {
        throw unmatched(open);
      }
      throw scan.error(
          from, "expected a number in brackets" + scan.found(), "write ranges as [1-3,7]");
    }
    if (digits.length() > 18) {
      throw scan.error(from, "number of " + digits.length() + " digits", "use at most 18 digits");
    }
    return digits;
  }

  private NotationException unmatched(int open) {
    String inside = scan.text.substring(open + 1);
    boolean onlyRanges = inside.length() < 60 && inside.matches("[0-9,-]*[0-9]");
    return scan.error(
        open, "unmatched \"[\"", onlyRanges ? "write " + scan.text + "]" : "close it with \"]\"");
  }

  private static NotationException badChar(Scan scan, int index) {
    char c = scan.text.charAt(index);
    scan.at = index;
    if (c == ']') {
      return scan.error(index, "unmatched \"]\"", "open the range with \"[\" before it");
    }
    String help =
        Character.isWhitespace(c)
            ? "separate names with a comma and no space"
            : "use letters, digits, \"-\", \"_\" and \".\"";
    return scan.error(index, scan.unexpected() + " in a node name", help);
  }

  private static boolean isNameChar(char c) {
    return Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.' || c == ':';
  }
}
