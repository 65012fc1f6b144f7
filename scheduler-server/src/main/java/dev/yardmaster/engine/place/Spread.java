package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Placed.Rule;
import java.util.Arrays;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes for a job that wants its tasks spread ({@code --spread-job}): as many as it may
 * have, weight by weight. As in Slurm each further weight adds one node, though there are enough.
 */
final class Spread {
  private final Hardware hardware;
  private final Shape shape;
  private final Rooms rooms;
  private long[] chosen = {};
  private int[] order = {};

  Spread(Hardware hardware, Shape shape, Rooms rooms) {
    this.hardware = hardware;
    this.shape = shape;
    this.rooms = rooms;
  }

  /** Chooses nodes; null when the candidates do not do. */
  @Nullable Choice choose(long[] candidates, long[] required) {
    chosen = Bits.of(hardware.size);
    order = new int[0];
    for (int n = Bits.next(required, 0); n >= 0; n = Bits.next(required, n + 1)) {
      take(n);
    }
    TreeMap<Integer, long[]> levels = new TreeMap<>();
    for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
      Bits.add(levels.computeIfAbsent(rooms.weight[n], w -> Bits.of(hardware.size)), n);
    }
    int wanted = shape.wantedNodes;
    for (int before = -1; before != order.length && order.length < shape.mostNodes; ) {
      before = order.length;
      for (long[] level : levels.values()) {
        addFrom(level, Math.min(wanted, shape.mostNodes));
      }
      if (enough()) {
        break;
      }
      wanted = Math.max(wanted, order.length + 1);
    }
    return enough() && order.length >= shape.minNodes ? new Choice(order, chosen, Rule.RUN) : null;
  }

  /** Adds nodes until there are so many, and one in any case. */
  private void addFrom(long[] level, int number) {
    for (int n = Bits.next(level, 0); n >= 0; n = Bits.next(level, n + 1)) {
      if (!Bits.has(chosen, n)) {
        take(n);
        if (order.length >= number) {
          return;
        }
      }
    }
  }

  private void take(int node) {
    Bits.add(chosen, node);
    order = Arrays.copyOf(order, order.length + 1);
    order[order.length - 1] = node;
  }

  private boolean enough() {
    long cpus = 0;
    long gres = 0;
    for (int n : order) {
      cpus += rooms.cpus[n];
      gres += rooms.jobGres[n];
    }
    return cpus >= shape.minCpus && gres >= shape.jobGres();
  }
}
