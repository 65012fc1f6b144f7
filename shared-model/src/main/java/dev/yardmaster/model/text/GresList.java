package dev.yardmaster.model.text;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Generic resources in a list: {@code gpu:h100:4(S:0-1),shard:32}. Order is kept as given.
 *
 * @param items the resources; none is printed as the empty text
 */
public record GresList(List<GresItem> items) implements Iterable<GresItem> {
  public static final GresList EMPTY = new GresList(List.of());

  public GresList {
    items = List.copyOf(items);
  }

  public static GresList of(GresItem... items) {
    return new GresList(List.of(items));
  }

  /**
   * Parses resources of a node, a request or an allocation. The prefixes {@code gres:} and {@code
   * gres/} are accepted and dropped, and so is {@code =} before a count. The empty text, {@code
   * (null)} and {@code gres/} alone, which scontrol prints for an empty request, are the empty
   * list.
   */
  public static GresList parse(String text) {
    if (text.isEmpty() || text.equalsIgnoreCase("(null)") || text.equals("gres/")) {
      return EMPTY;
    }
    return new GresList(new GresParser(text).parse());
  }

  public boolean isEmpty() {
    return items.isEmpty();
  }

  /** How many of a kind, all types together. */
  public long count(String name) {
    return items.stream().filter(i -> i.name().equals(name)).mapToLong(GresItem::count).sum();
  }

  /** How many of a kind and type. */
  public long count(String name, String type) {
    return items.stream()
        .filter(i -> i.name().equals(name) && type.equals(i.type()))
        .mapToLong(GresItem::count)
        .sum();
  }

  @Override
  public Iterator<GresItem> iterator() {
    return items.iterator();
  }

  /** The form in which a job's request is shown: {@code gres/gpu:h100:2}. */
  public String toRequest() {
    return items.stream().map(i -> i.tresName() + ":" + i.count()).collect(Collectors.joining(","));
  }

  @Override
  public String toString() {
    return items.stream().map(GresItem::toString).collect(Collectors.joining(","));
  }
}
