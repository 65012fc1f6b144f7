package dev.yardmaster.engine.place;

import dev.yardmaster.model.Topology;
import dev.yardmaster.model.Topology.Triple;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The tori of topology/torus3d, compiled: for each shape of box the places where one may begin,
 * with the nodes of the box there. A job of several nodes gets a whole box of as many nodes: of the
 * least weight, then, of boxes of one shape, one that breaks fewest open boxes of the next larger
 * shape, then in the torus with fewest open nodes, then the first. With {@code --segment} each
 * segment is a box.
 */
final class Tori implements Units {
  /** A shape of boxes of one torus; only boxes of which every place has a node count. */
  private record Kind(int torus, long size, List<long[]> boxes) {}

  private record Found(Kind kind, long[] nodes, long weight, int open) {}

  private final List<long[]> sets;

  /** Torus by torus, small boxes first. */
  private final List<Kind> kinds;

  private Tori(List<long[]> sets, List<Kind> kinds) {
    this.sets = sets;
    this.kinds = kinds;
  }

  static @Nullable Tori of(Topology topology, Hardware hardware) {
    if (!(topology instanceof Topology.Torus torus)) {
      return null;
    }
    List<long[]> sets = new ArrayList<>();
    List<Kind> kinds = new ArrayList<>();
    for (Topology.TorusUnit unit : torus.tori()) {
      List<Topology.Box> boxes = new ArrayList<>(unit.boxes());
      boxes.sort(Comparator.comparingLong(box -> box.size().product()));
      for (Topology.Box box : boxes) {
        kinds.add(new Kind(sets.size(), box.size().product(), boxes(unit, box, hardware)));
      }
      sets.add(hardware.setOf(unit.cells()));
    }
    return new Tori(List.copyOf(sets), List.copyOf(kinds));
  }

  private static List<long[]> boxes(Topology.TorusUnit unit, Topology.Box box, Hardware hardware) {
    Triple size = unit.size();
    List<long[]> boxes = new ArrayList<>();
    for (int x : starts(box.seed().x(), box.spacing().x(), size.x())) {
      for (int y : starts(box.seed().y(), box.spacing().y(), size.y())) {
        for (int z : starts(box.seed().z(), box.spacing().z(), size.z())) {
          long[] nodes = at(unit, box.size(), new Triple(x, y, z), hardware);
          if (Bits.count(nodes) == box.size().product()) {
            boxes.add(nodes);
          }
        }
      }
    }
    return boxes;
  }

  /** Steps along an axis until one comes back to where it began. */
  private static int[] starts(int seed, int step, int length) {
    return IntStream.iterate((seed + step) % length, at -> at != seed, at -> (at + step) % length)
        .boxed()
        .collect(() -> new ArrayList<>(List.of(seed)), ArrayList::add, ArrayList::addAll)
        .stream()
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static long[] at(Topology.TorusUnit unit, Triple box, Triple from, Hardware hardware) {
    Triple size = unit.size();
    List<String> names = new ArrayList<>();
    for (int z = 0; z < box.z(); z++) {
      for (int y = 0; y < box.y(); y++) {
        for (int x = 0; x < box.x(); x++) {
          int row = (from.y() + y) % size.y() + size.y() * ((from.z() + z) % size.z());
          names.add(unit.cells().get((from.x() + x) % size.x() + size.x() * row));
        }
      }
    }
    return hardware.setOf(names);
  }

  @Override
  public List<long[]> sets() {
    return sets;
  }

  @Override
  public boolean covers(long[] nodes) {
    return kinds.stream().anyMatch(kind -> Bits.countCommon(sets.get(kind.torus), nodes) > 0);
  }

  @Override
  public boolean haveForm(Shape shape) {
    int segment = shape.request.segment();
    int size = segment > 0 && segment <= shape.minNodes ? segment : shape.minNodes;
    boolean named =
        size == shape.minNodes || shape.requiredCount == 0 || shape.requiredCount >= shape.minNodes;
    return named && kinds.stream().anyMatch(kind -> kind.size == size);
  }

  @Override
  public int @Nullable [] choose(Shape shape, long[] candidates, Rooms rooms) {
    int segment = shape.request.segment();
    boolean parts = segment > 0 && segment <= shape.minNodes;
    if (parts && shape.minNodes % segment != 0) {
      return null;
    }
    int size = parts ? segment : shape.minNodes;
    long[] open = candidates.clone();
    int[] nodes = new int[shape.minNodes];
    for (int taken = 0; taken < nodes.length; ) {
      Found best = best(shape, size, open, rooms);
      if (best == null) {
        return null;
      }
      for (int n = Bits.next(best.nodes, 0); n >= 0; n = Bits.next(best.nodes, n + 1)) {
        nodes[taken++] = n;
      }
      Bits.removeAll(open, best.nodes);
    }
    return nodes;
  }

  private @Nullable Found best(Shape shape, int size, long[] open, Rooms rooms) {
    boolean whole = size == shape.minNodes;
    Found best = null;
    for (Kind kind : kinds) {
      if (kind.size != size) {
        continue;
      }
      int idle = Bits.countCommon(sets.get(kind.torus), open);
      for (long[] box : kind.boxes) {
        boolean fits = Bits.contains(open, box) && (!whole || Bits.contains(box, shape.required));
        Found found = fits ? found(kind, box, idle, shape, rooms) : null;
        if (found != null && (best == null || isBetter(found, best, open))) {
          best = found;
        }
      }
    }
    return best;
  }

  private static @Nullable Found found(Kind kind, long[] box, int idle, Shape shape, Rooms rooms) {
    long weight = 0;
    long gres = 0;
    for (int n = Bits.next(box, 0); n >= 0; n = Bits.next(box, n + 1)) {
      if (rooms.cpus[n] <= 0) {
        return null;
      }
      weight = Math.max(weight, rooms.weight[n]);
      gres += rooms.jobGres[n];
    }
    return gres >= shape.jobGres() ? new Found(kind, box, weight, idle) : null;
  }

  private boolean isBetter(Found found, Found best, long[] open) {
    if (found.weight != best.weight) {
      return found.weight < best.weight;
    }
    if (found.kind == best.kind) {
      int broken = broken(found, open);
      int brokenByBest = broken(best, open);
      if (broken != brokenByBest) {
        return broken < brokenByBest;
      }
    }
    return found.open < best.open;
  }

  /** Open boxes of the next larger shape that would not be open any more. */
  private int broken(Found found, long[] open) {
    for (Kind kind : kinds) {
      if (kind.torus == found.kind.torus && kind.size > found.kind.size) {
        return (int)
            kind.boxes.stream()
                .filter(box -> Bits.countCommon(box, found.nodes) > 0 && Bits.contains(open, box))
                .count();
      }
    }
    return 0;
  }
}
