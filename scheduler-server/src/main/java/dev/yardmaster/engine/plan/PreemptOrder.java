package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Qos;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * The order of the queue where jobs may preempt others: as in Slurm who could preempt the other is
 * looked at first, whatever reservations, tiers and priorities say. That is not always an order, as
 * of three jobs each may come before the next; Slurm's sort halves the queue and merges the halves,
 * and so does this one.
 */
final class PreemptOrder {
  private static final byte NEVER = 0;
  private static final byte ALWAYS = 1;
  private static final byte IF_HIGHER = 2;
  private static final byte IF_NOT_LOWER = 3;

  /** An entry with the number of its QOS or partition. */
  private record Place(Entry entry, int kind) {}

  private final PreemptRules rules;
  private final TreeMap<String, Integer> numbers = new TreeMap<>();
  private final List<Entry> kinds = new ArrayList<>();
  private final byte[][] before;

  private PreemptOrder(Board board, PreemptRules rules, List<Entry> queue) {
    this.rules = rules;
    for (Entry entry : queue) {
      if (numbers.putIfAbsent(name(entry), kinds.size()) == null) {
        kinds.add(entry);
      }
    }
    before = new byte[kinds.size()][kinds.size()];
    for (int i = 0; i < kinds.size(); i++) {
      for (int j = 0; j < kinds.size(); j++) {
        before[i][j] =
            rules.byPartition()
                ? ofPartitions(board, kinds.get(i), kinds.get(j))
                : ofQos(kinds.get(i), kinds.get(j));
      }
    }
  }

  /** Sorts a queue whose entries are in the order of submission. */
  static void sort(Board board, List<Entry> queue) {
    PreemptRules rules = new PreemptRules(board.state());
    if (rules.isOff()) {
      QueueOrder.sort(queue);
      return;
    }
    PreemptOrder order = new PreemptOrder(board, rules, queue);
    Place[] places = new Place[queue.size()];
    for (int i = 0; i < places.length; i++) {
      Entry entry = queue.get(i);
      places[i] = new Place(entry, order.numbers.getOrDefault(order.name(entry), 0));
    }
    sort(places, new Place[places.length], 0, places.length, order::compare);
    for (int i = 0; i < places.length; i++) {
      queue.set(i, places[i].entry);
    }
  }

  private String name(Entry entry) {
    return rules.byPartition() ? entry.partition() : entry.job().owner().qos();
  }

  private byte ofPartitions(Board board, Entry first, Entry second) {
    Partition a = first.shape().partition();
    Partition b = second.shape().partition();
    boolean outranks =
        a.priorityTier() > b.priorityTier()
            && Bits.countCommon(board.nodesOf(a.name()), board.nodesOf(b.name())) > 0;
    if (!outranks) {
      return NEVER;
    }
    return rules.saysPriority(a) ? IF_NOT_LOWER : ALWAYS;
  }

  private byte ofQos(Entry first, Entry second) {
    Qos own = rules.qos(first.job());
    String other = second.job().owner().qos();
    if (own == null) {
      return NEVER;
    }
    if (own.name().equals(other)) {
      return rules.says(own, "WITHIN") ? IF_HIGHER : NEVER;
    }
    if (!own.preempt().contains(other)) {
      return NEVER;
    }
    return rules.says(own, "PRIORITY") ? IF_HIGHER : ALWAYS;
  }

  private boolean comesBefore(Place a, Place b) {
    return switch (before[a.kind][b.kind]) {
      case ALWAYS -> true;
      case IF_HIGHER -> priority(a) > priority(b);
      case IF_NOT_LOWER -> priority(a) >= priority(b);
      default -> false;
    };
  }

  private long priority(Place place) {
    return rules.byPartition()
        ? place.entry.priority().priority()
        : place.entry.ticket().priority().priority();
  }

  private int compare(Place a, Place b) {
    if (comesBefore(a, b)) {
      return -1;
    }
    return comesBefore(b, a) ? 1 : Entry.ORDER.compare(a.entry, b.entry);
  }

  private static void sort(
      Place[] places, Place[] spare, int from, int count, Comparator<Place> order) {
    if (count <= 1) {
      return;
    }
    int half = count / 2;
    int middle = from + half;
    int end = from + count;
    sort(places, spare, from, half, order);
    sort(places, spare, middle, count - half, order);
    int left = from;
    int right = middle;
    int to = from;
    while (left < middle && right < end) {
      boolean takesLeft = order.compare(places[left], places[right]) <= 0;
      spare[to++] = takesLeft ? places[left++] : places[right++];
    }
    System.arraycopy(places, left, spare, to, middle - left);
    System.arraycopy(spare, from, places, from, to - from + middle - left);
  }
}
