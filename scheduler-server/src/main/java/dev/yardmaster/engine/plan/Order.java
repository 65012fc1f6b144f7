package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;

/** The place of jobs that start in the order of their partitions. */
final class Order {
  private final List<String> partitions = new ArrayList<>();
  private int[] waiting = new int[4];

  private Order() {}

  /**
   * The starts of a step, with how many jobs before each in the order of its partition go on
   * waiting.
   *
   * @param queue in order
   */
  static List<Decision> place(List<Entry> queue, List<Decision> starts) {
    if (starts.isEmpty()) {
      return starts;
    }
    TreeMap<Integer, Integer> ahead = new Order().ahead(queue, starts);
    List<Decision> placed = new ArrayList<>(starts.size());
    for (Decision decision : starts) {
      placed.add(
          decision instanceof Decision.Start start
              ? start.withAhead(ahead.getOrDefault(start.jobId(), 0))
              : decision);
    }
    return placed;
  }

  private TreeMap<Integer, Integer> ahead(List<Entry> queue, List<Decision> starts) {
    TreeMap<Integer, String> left = new TreeMap<>();
    for (Decision decision : starts) {
      if (decision instanceof Decision.Start start) {
        left.put(start.jobId(), start.partition());
      }
    }
    TreeSet<Integer> starting = new TreeSet<>(left.keySet());
    TreeMap<Integer, Integer> ahead = new TreeMap<>();
    for (Entry entry : queue) {
      if (left.isEmpty()) {
        break;
      }
      int id = entry.ticket().job.id();
      int partition = index(entry.partition());
      if (entry.partition().equals(left.get(id))) {
        left.remove(id);
        ahead.put(id, waiting[partition]);
      }
      if (!entry.ticket().barred() && !starting.contains(id)) {
        waiting[partition]++;
      }
    }
    return ahead;
  }

  private int index(String partition) {
    for (int i = 0; i < partitions.size(); i++) {
      if (partitions.get(i).equals(partition)) {
        return i;
      }
    }
    partitions.add(partition);
    if (partitions.size() > waiting.length) {
      waiting = Arrays.copyOf(waiting, 2 * waiting.length);
    }
    return partitions.size() - 1;
  }
}
