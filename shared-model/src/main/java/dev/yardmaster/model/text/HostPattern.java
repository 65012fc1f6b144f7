package dev.yardmaster.model.text;

import java.util.List;

/** One element of a host list: texts with brackets between them, one text more than brackets. */
record HostPattern(List<String> texts, List<HostRanges> slots) {
  HostPattern {
    texts = List.copyOf(texts);
    slots = List.copyOf(slots);
  }

  static HostPattern literal(String name) {
    return new HostPattern(List.of(name), List.of());
  }

  /** The number of names, or {@link Long#MAX_VALUE} when it does not fit. */
  long size() {
    long total = 1;
    for (HostRanges slot : slots) {
      long size = slot.size();
      if (size == Long.MAX_VALUE || Math.multiplyHigh(total, size) != 0 || total * size < 0) {
        return Long.MAX_VALUE;
      }
      total *= size;
    }
    return total;
  }

  /** The name at an index; the last bracket runs fastest. */
  String at(long index) {
    var values = new String[slots.size()];
    long left = index;
    for (int i = values.length - 1; i >= 0; i--) {
      long size = slots.get(i).size();
      values[i] = slots.get(i).at(left % size);
      left /= size;
    }
    var out = new StringBuilder(texts.getFirst());
    for (int i = 0; i < values.length; i++) {
      out.append(values[i]).append(texts.get(i + 1));
    }
    return out.toString();
  }

  boolean contains(String name) {
    return name.startsWith(texts.getFirst()) && matches(name, texts.getFirst().length(), 0);
  }

  private boolean matches(String name, int at, int slot) {
    if (slot == slots.size()) {
      return at == name.length();
    }
    String next = texts.get(slot + 1);
    for (int end = at; end < name.length() && Scan.isDigit(name.charAt(end)); end++) {
      if (name.startsWith(next, end + 1)
          && slots.get(slot).contains(name.substring(at, end + 1))
          && matches(name, end + 1 + next.length(), slot + 1)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public String toString() {
    var out = new StringBuilder(texts.getFirst());
    for (int i = 0; i < slots.size(); i++) {
      out.append(slots.get(i)).append(texts.get(i + 1));
    }
    return out.toString();
  }
}
