package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Placed.Rule;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes below the switches of topology/tree as Slurm does: weight by weight as many nodes
 * as will do, all of a lesser weight among them; then the rest leaf by leaf, from leaves with
 * chosen nodes first, then those near to them, and of equally near ones the tightest that completes
 * the job, else the largest.
 */
final class TreeSearch {
  private final Hardware hardware;
  private final Shape shape;
  private final Rooms rooms;
  private final Wiring wiring;
  private final List<Wiring.Unit> units;
  private final long[] required;

  /** Nodes that a try which failed was about: to be left out, or the least of them. */
  private long[] tried;

  private boolean leaveOutAll;

  /**
   * The CPUs of each node as far as it is known: all that are free, until a try has looked at what
   * the job could use of them.
   */
  private int[] known;

  TreeSearch(Hardware hardware, Shape shape, Rooms rooms, Wiring wiring, long[] required) {
    this.hardware = hardware;
    this.shape = shape;
    this.rooms = rooms;
    this.wiring = wiring;
    this.required = required;
    units = wiring.units();
    known = rooms.freeCpus;
    tried = required;
  }

  /** Chooses nodes; null when the candidates do not do. */
  @Nullable Choice choose(long[] candidates) {
    int wanted = shape.wantedNodes;
    Choice choice = null;
    for (int number = wanted; number >= shape.minNodes; number--) {
      choice = withSomeLeftOut(candidates, number);
      if (choice == null || isNear(choice)) {
        return choice;
      }
    }
    return null;
  }

  private boolean isNear(Choice choice) {
    int switches = shape.request.switches();
    return switches <= 0 || wiring.leavesOf(choice.nodes()) <= switches;
  }

  /** Where the first nodes do not go together, those that can host least are left out in turn. */
  private @Nullable Choice withSomeLeftOut(long[] candidates, int number) {
    long[] rest = candidates.clone();
    known = rooms.freeCpus.clone();
    Choice choice = attempt(rest, number);
    while (choice == null && Bits.count(rest) > shape.minNodes) {
      if (leaveOutAll) {
        Bits.removeAll(rest, tried);
      } else {
        int smallest = smallest();
        if (smallest < 0) {
          return null;
        }
        Bits.remove(rest, smallest);
      }
      choice = attempt(rest, number);
    }
    return choice;
  }

  private int smallest() {
    int smallest = -1;
    for (int n = Bits.next(tried, 0); n >= 0; n = Bits.next(tried, n + 1)) {
      boolean less = smallest < 0 || room(n) < room(smallest);
      smallest = !Bits.has(required, n) && less ? n : smallest;
    }
    return smallest;
  }

  private long room(int node) {
    return (long) rooms.freeCpus[node] * (shape.asksForGpus() ? rooms.gpus[node] : 1);
  }

  private @Nullable Choice failed(long[] nodes, boolean all) {
    tried = nodes;
    leaveOutAll = all;
    return null;
  }

  private @Nullable Choice attempt(long[] candidates, int number) {
    Selection selection = new Selection(hardware, shape, rooms, required, shape.mostNodes);
    selection.want(number);
    selection.foundBy(Rule.TREE);
    int[] before = known.clone();
    int top = top(candidates, selection);
    if (top < 0) {
      return failed(candidates, true);
    }
    if (selection.satisfied()) {
      return selection.choice();
    }
    if (selection.most() <= 0) {
      return failed(candidates, true);
    }
    long[] below = Bits.common(candidates, units.get(top).nodes());
    long[] left = below.clone();
    Bits.removeAll(left, required);
    long[] best = Bits.of(hardware.size);
    long[] lighter = best;
    boolean sufficient = false;
    boolean enough = false;
    for (long[] level : levels(left)) {
      lighter = best.clone();
      Bits.addAll(best, level);
      for (int n = Bits.next(level, 0); n >= 0; n = Bits.next(level, n + 1)) {
        known[n] = rooms.cpus[n];
      }
      boolean room = cpus(best) >= selection.cpus() && gres(best) >= selection.gres();
      int count = Bits.count(best);
      sufficient |= room && count >= Math.min(selection.wanted(), selection.least());
      enough = room && count >= selection.wanted();
      if (enough) {
        break;
      }
    }
    return sufficient ? fill(selection, best, lighter, candidates, before) : failed(below, true);
  }

  private @Nullable Choice fill(
      Selection selection, long[] best, long[] lighter, long[] candidates, int[] before) {
    for (int n = Bits.next(lighter, 0);
        n >= 0 && selection.most() > 0;
        n = Bits.next(lighter, n + 1)) {
      selection.take(n);
    }
    if (selection.satisfied()) {
      return selection.choice();
    }
    if (selection.most() <= 0) {
      return failed(selection.chosen(), false);
    }
    Bits.addAll(best, selection.chosen());
    long[] open = below(best, n -> 1);
    long[] taken = below(selection.chosen(), n -> 1);
    long[] room = below(candidates, n -> before[n]);
    int[] distance = new int[open.length];
    int first = Bits.count(selection.chosen());
    for (int i = 0; i < open.length; i++) {
      if (taken[i] > 0) {
        addDistance(distance, i);
        if (units.get(i).level() == 0) {
          if (fillLeaf(selection, i, best)) {
            return filled(selection);
          }
          close(open, i, Bits.count(selection.chosen()) - first);
        }
      }
    }
    int leaf = bestLeaf(selection, open, taken, distance, room);
    while (leaf >= 0) {
      addDistance(distance, leaf);
      if (fillLeaf(selection, leaf, best)) {
        return filled(selection);
      }
      close(open, leaf, open[leaf]);
      open[leaf] = 0;
      leaf = bestLeaf(selection, open, taken, distance, room);
    }
    Choice choice = selection.choice();
    return choice == null ? failed(selection.chosen(), false) : choice;
  }

