package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Placed.Rule;
import java.util.Arrays;
import java.util.Iterator;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes within the blocks of topology/block as Slurm does: in the smallest units that have
 * room for the least number of nodes, of these the one with the lightest nodes, then the fullest;
 * in it weight by weight as many nodes as will do, all of a lesser weight among them, and the rest
 * base block by base block. With {@code --segment} each part of the job is placed so, one after the
 * other.
 */
final class BlockSearch {
  private final Hardware hardware;
  private final Shape shape;
  private final Rooms rooms;
  private final Blocks blocks;
  private final long[] required;
  private final int segments;
  private final boolean inSegments;

  /** The nodes of a segment, or all. */
  private final int nodes;

  private final int together;
  private final int below;

  /** Whether a unit holds more than the smaller units that the nodes fill. */
  private final boolean limited;

  /** What to leave out before the next try. */
  private enum Next {
    NOTHING,
    ALL_OF_THEM,
    LEAST_OF_THEM,
    LEAST
  }

  private Next next = Next.NOTHING;
  private long[] tried;
  private boolean insufficient;

  BlockSearch(Hardware hardware, Shape shape, Rooms rooms, Blocks blocks, long[] chosen) {
    this.hardware = hardware;
    this.shape = shape;
    this.rooms = rooms;
    this.blocks = blocks;
    int segment = shape.request.segment();
    boolean parts = segment > 0 && segment <= shape.minNodes;
    inSegments = inSegments(shape);
    segments = parts && shape.minNodes % segment == 0 ? shape.minNodes / segment : parts ? 0 : 1;
    nodes = parts ? segment : shape.minNodes;
    required = segments > 1 ? Bits.of(hardware.size) : chosen;
    tried = chosen;
    together = blocks.together(nodes);
    below = blocks.togetherBelow(nodes);
    limited = together != below * Math.ceilDiv(nodes, below * blocks.size());
  }

  /**
   * Whether a job is placed by segments where blocks are. Slurm's limit on the CPUs that it takes
   * of a node is none then, so that its tasks are spread evenly.
   */
  static boolean inSegments(Shape shape) {
    int segment = shape.request.segment();
    return segment > 0 && segment <= shape.minNodes && shape.minNodes % segment == 0;
  }

  /** Whether the first try found a unit, but too little in it. */
  boolean lacksResources() {
    return insufficient;
  }

  /**
   * Chooses nodes; null when the candidates do not do.
   *
   * @param named the nodes that must be among them; of a job in segments they must be all
   */
  @Nullable Choice choose(long[] candidates, long[] named) {
    if (segments == 0 || !Bits.contains(blocks.nodes(), named)) {
      return null;
    }
    long[] rest = candidates.clone();
    if (segments > 1 && !Bits.isEmpty(named)) {
      if (Bits.count(named) < shape.minNodes) {
        return null;
      }
      Bits.retain(rest, named);
    }
    for (int tries = 0; ; tries++) {
      Choice choice = attempt(rest);
      insufficient = tries == 0 ? next != Next.NOTHING : insufficient;
      if (choice != null || Bits.count(rest) <= shape.minNodes) {
        return choice;
      }
      int least = next == Next.LEAST ? least(rest) : next == Next.LEAST_OF_THEM ? least(tried) : -1;
      if (next == Next.ALL_OF_THEM) {
        Bits.removeAll(rest, tried);
      } else if (least < 0) {
        return null;
      } else {
        Bits.remove(rest, least);
      }
    }
  }

  private int least(long[] of) {
    int least = -1;
    for (int n = Bits.next(of, 0); n >= 0; n = Bits.next(of, n + 1)) {
      boolean less = least < 0 || room(n) < room(least);
      least = !Bits.has(required, n) && less ? n : least;
    }
    return least;
  }

  private long room(int node) {
    return (long) rooms.cpus[node] * (shape.asksForGpus() ? rooms.gpus[node] : 1);
  }

  private <T> @Nullable T failed(Next leaveOut, long[] of) {
    next = leaveOut;
    tried = of;
    return null;
  }

  private @Nullable Choice attempt(long[] candidates) {
    long[] open = candidates.clone();
    long[] taken = Bits.of(hardware.size);
    Selection all = new Selection(hardware, shape, rooms, taken, shape.mostNodes);
    all.want(shape.minNodes);
    all.foundBy(Rule.BLOCKS);
    if (inSegments) {
      all.offerAll();
    }
    long gres = shape.jobGres();
    for (int part = 0; part < segments; part++) {
      boolean consolidated = segments > 1 && shape.request.consolidateSegments();
      if (consolidated && part == 0) {
        keepTogether(open);
      }
      Selection selection =
          new Selection(hardware, shape, rooms, required, shape.mostNodes / segments);
      if (inSegments) {
        selection.ask(nodes, shape.minCpus / segments, gres);
      } else {
        selection.want(nodes);
      }
      boolean[] used = new boolean[blocks.base().size()];
      if (!place(open, selection, used)) {
        Bits.addAll(tried, taken);
        return null;
      }
      gres = selection.gres();
      long[] chosen = selection.chosen();
      selection.inTurn().forEach(all::take);
      Bits.addAll(taken, chosen);
      for (int b = 0; b < used.length; b++) {
        if (used[b] && shape.request.spreadSegments()) {
          Bits.removeAll(open, blocks.base().get(b));
        }
      }
      if (consolidated && part == 0) {
        Bits.retain(open, unit(chosen, around()));
      }
      Bits.removeAll(open, chosen);
    }
    Choice choice = all.choice();
    return choice == null ? failed(Next.LEAST_OF_THEM, taken) : choice;
  }

