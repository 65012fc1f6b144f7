package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.NodeShare;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Who must go so that a job fits: as many of the first in their order as it takes. Then those who
 * hold most of the nodes found are put first, and it is looked for again, so that fewer must go
 * (slurm.conf(5), PreemptParameters=reorder_count); with strict_order only the last one of them is
 * put first.
 */
final class Victims {
  private final Hardware hardware;
  private final PreemptRules rules;
  private final Function<Collection<Job>, @Nullable Choice> test;

  /**
   * @param test where the job fits once these are gone; null for nowhere
   */
  Victims(Hardware hardware, PreemptRules rules, Function<Collection<Job>, @Nullable Choice> test) {
    this.hardware = hardware;
    this.rules = rules;
    this.test = test;
  }

  /** Those who must go; nobody when all together are not enough. */
  List<Job> choose(List<Job> inOrder) {
    List<Job> order = new ArrayList<>(inOrder);
    if (order.isEmpty() || test.apply(order) == null) {
      return new ArrayList<>();
    }
    for (int round = 0; ; round++) {
      int needed = needed(order);
      if (round > rules.reorders() || order.size() <= round + 1) {
        return new ArrayList<>(order.subList(0, needed));
      }
      Job last = order.get(needed - 1);
      if (rules.isStrict()) {
        order.remove(needed - 1);
        order.addFirst(last);
      } else {
        Choice choice = test.apply(order.subList(0, needed));
        if (choice != null) {
          sort(order, needed, choice);
        }
      }
    }
  }

  private int needed(List<Job> order) {
    int low = 1;
    int high = order.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (test.apply(order.subList(0, middle)) != null) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void sort(List<Job> order, int needed, Choice choice) {
    Map<Integer, Integer> helps = new TreeMap<>();
    for (int i = 0; i < needed - 1; i++) {
      helps.put(order.get(i).id(), nodesOf(order.get(i), choice.nodes()));
    }
    helps.put(order.get(needed - 1).id(), Integer.MAX_VALUE);
    order.sort(Comparator.comparingInt((Job job) -> helps.getOrDefault(job.id(), 0)).reversed());
  }

  private int nodesOf(Job job, long[] nodes) {
    int count = 0;
    if (job.allocation() != null) {
      for (NodeShare share : job.allocation().shares()) {
        int node = hardware.indexOf(share.node());
        count += node >= 0 && Bits.has(nodes, node) ? 1 : 0;
      }
    }
    return count;
  }
}