  private @Nullable Choice filled(Selection selection) {
    return selection.satisfied() ? selection.choice() : failed(selection.chosen(), false);
  }

  /** Takes nodes of a leaf until all is there, or no more may be taken. */
  private boolean fillLeaf(Selection selection, int leaf, long[] best) {
    long[] nodes = Bits.common(units.get(leaf).nodes(), best);
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      if (!Bits.has(selection.chosen(), n)) {
        selection.take(n);
        if (selection.satisfied() || selection.most() <= 0) {
          return true;
        }
      }
    }
    return false;
  }

  private void addDistance(int[] distance, int unit) {
    for (int i = 0; i < distance.length; i++) {
      distance[i] = Math.min(Wiring.APART, distance[i] + wiring.distance(unit, i));
    }
  }

  private void close(long[] open, int unit, long nodes) {
    for (int i = unit; i >= 0; i = wiring.parent(i)) {
      open[i] = Math.max(0, open[i] - nodes);
    }
  }

  private int bestLeaf(
      Selection selection, long[] open, long[] taken, int[] distance, long[] room) {
    int best = -1;
    for (int i = 0; i < open.length; i++) {
      if (taken[i] > 0 || units.get(i).level() > 0 || open[i] == 0 || distance[i] >= Wiring.APART) {
        continue;
      }
      if (best < 0) {
        best = i;
        continue;
      }
      int order = compare(i, best, selection, open, room);
      boolean nearer = distance[i] < distance[best] && (order & FITS) != 0;
      boolean better = distance[i] == distance[best] && (order & BETTER) != 0;
      best = nearer || better ? i : best;
    }
    return best;
  }

  private static final int FITS = 1;
  private static final int BETTER = 2;

  /**
   * Compares two leaves, and where neither completes the job what is above them.
   *
   * @return {@link #FITS} when the first does, and {@link #BETTER} when it is to be preferred
   */
  private int compare(int a, int b, Selection selection, long[] open, long[] room) {
    int i = a;
    int j = b;
    while (true) {
      boolean fits = open[i] >= selection.wanted() && room[i] >= selection.cpus();
      boolean other = open[j] >= selection.wanted() && room[j] >= selection.cpus();
      if (fits && (!other || open[i] < open[j])) {
        return FITS | BETTER;
      }
      if (other && (!fits || open[i] > open[j])) {
        return fits ? FITS : 0;
      }
      int aboveFirst = wiring.parent(i);
      int aboveSecond = wiring.parent(j);
      if (fits || aboveFirst == aboveSecond || aboveFirst < 0 || aboveSecond < 0) {
        boolean better =
            open[i] > open[j]
                || (open[i] == open[j] && units.get(i).level() < units.get(j).level());
        return (fits ? FITS : 0) | (better ? BETTER : 0);
      }
      i = aboveFirst;
      j = aboveSecond;
    }
  }

  /**
   * The switch below which all nodes are to be: the highest that reaches the required ones, else of
   * those with enough the highest with nodes of the least weight, of equal ones the last; -1 for
   * none.
   */
  private int top(long[] candidates, Selection selection) {
    int top = -1;
    int lightest = 0;
    boolean requires = !Bits.isEmpty(required);
    long[] count = below(candidates, n -> 1);
    long[] room = below(candidates, n -> known[n]);
    for (int i = 0; i < units.size(); i++) {
      Wiring.Unit unit = units.get(i);
      if (requires) {
        boolean reaches = Bits.countCommon(unit.nodes(), required) > 0;
        top = reaches && (top < 0 || unit.level() > units.get(top).level()) ? i : top;
        continue;
      }
      boolean higher = top < 0 || unit.level() >= units.get(top).level();
      int number = Math.min(selection.wanted(), selection.least());
      if (higher && count[i] >= number && room[i] >= selection.cpus()) {
        int weight = lightest(Bits.common(candidates, unit.nodes()));
        if (top < 0 || weight <= lightest) {
          top = i;
          lightest = weight;
        }
      }
    }
    return top >= 0 && Bits.contains(units.get(top).nodes(), required) ? top : -1;
  }

  /** For each switch the sum over the nodes of a set below it. */
  private long[] below(long[] nodes, IntUnaryOperator of) {
    long[] sums = new long[units.size()];
    for (int i = 0; i < sums.length; i++) {
      long[] own = units.get(i).own();
      long sum = 0;
      for (int n = Bits.next(own, 0); n >= 0; n = Bits.next(own, n + 1)) {
        sum += Bits.has(nodes, n) ? of.applyAsInt(n) : 0;
      }
      close(sums, i, -sum);
    }
    return sums;
  }

  private int lightest(long[] nodes) {
    int lightest = Integer.MAX_VALUE;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      lightest = Math.min(lightest, rooms.weight[n]);
    }
    return lightest;
  }

  /** The nodes by their weight, the lightest first. */
  private Iterable<long[]> levels(long[] nodes) {
    TreeMap<Integer, long[]> levels = new TreeMap<>();
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      Bits.add(levels.computeIfAbsent(rooms.weight[n], w -> Bits.of(hardware.size)), n);
    }
    return levels.values();
  }

  private long cpus(long[] nodes) {
    long sum = 0;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      sum += rooms.cpus[n];
    }
    return sum;
  }

  private long gres(long[] nodes) {
    long sum = 0;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      sum += rooms.jobGres[n];
    }
    return sum;
  }
}
