package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Placed.Rule;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.FeatureExpression.Count;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Chooses nodes among candidates, as cons_tres does: nodes of the lowest weight first (slurm.conf,
 * Weight), required nodes always, and of the runs of neighbouring nodes the tightest that is large
 * enough.
 */
public final class Chooser {
  private final Hardware hardware;

  /** Whether the last choice among blocks failed for what a unit has rather than for its nodes. */
  private boolean unitLacksResources;

  public Chooser(Hardware hardware) {
    this.hardware = hardware;
  }

  private long @Nullable [] idle;

  /** Takes nodes in order of their weight, these last among equal ones; null ends it. */
  void preferBusy(long @Nullable [] nodes) {
    idle = nodes;
  }

  boolean unitLacksResources() {
    return unitLacksResources;
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
    return counts.isEmpty()
        ? select(shape, candidates, rooms, shape.required.clone())
        : new CountedFeatures(hardware, shape, rooms, this::select).choose(candidates, counts);
  }

  private @Nullable Choice select(Shape shape, long[] allowed, Rooms rooms, long[] chosen) {
    if (shape.mostNodes == 1 && !shape.linear) {
      long[] tried = withParts(shape, allowed, rooms);
      return new Selection(hardware, shape, rooms, chosen, 1).first(tried, allowed);
    }
    Units units = hardware.units(shape.topology);
    if (units != null && !shape.linear && units.covers(allowed)) {
      return byUnits(units, shape, allowed, rooms, chosen);
    }
    Blocks blocks = hardware.blocks(shape.topology);
    if (blocks != null && Bits.countCommon(blocks.nodes(), allowed) > 0) {
      BlockSearch search = new BlockSearch(hardware, shape, rooms, blocks, chosen);
      Choice choice = search.choose(allowed, chosen);
      unitLacksResources = search.lacksResources();
      return choice;
    }
    if (shape.spread) {
      return new Spread(hardware, shape, rooms).choose(allowed, chosen);
    }
    long[] last = idle;
    if (last != null && !shape.request.contiguous()) {
      return new Selection(hardware, shape, rooms, chosen, shape.mostNodes)
          .busyFirst(allowed, last);
    }
    if (shape.serialAtEnd && !shape.leastLoaded) {
      return new Selection(hardware, shape, rooms, chosen, shape.mostNodes).inOrder(allowed, false);
    }
    Wiring wiring = hardware.wiring(shape.topology);
    if (wiring != null && !shape.leastLoaded && !shape.request.contiguous()) {
      return new TreeSearch(hardware, shape, rooms, wiring, chosen).choose(allowed);
    }
    long[] all = allowed.clone();
    if (shape.jobGres() > 0) {
      Bits.addAll(all, rooms.bridges);
    }
    Choice choice = attempt(shape, all, rooms, chosen);
    if (choice != null || shape.linear || shape.request.contiguous()) {
      return choice;
    }
    return mayFit(shape, allowed, rooms) ? withoutSmall(shape, all, rooms, chosen) : null;
  }

  private @Nullable Choice attempt(Shape shape, long[] allowed, Rooms rooms, long[] chosen) {
    Selection selection = new Selection(hardware, shape, rooms, chosen, shape.mostNodes);
    return shape.leastLoaded ? selection.byLoad(allowed) : selection.byRuns(allowed);
  }

  /**
   * Where the nodes do not go together as they are, those that offer least are left out, one after
   * the other. Nodes that lack nothing but a resource counted over the job stand in the way until
   * then.
   */
  private @Nullable Choice withoutSmall(Shape shape, long[] all, Rooms rooms, long[] chosen) {
    long[] rest = all.clone();
    List<Integer> nodes = new ArrayList<>();
    for (int n = Bits.next(all, 0); n >= 0; n = Bits.next(all, n + 1)) {
      if (!Bits.has(chosen, n)) {
        nodes.add(n);
      }
    }
    nodes.sort(Comparator.comparingLong(n -> product(shape, rooms, n)));
    int left = Bits.count(all);
    for (int n : nodes) {
      if (left-- <= shape.minNodes) {
        return null;
      }
      Bits.remove(rest, n);
      Choice choice = attempt(shape, rest, rooms, chosen);
      if (choice != null) {
        return choice;
      }
    }
    return null;
  }

  private static long product(Shape shape, Rooms rooms, int node) {
    return (long) rooms.cpus[node] * (shape.asksForGpus() ? rooms.gpus[node] : 1);
  }

  /** A job that names nodes must name all that it needs; rings and tori choose nothing beside. */
  private @Nullable Choice byUnits(
      Units units, Shape shape, long[] allowed, Rooms rooms, long[] chosen) {
    long[] rest = Bits.isEmpty(chosen) || units instanceof Tori ? allowed.clone() : chosen.clone();
    while (Bits.count(rest) >= shape.minNodes) {
      int[] nodes = units.choose(shape, rest, rooms);
      if (nodes == null) {
        return null;
      }
      Selection selection =
          new Selection(hardware, shape, rooms, Bits.of(hardware.size), shape.mostNodes);
      selection.want(shape.minNodes);
      selection.foundBy(units instanceof Rings ? Rule.RING : Rule.TORUS);
      for (int n : nodes) {
        selection.take(n);
      }
      Choice choice = selection.choice();
      if (choice != null) {
        return choice;
      }
      int least = nodes[0];
      for (int n : nodes) {
        least = product(shape, rooms, n) < product(shape, rooms, least) ? n : least;
      }
      Bits.remove(rest, least);
    }
    return null;
  }

  /** With the nodes that have a part of what is counted over a job that runs on one node. */
  static long[] withParts(Shape shape, long[] allowed, Rooms rooms) {
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

  /** Whether the largest nodes together could host the shape. */
  private boolean mayFit(Shape shape, long[] allowed, Rooms rooms) {
    int available = Bits.count(allowed);
    long[] cpus = new long[available];
    long[] gres = new long[available];
    int i = 0;
    for (int n = Bits.next(allowed, 0); n >= 0; n = Bits.next(allowed, n + 1)) {
      cpus[i] = rooms.cpus[n];
      gres[i++] = rooms.jobGres[n];
    }
    int most = Math.min(available, shape.mostNodes);
    return available > shape.minNodes
        && nodesFor(cpus, shape.minCpus) <= most
        && nodesFor(gres, shape.jobGres()) <= most;
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
}
