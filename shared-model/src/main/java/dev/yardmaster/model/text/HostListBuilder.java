package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects the elements of a host list in order and joins neighbours that differ only in their last
 * number.
 */
final class HostListBuilder {
  private final List<HostPattern> done = new ArrayList<>();
  private final List<HostRanges.Range> open = new ArrayList<>();
  private String openPrefix = "";
  private long total;

  void addName(String name) {
    int digits = name.length();
    while (digits > 0 && Scan.isDigit(name.charAt(digits - 1))) {
      digits--;
    }
    int count = name.length() - digits;
    if (count == 0 || count > 18) {
      close();
      done.add(HostPattern.literal(name));
    } else {
      addRanges(
          name.substring(0, digits), List.of(HostRanges.Range.single(name.substring(digits))));
    }
    total++;
  }

  void add(HostPattern pattern) {
    if (pattern.slots().isEmpty()) {
      addName(pattern.texts().getFirst());
      return;
    }
    total = total + Math.min(pattern.size(), Integer.MAX_VALUE);
    if (pattern.slots().size() == 1 && pattern.texts().getLast().isEmpty()) {
      addRanges(pattern.texts().getFirst(), pattern.slots().getFirst().ranges());
    } else {
      close();
      done.add(pattern);
    }
  }

  long total() {
    return total;
  }

  HostList build(String input) {
    close();
    if (total > HostList.MAX_NAMES) {
      throw new NotationException(
          HostListParser.NOTATION,
          input,
          0,
          "stands for " + total + " names",
          "use at most " + HostList.MAX_NAMES);
    }
    return done.isEmpty() ? HostList.EMPTY : new HostList(done);
  }

  private void addRanges(String prefix, List<HostRanges.Range> ranges) {
    if (!open.isEmpty() && !openPrefix.equals(prefix)) {
      close();
    }
    openPrefix = prefix;
    open.addAll(ranges);
  }

  private void close() {
    if (open.isEmpty()) {
      return;
    }
    HostRanges ranges = new HostRanges(open);
    done.add(
        ranges.size() == 1
            ? HostPattern.literal(openPrefix + ranges.at(0))
            : new HostPattern(List.of(openPrefix, ""), List.of(ranges)));
    open.clear();
  }
}
