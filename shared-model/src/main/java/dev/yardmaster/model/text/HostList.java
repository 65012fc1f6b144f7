package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Node names in Slurm's bracket form: {@code n[1-3,007],r[1-2]n[01-16],login1}. The width of a
 * number is part of the name, so {@code n1} and {@code n01} are two nodes; a range pads to the
 * width of its start ({@code [09-11]} is 09, 10, 11). Any number of brackets may stand in a name,
 * with text after each. Order and repetition are kept as given. Names are made only when asked for,
 * so a list of a million names costs no more than its text.
 */
public final class HostList implements Iterable<String> {
  /** No node; printed as the empty text. */
  public static final HostList EMPTY = new HostList(List.of());

  /** The most names that one list may stand for. */
  public static final int MAX_NAMES = 1_000_000;

  /**
   * The order in which lists are folded and names are best shown: texts by character, numbers by
   * length, then by value, so that n9 comes before n10.
   */
  public static final Comparator<String> ORDER = HostFold::compare;

  private final List<HostPattern> patterns;
  private final long size;
  private final Set<String> literals = new HashSet<>();
  private final List<HostPattern> ranged = new ArrayList<>();

  HostList(List<HostPattern> patterns) {
    this.patterns = List.copyOf(patterns);
    long total = 0;
    for (HostPattern pattern : patterns) {
      total += pattern.size();
      if (pattern.slots().isEmpty()) {
        literals.add(pattern.texts().getFirst());
      } else {
        ranged.add(pattern);
      }
    }
    this.size = total;
  }

  /**
   * Parses a host list; the empty text is the empty list, and empty elements between commas are
   * skipped.
   */
  public static HostList parse(String text) {
    return text.isEmpty() ? EMPTY : new HostListParser(text).parse();
  }

  /** The list of these single names, in their order. */
  public static HostList of(Collection<String> names) {
    var builder = new HostListBuilder();
    for (String name : names) {
      HostListParser.checkName(name);
      builder.addName(name);
    }
    return builder.build(String.join(",", names.stream().limit(10).toList()));
  }

  /** The list of these single names, in their order. */
  public static HostList of(String... names) {
    return of(List.of(names));
  }

  /**
   * The canonical text for a set of single names: sorted by {@link #ORDER}, repetitions dropped,
   * folded in every number where that is exact. Parsing it gives back exactly the set.
   */
  public static String fold(Collection<String> names) {
    names.forEach(HostListParser::checkName);
    return HostFold.fold(names);
  }

  /** The number of names, repetitions counted. */
  public long size() {
    return size;
  }

  public boolean isEmpty() {
    return patterns.isEmpty();
  }

  public boolean contains(String name) {
    if (literals.contains(name)) {
      return true;
    }
    for (HostPattern pattern : ranged) {
      if (pattern.contains(name)) {
        return true;
      }
    }
    return false;
  }

  /** The names, made one by one. */
  public Stream<String> stream() {
    return patterns.stream()
        .flatMap(pattern -> LongStream.range(0, pattern.size()).mapToObj(pattern::at));
  }

  @Override
  public Iterator<String> iterator() {
    return stream().iterator();
  }

  /** All names as a list. */
  public List<String> expand() {
    return expand(MAX_NAMES);
  }

  /**
   * All names as a list.
   *
   * @throws NotationException when there are more than {@code cap}
   */
  public List<String> expand(int cap) {
    if (size > cap) {
      throw new NotationException(
          HostListParser.NOTATION,
          toString(),
          0,
          "stands for " + size + " names",
          "at most " + cap + " are expanded here");
    }
    return stream().toList();
  }

  /** The same set of names in canonical form. */
  public HostList sorted() {
    return parse(fold(expand()));
  }

  /**
   * Two lists are equal when they stand for the same names in the same order, however they were
   * written.
   */
  @Override
  public boolean equals(Object o) {
    if (!(o instanceof HostList other) || size != other.size) {
      return false;
    }
    if (patterns.equals(other.patterns)) {
      return true;
    }
    Iterator<String> theirs = other.iterator();
    for (String name : this) {
      if (!name.equals(theirs.next())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return isEmpty() ? 0 : 31 * Long.hashCode(size) + patterns.getFirst().at(0).hashCode();
  }

  /** The folded text, in the order given. */
  @Override
  public String toString() {
    var out = new StringBuilder();
    for (HostPattern pattern : patterns) {
      out.append(out.isEmpty() ? "" : ",").append(pattern);
    }
    return out.toString();
  }
}
