package dev.yardmaster.engine.place;

import java.util.Arrays;
import java.util.List;

/**
 * Runs of neighbouring candidate nodes with equal weight. Preferred is a run that touches a chosen
 * node, where it is enough or none is, then lower weight, then one that is large enough, then the
 * tightest: neighbours by their CPUs, the leaves of a tree by their number of nodes.
 */
final class Runs {
  /** Says whether a run would complete the selection. */
  interface Sufficient {
    boolean test(Runs runs, int run);
  }

  private int count;
  private int[] start = new int[8];
  private int[] end = new int[8];
  private int[] nodes = new int[8];
  private long[] cpus = new long[8];
  private long[] gres = new long[8];
  private int[] weight = new int[8];
  private int[] chosenAt = new int[8];

  private int[] groupOf = new int[0];

  private Runs() {}

  /**
   * Runs of neighbours: adjacent candidates of equal weight.
   *
   * @param contiguous whether neighbours are what matters, so that weights do not divide them
   *     (sbatch(1), {@code --contiguous}); as in Slurm a run then weighs what its last node does
   */
  static Runs ofNeighbours(
      Hardware hardware, long[] candidates, long[] chosen, Rooms rooms, boolean contiguous) {
    Runs runs = new Runs();
    boolean open = false;
    for (int n = 0; n < hardware.size; n++) {
      int word = n >> 6;
      if (!open && (n & 63) == 0 && (candidates[word] | chosen[word]) == 0) {
        n += 63;
        continue;
      }
      if (!Bits.has(candidates, n) && !Bits.has(chosen, n)) {
        open &= Bits.has(rooms.bridges, n);
        continue;
      }
      int w = rooms.weight[n];
      if (!open || !contiguous && runs.weight[runs.count - 1] != w) {
        runs.begin(n, w);
        open = true;
      } else if (!Bits.has(chosen, n)) {
        runs.weight[runs.count - 1] = w;
      }
      runs.extend(runs.count - 1, n, chosen, rooms);
    }
    return runs;
  }

  /** One run per group, for example the leaves of a tree. */
  static Runs ofGroups(
      List<long[]> groups, Hardware hardware, long[] candidates, long[] chosen, Rooms rooms) {
    Runs runs = new Runs();
    runs.groupOf = new int[hardware.size];
    Arrays.fill(runs.groupOf, -1);
    for (long[] group : groups) {
      boolean open = false;
      for (int n = Bits.next(group, 0); n >= 0; n = Bits.next(group, n + 1)) {
        if (Bits.has(candidates, n) || Bits.has(chosen, n)) {
          int w = rooms.weight[n];
          if (!open) {
            runs.begin(n, w);
            open = true;
          }
          if (!Bits.has(chosen, n)) {
            runs.weight[runs.count - 1] = Math.min(runs.weight[runs.count - 1], w);
          }
          runs.groupOf[n] = runs.count - 1;
          runs.extend(runs.count - 1, n, chosen, rooms);
        }
      }
    }
    return runs;
  }

  private void extend(int run, int node, long[] chosen, Rooms rooms) {
    end[run] = node;
    if (Bits.has(chosen, node)) {
      chosenAt[run] = chosenAt[run] < 0 ? node : chosenAt[run];
    } else {
      nodes[run]++;
      cpus[run] += rooms.cpus[node];
      gres[run] += rooms.jobGres[node];
    }
  }

  /** Whether a node between the ends of a run belongs to it. */
  boolean contains(int run, int node) {
    return groupOf.length == 0 || groupOf[node] == run;
  }

  private void begin(int node, int w) {
    if (count == start.length) {
      int size = count * 2;
      start = Arrays.copyOf(start, size);
      end = Arrays.copyOf(end, size);
      nodes = Arrays.copyOf(nodes, size);
      cpus = Arrays.copyOf(cpus, size);
      gres = Arrays.copyOf(gres, size);
      weight = Arrays.copyOf(weight, size);
      chosenAt = Arrays.copyOf(chosenAt, size);
    }
    start[count] = node;
    weight[count] = w;
    chosenAt[count] = -1;
    count++;
  }

  /** The run to take nodes from next, or -1 when none is left. */
  int best(Sufficient sufficient, boolean contiguous, boolean anyChosen) {
    int best = -1;
    boolean bestEnough = false;
    for (int i = 0; i < count; i++) {
      if (nodes[i] == 0 || (contiguous && anyChosen && chosenAt[i] < 0)) {
        continue;
      }
      boolean enough = sufficient.test(this, i);
      boolean better =
          best < 0
              || (chosenAt[best] < 0 && chosenAt[i] >= 0)
              || weight[i] < weight[best]
              || (weight[i] == weight[best] && tighter(i, enough, best, bestEnough))
              || (contiguous && enough && !bestEnough);
      if (better) {
        best = i;
        bestEnough = enough;
      }
    }
    return best;
  }

  /**
   * Of runs of one weight, whether another is better. As in Slurm neighbours that are enough are
   * better than fewer beside a chosen node.
   */
  private boolean tighter(int i, boolean enough, int best, boolean bestEnough) {
    if (groupOf.length == 0) {
      return enough ? !bestEnough || cpus[i] < cpus[best] : !bestEnough && cpus[i] > cpus[best];
    }
    if (chosenAt[best] >= 0 && chosenAt[i] < 0) {
      return false;
    }
    return enough ? !bestEnough || nodes[i] < nodes[best] : !bestEnough && nodes[i] > nodes[best];
  }

  void drop(int run) {
    nodes[run] = 0;
  }

  int start(int run) {
    return start[run];
  }

  int end(int run) {
    return end[run];
  }

  /** A node of the run that is chosen already, or -1. */
  int firstChosen(int run) {
    return chosenAt[run];
  }

  int nodes(int run) {
    return nodes[run];
  }

  long cpus(int run) {
    return cpus[run];
  }

  long gres(int run) {
    return gres[run];
  }
}