  /** How many base blocks hold all segments of a job that wants them near each other. */
  private int around() {
    int room =
        shape.request.spreadSegments()
            ? Math.ceilDiv(nodes, blocks.size()) * blocks.size() * segments
            : shape.minNodes;
    return Math.max(together, blocks.together(room));
  }

  /** Leaves only the units with room for all segments. */
  private void keepTogether(long[] open) {
    int count = around();
    for (int first = 0; first < blocks.base().size(); first += count) {
      long[] unit = unit(first, count);
      if (Bits.countCommon(unit, open) < shape.minNodes) {
        Bits.removeAll(open, unit);
      }
    }
  }

  /** The base blocks from one on, together. */
  private long[] unit(int first, int count) {
    long[] unit = Bits.of(hardware.size);
    int end = Math.min(blocks.base().size(), first + count);
    blocks.base().subList(first, end).forEach(b -> Bits.addAll(unit, b));
    return unit;
  }

  /** The unit of so many base blocks in which nodes lie. */
  private long[] unit(long[] of, int count) {
    for (int first = 0; first < blocks.base().size(); first += count) {
      long[] unit = unit(first, count);
      if (Bits.countCommon(unit, of) > 0) {
        return unit;
      }
    }
    return blocks.nodes();
  }

  /** Places a job or a segment of it; false when it does not fit. */
  private boolean place(long[] open, Selection selection, boolean[] used) {
    int first = bestUnit(open, selection);
    if (first < 0 || !Bits.contains(unit(first, together), required)) {
      failed(Next.NOTHING, open);
      return false;
    }
    if (!Bits.isEmpty(required) && (selection.satisfied() || selection.most() <= 0)) {
      failed(Next.NOTHING, open);
      return selection.satisfied();
    }
    long[] unit = Bits.common(unit(first, together), open);
    long[] best = Bits.of(hardware.size);
    long[] lighter = best;
    boolean sufficient = false;
    boolean enough = false;
    for (Iterator<long[]> i = levels(open).iterator(); i.hasNext() && !enough; ) {
      lighter = best.clone();
      Bits.addAll(best, Bits.common(i.next(), unit));
      boolean room = sum(best, n -> rooms.cpus[n]) >= selection.cpus();
      room &= sum(best, n -> rooms.jobGres[n]) >= selection.gres();
      sufficient |= room && Bits.count(best) >= selection.wanted() - slack();
      enough = room && Bits.count(best) >= selection.wanted();
    }
    if (!sufficient) {
      failed(Next.LEAST, open);
      return false;
    }
    return new BlockFill(blocks, selection, first, together, below, limited, used)
            .fill(best, lighter, required)
        || selection.isEnough()
        || fails(selection);
  }

  private boolean fails(Selection selection) {
    failed(Next.LEAST_OF_THEM, selection.chosen());
    return false;
  }

  /** By how many nodes a job that wants more than its least may miss those it wants. */
  private int slack() {
    return Math.max(0, shape.wantedNodes / segments - shape.minNodes);
  }

  /** The first base block of the unit to place a job in; -1 when none has room. */
  private int bestUnit(long[] open, Selection selection) {
    int best = -1;
    int lightest = 0;
    int fewest = 0;
    for (int first = 0; first < blocks.base().size(); first += together) {
      long[] unit = Bits.common(unit(first, together), open);
      if (!Bits.isEmpty(required)) {
        if (Bits.countCommon(unit(first, together), required) > 0) {
          return first;
        }
        continue;
      }
      int count = Bits.count(unit);
      if (count == 0
          || room(first, open) < selection.wanted() - slack()
          || sum(unit, n -> rooms.cpus[n]) < selection.cpus()) {
        continue;
      }
      int weight = lightest(unit);
      if (best < 0 || weight < lightest || (weight == lightest && count <= fewest)) {
        best = first;
        lightest = weight;
        fewest = count;
      }
    }
    return best;
  }

  /**
   * The open nodes of a unit that lie in no more smaller units than the job has to fill; a last one
   * that is not whole does not count, as in Slurm.
   */
  private int room(int first, long[] open) {
    if (!limited) {
      return Bits.countCommon(unit(first, together), open);
    }
    int end = Math.min(blocks.base().size(), first + together);
    int[] smaller = new int[Math.min(together / below, Math.ceilDiv(end - first, below))];
    for (int i = 0; i < smaller.length; i++) {
      int from = first + i * below;
      smaller[i] = Bits.countCommon(unit(from, Math.min(below, end - from)), open);
    }
    Arrays.sort(smaller);
    int most = Math.min(smaller.length, Math.ceilDiv(nodes, below * blocks.size()));
    int room = 0;
    for (int i = 1; i <= most; i++) {
      room += smaller[smaller.length - i];
    }
    return room;
  }

  private int lightest(long[] of) {
    int lightest = Integer.MAX_VALUE;
    for (int n = Bits.next(of, 0); n >= 0; n = Bits.next(of, n + 1)) {
      lightest = Math.min(lightest, rooms.weight[n]);
    }
    return lightest;
  }

  /** The nodes by their weight, the lightest first, without those that are required. */
  private Iterable<long[]> levels(long[] of) {
    TreeMap<Integer, long[]> levels = new TreeMap<>();
    for (int n = Bits.next(of, 0); n >= 0; n = Bits.next(of, n + 1)) {
      long[] level = levels.computeIfAbsent(rooms.weight[n], w -> Bits.of(hardware.size));
      if (!Bits.has(required, n)) {
        Bits.add(level, n);
      }
    }
    return levels.values();
  }

  private static long sum(long[] of, IntToLongFunction amount) {
    long sum = 0;
    for (int n = Bits.next(of, 0); n >= 0; n = Bits.next(of, n + 1)) {
      sum += amount.applyAsLong(n);
    }
    return sum;
  }
}
