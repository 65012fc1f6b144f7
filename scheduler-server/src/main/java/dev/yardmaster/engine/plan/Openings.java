package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Bits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which nodes are not planned for anybody, from slot to slot of the plan, as Slurm's backfill keeps
 * it. A planned job begins on the grid of bf_resolution at or before its start, and ends on it.
 */
final class Openings {
  /** A time in which the same nodes are open. */
  private static final class Slot {
    private final long begin;
    private long end;
    private final long[] open;

    Slot(long begin, long end, long[] open) {
      this.begin = begin;
      this.end = end;
      this.open = open;
    }
  }

  /**
   * What is open for a whole run.
   *
   * @param nodes the nodes
   * @param later when it is worth while to look again: others are open then; 0 for never
   */
  record Opening(long[] nodes, long later) {}

  private final long resolution;
  private final int most;
  private final List<Slot> slots = new ArrayList<>();
  private int made = 1;

  /**
   * One slot in which nothing is planned.
   *
   * @param most how many slots may be made in all (bf_node_space_size)
   */
  Openings(long now, long horizon, long resolution, long[] nodes, int most) {
    this.resolution = resolution;
    this.most = most;
    slots.add(new Slot(begin(now), begin(horizon), nodes.clone()));
  }

  /** Whether as many slots were made as may be; those joined since count, as in Slurm. */
  boolean isFull() {
    return made >= most;
  }

  /** Takes nodes for a run. */
  void take(long start, long length, long[] nodes) {
    takeOnGrid(Math.max(begin(start), slots.getFirst().begin), end(start, length), nodes);
  }

  /** Takes nodes from now until after a run that ends at a time. */
  void keep(long end, long[] nodes) {
    takeOnGrid(slots.getFirst().begin, end(end, 0), nodes);
  }

  private void takeOnGrid(long from, long end, long[] nodes) {
    long until = Math.max(end, from + resolution);
    int first = split(from);
    // what begins with the plan divides its first slot, if only into nothing and the rest
    made += first == 0 ? 1 : 0;
    if (first < 0) {
      return;
    }
    split(until);
    int after = first;
    while (after < slots.size() && slots.get(after).begin < until) {
      Bits.removeAll(slots.get(after++).open, nodes);
    }
    joinOne(Math.max(0, first - 2), Math.min(after, slots.size() - 1));
  }

  /** Makes one of two neighbours in which the same nodes are open; the first such, as Slurm. */
  private void joinOne(int first, int last) {
    for (int i = first; i < last; i++) {
      if (Arrays.equals(slots.get(i).open, slots.get(i + 1).open)) {
        slots.get(i).end = slots.remove(i + 1).end;
        return;
      }
    }
  }

  /** Whether one of these nodes is planned for somebody during a run. */
  boolean overlaps(long start, long length, long[] nodes) {
    long from = begin(start);
    long until = end(start, length);
    for (Slot slot : slots) {
      if (slot.end > from && slot.begin < until && !Bits.contains(slot.open, nodes)) {
        return true;
      }
    }
    return false;
  }

  /** Which of these nodes are open for a run that begins at a time. */
  Opening at(long start, long length, long[] nodes) {
    long[] open = nodes.clone();
    long later = 0;
    int last = slots.size() - 1;
    for (int i = 0; i <= last; i++) {
      Slot slot = slots.get(i);
      if (slot.end > start && i < last && later == 0) {
        long[] next = Bits.common(nodes, slots.get(i + 1).open);
        later = Bits.contains(Bits.common(open, slot.open), next) ? 0 : slot.end;
      }
      if (slot.end > start) {
        if (slot.begin > start + length) {
          later = later == 0 && i + 1 < last ? slots.get(i + 1).end : later;
          break;
        }
        Bits.retain(open, slot.open);
      }
    }
    return new Opening(open, later);
  }

  /** The nodes that are open now, but planned for somebody during a run that begins at a time. */
  long[] planned(long start, long length) {
    long[] now = slots.getFirst().open;
    long[] planned = new long[now.length];
    for (Slot slot : slots) {
      if (slot.end > start && slot.begin <= start + length) {
        for (int w = 0; w < now.length; w++) {
          planned[w] |= now[w] & ~slot.open[w];
        }
      }
    }
    return planned;
  }

  private long begin(long start) {
    return Math.floorDiv(start, resolution) * resolution;
  }

  private long end(long start, long length) {
    return Math.floorDiv(start + length + resolution - 1, resolution) * resolution;
  }

  /** Makes a slot begin at a time; its index, -1 when that is after all slots. */
  private int split(long time) {
    for (int i = 0; i < slots.size(); i++) {
      Slot slot = slots.get(i);
      if (slot.begin == time) {
        return i;
      }
      if (slot.begin < time && time < slot.end) {
        slots.add(i + 1, new Slot(time, slot.end, slot.open.clone()));
        slot.end = time;
        made++;
        return i + 1;
      }
    }
    return -1;
  }
}
