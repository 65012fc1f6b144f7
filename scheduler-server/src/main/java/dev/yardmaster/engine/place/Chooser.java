package dev.yardmaster.engine.place;

import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.FeatureExpression.Count;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes among candidates, as cons_tres does: nodes of the lowest weight first (slurm.conf,
 * Weight), required nodes always, and of the runs of neighbouring nodes the tightest that is large
 * enough.
 */
public final class Chooser {
  private final Hardware hardware;

  public Chooser(Hardware hardware) {
    this.hardware = hardware;
  }

  /**
   * Chooses nodes.
   *
   * @return the chosen nodes, or null when the candidates do not suffice
   */
  @Nullable Choice choose(Shape shape, long[] candidates, Rooms rooms) {
    FeatureExpression prefer = shape.request.prefer();
    if (prefer != null) {
      Choice preferred = among(shape, candidates, rooms, prefer);
      if (preferred != null) {
        return preferred;
      }
    }
    FeatureExpression features = shape.request.features();
    return features == null
        ? byWeight(shape, candidates, rooms, List.of())
        : among(shape, candidates, rooms, features);
  }

  private @Nullable Choice among(
      Shape shape, long[] candidates, Rooms rooms, FeatureExpression features) {
    for (FeatureExpression alternative : features.alternatives()) {
      long[] matching = Bits.of(hardware.size);
      for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
        if (alternative.matches(hardware.features(n))) {
          Bits.add(matching, n);
        }
      }
      Choice chosen = byWeight(shape, matching, rooms, alternative.counts());
      if (chosen != null) {
        return chosen;
      }
    }
    return null;
  }

  private @Nullable Choice byWeight(
      Shape shape, long[] candidates, Rooms rooms, List<Count> counts) {
    if (!Bits.contains(candidates, shape.required)) {
      return null;
    }
    return withCounts(shape, candidates, rooms, counts);
  }

  /** Nodes for counted features ({@code [a*2&b*1]}) are chosen first, count by count. */
  private @Nullable Choice withCounts(
      Shape shape, long[] candidates, Rooms rooms, List<Count> counts) {
    long[] chosen = shape.required.clone();
    long[] allowed = candidates;
    if (!counts.isEmpty()) {
      allowed = chosen.clone();
      for (Count count : counts) {
        int missing = count.nodes();
        for (int n = Bits.next(chosen, 0); n >= 0 && missing > 0; n = Bits.next(chosen, n + 1)) {
          missing -= FeatureExpression.matches(count.term(), hardware.features(n)) ? 1 : 0;
        }
        for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
          if (!Bits.has(chosen, n)
              && FeatureExpression.matches(count.term(), hardware.features(n))) {
            Bits.add(allowed, n);
            if (missing > 0) {
              Bits.add(chosen, n);
              missing--;
            }
          }
        }
        if (missing > 0) {
          return null;
        }
      }
      if (Bits.count(chosen) < shape.minNodes) {
        allowed = candidates;
      }
    }
    return select(shape, allowed, rooms, chosen);
  }

  private @Nullable Choice select(Shape shape, long[] allowed, Rooms rooms, long[] chosen) {
    if (shape.maxNodes == 1) {
      long[] tried = withParts(shape, allowed, rooms);
      return new Selection(hardware, shape, rooms, chosen, 1).first(tried, allowed);
    }
    if (shape.request.spread()) {
      return new Spread(hardware, shape, rooms).choose(allowed, chosen);
    }
    if (shape.serialAtEnd && !shape.leastLoaded) {
      return new Selection(hardware, shape, rooms, chosen, shape.maxNodes).inOrder(allowed, false);
    }
    Wiring wiring = hardware.wiring(shape.topology);
    if (wiring != null && !shape.leastLoaded && !shape.request.contiguous()) {
      return new TreeSearch(hardware, shape, rooms, wiring, chosen).choose(allowed);
    }
    Blocks blocks = hardware.blocks(shape.topology);
    if (blocks != null && shape.minNodes > 1 && !shape.leastLoaded) {
      return new Selection(hardware, shape, rooms, chosen, shape.maxNodes)
          .byBlocks(allowed, blocks);
    }
    boolean free = shape.wantedNodes == shape.minNodes && shape.maxNodes > shape.minNodes;
    if (!free || shape.leastLoaded || shape.request.contiguous()) {
      Selection selection = new Selection(hardware, shape, rooms, chosen, shape.maxNodes);
      return shape.leastLoaded ? selection.byLoad(allowed) : selection.byRuns(allowed);
    }
    return fewest(shape, allowed, rooms, chosen);
  }

  /** With the nodes that have a part of what is counted over a job that runs on one node. */
  private static long[] withParts(Shape shape, long[] allowed, Rooms rooms) {
    if (!shape.gathersOnOneNode() || Bits.isEmpty(rooms.bridges)) {
      return allowed;
    }
    long[] tried = allowed.clone();
    for (int n = Bits.next(rooms.bridges, 0); n >= 0; n = Bits.next(rooms.bridges, n + 1)) {
      if (rooms.jobGres[n] > 0) {
        Bits.add(tried, n);
      }
    }
    return tried;
  }

  /**
   * A job that left the number of nodes open gets the first neighbours that do, and as few as will
   * do when something is counted over the job; where the first nodes do not go together, those that
   * can host least are left out, bit by bit. Nodes that lack nothing but a resource counted over
   * the job stand in the way until then.
   */
  private @Nullable Choice fewest(Shape shape, long[] allowed, Rooms rooms, long[] chosen) {
    int available = Bits.count(allowed);
    long[] all = allowed.clone();
    if (shape.jobGres() > 0) {
      Bits.addAll(all, rooms.bridges);
    }
    int least = shape.jobGres() > 0 ? leastNodes(shape, allowed, rooms) : available;
    for (int most = least; most <= available; most++) {
      long[] rest = all;
      while (rest != null && Bits.count(rest) >= Math.min(most, available)) {
        Choice choice =
            new Selection(hardware, shape, rooms, chosen, Math.min(most, shape.maxNodes))
                .byRuns(rest);
        if (choice != null) {
          return choice;
        }
        rest = withoutSmallest(rest, chosen, rooms);
      }
    }
    return null;
  }

  /** Fewer nodes than this cannot host the shape. */
  private int leastNodes(Shape shape, long[] allowed, Rooms rooms) {
    long[] tasks = new long[Bits.count(allowed)];
    long[] gres = new long[tasks.length];
    int i = 0;
    for (int n = Bits.next(allowed, 0); n >= 0; n = Bits.next(allowed, n + 1)) {
      tasks[i] = rooms.tasks[n];
      gres[i++] = rooms.jobGres[n];
    }
    int least = Math.max(nodesFor(tasks, shape.tasks), nodesFor(gres, shape.jobGres()));
    return Math.max(shape.minNodes, least);
  }

  private static int nodesFor(long[] rooms, long needed) {
    Arrays.sort(rooms);
    long rest = needed;
    int count = 0;
    for (int i = rooms.length - 1; i >= 0 && rest > 0; i--) {
      rest -= rooms[i];
      count++;
    }
    return rest > 0 ? rooms.length + 1 : count;
  }

  private static long @Nullable [] withoutSmallest(long[] nodes, long[] chosen, Rooms rooms) {
    int smallest = Integer.MAX_VALUE;
    int largest = 0;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      if (!Bits.has(chosen, n)) {
        smallest = Math.min(smallest, rooms.tasks[n]);
        largest = Math.max(largest, rooms.tasks[n]);
      }
    }
    if (smallest >= largest) {
      return null;
    }
    long[] rest = nodes.clone();
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      if (!Bits.has(chosen, n) && rooms.tasks[n] == smallest) {
        Bits.remove(rest, n);
      }
    }
    return rest;
  }
}
