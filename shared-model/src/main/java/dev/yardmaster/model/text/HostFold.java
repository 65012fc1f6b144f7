package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Folds a set of names into the shortest bracket form that is exact, one number after the other
 * from the right.
 */
final class HostFold {
  /**
   * Numbers further to the left are kept as text, so that a fold never has more brackets than a
   * parser takes.
   */
  private static final int MAX_NUMBERS = 8;

  private HostFold() {}

  /** A name taken apart: texts around its numbers, one text more than numbers. */
  private record Parts(List<String> texts, List<String> numbers) {}

  /** A folded expression and the first name, or rest of a name, that it stands for. */
  private record Folded(String text, String first) {
    @Override
    public boolean equals(Object other) {
      // The first name follows from the text.
      return other instanceof Folded folded && text.equals(folded.text);
    }

    @Override
    public int hashCode() {
      return text.hashCode();
    }
  }

  static String fold(Collection<String> names) {
    var byShape = new LinkedHashMap<List<String>, List<List<String>>>();
    for (String name : new TreeSet<>(names)) {
      Parts parts = parts(name);
      byShape.computeIfAbsent(parts.texts, k -> new ArrayList<>()).add(parts.numbers);
    }
    var all = new ArrayList<Folded>();
    byShape.forEach((texts, rows) -> all.addAll(foldRows(texts, rows, 0)));
    all.sort((a, b) -> compare(a.first, b.first));
    return String.join(",", all.stream().map(Folded::text).toList());
  }

  /** Numbers compare by length, then by value; everything else by character. */
  static int compare(String a, String b) {
    int i = 0;
    while (i < a.length() && i < b.length()) {
      if (Scan.isDigit(a.charAt(i)) && Scan.isDigit(b.charAt(i))) {
        int endA = runEnd(a, i);
        int endB = runEnd(b, i);
        int order =
            endA != endB
                ? Integer.compare(endA, endB)
                : a.substring(i, endA).compareTo(b.substring(i, endB));
        if (order != 0) {
          return order;
        }
        i = endA;
      } else if (a.charAt(i) != b.charAt(i)) {
        return Character.compare(a.charAt(i), b.charAt(i));
      } else {
        i++;
      }
    }
    return Integer.compare(a.length(), b.length());
  }

  private static int runEnd(String s, int from) {
    int end = from;
    while (end < s.length() && Scan.isDigit(s.charAt(end))) {
      end++;
    }
    return end;
  }

  private static List<Folded> foldRows(List<String> texts, List<List<String>> rows, int slot) {
    if (slot == texts.size() - 1) {
      return List.of(new Folded(texts.get(slot), texts.get(slot)));
    }
    var byNumber = new LinkedHashMap<String, List<List<String>>>();
    for (List<String> row : rows) {
      byNumber.computeIfAbsent(row.get(slot), k -> new ArrayList<>()).add(row);
    }
    var byRest = new LinkedHashMap<Folded, List<String>>();
    byNumber.forEach(
        (number, same) -> {
          for (Folded rest : foldRows(texts, same, slot + 1)) {
            byRest.computeIfAbsent(rest, k -> new ArrayList<>()).add(number);
          }
        });
    var out = new ArrayList<Folded>();
    byRest.forEach(
        (rest, numbers) -> {
          for (HostRanges ranges : ranges(numbers)) {
            out.add(
                new Folded(
                    texts.get(slot) + ranges + rest.text,
                    texts.get(slot) + ranges.at(0) + rest.first));
          }
        });
    out.sort((a, b) -> compare(a.first, b.first));
    return out;
  }

  /**
   * Numbers in as few brackets as widths allow. A number without leading zero fits behind any
   * narrower padding, so 09, 10 and 100 are one bracket; 9 and 09 are two.
   */
  private static List<HostRanges> ranges(List<String> numbers) {
    var padded = new TreeSet<Integer>();
    for (String number : numbers) {
      if (number.length() > 1 && number.charAt(0) == '0') {
        padded.add(number.length());
      }
    }
    Map<Integer, TreeSet<Long>> byWidth = new TreeMap<>();
    for (String number : numbers) {
      Integer width = padded.floor(number.length());
      byWidth
          .computeIfAbsent(width == null ? 1 : width, k -> new TreeSet<>())
          .add(Long.parseLong(number));
    }
    var out = new ArrayList<HostRanges>();
    byWidth.forEach(
        (width, values) ->
            out.add(
                new HostRanges(
                    values.stream().map(v -> new HostRanges.Range(v, v, width)).toList())));
    return out;
  }

  private static Parts parts(String name) {
    var texts = new ArrayList<String>();
    var numbers = new ArrayList<String>();
    int textStart = 0;
    for (int i = 0; i < name.length(); ) {
      int end = runEnd(name, i);
      if (end == i) {
        i++;
        continue;
      }
      if (end - i <= 18) {
        texts.add(name.substring(textStart, i));
        numbers.add(name.substring(i, end));
        textStart = end;
      }
      i = end;
    }
    texts.add(name.substring(textStart));
    while (numbers.size() > MAX_NUMBERS) {
      texts.set(1, texts.get(0) + numbers.removeFirst() + texts.get(1));
      texts.removeFirst();
    }
    return new Parts(texts, numbers);
  }
}
