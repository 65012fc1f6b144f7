package dev.yardmaster.engine.place;

import dev.yardmaster.model.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rings of topology/ring, compiled. A job of several nodes gets neighbours of one ring: of the
 * least weight, then in the ring with fewest open nodes, then the first. With {@code --segment}
 * each segment lies in a ring of its own.
 */
final class Rings implements Units {
  /** By ring, its nodes in their order. */
  private final List<int[]> rings;

  private final List<long[]> sets;

  private Rings(List<int[]> rings, List<long[]> sets) {
    this.rings = rings;
    this.sets = sets;
  }

  static @Nullable Rings of(Topology topology, Hardware hardware) {
    if (!(topology instanceof Topology.Ring ring)) {
      return null;
    }
    List<int[]> rings = new ArrayList<>();
    List<long[]> sets = new ArrayList<>();
    for (Topology.BlockUnit unit : ring.rings()) {
      rings.add(
          unit.nodes().stream().mapToInt(hardware::indexOf).filter(node -> node >= 0).toArray());
      sets.add(hardware.setOf(unit.nodes()));
    }
    return new Rings(List.copyOf(rings), List.copyOf(sets));
  }

  @Override
  public List<long[]> sets() {
    return sets;
  }

  @Override
  public boolean covers(long[] nodes) {
    return sets.stream().anyMatch(set -> Bits.countCommon(set, nodes) > 0);
  }

  /** Whoever names nodes names all that the job needs. */
  @Override
  public boolean haveForm(Shape shape) {
    return shape.requiredCount == 0 || shape.requiredCount >= shape.minNodes;
  }

  /** Some neighbours of a ring. */
  private record Stretch(int ring, int start, long weight, int open) {
    private static final Comparator<Stretch> BETTER =
        Comparator.comparingLong(Stretch::weight).thenComparingInt(Stretch::open);
  }

  @Override
  public int @Nullable [] choose(Shape shape, long[] candidates, Rooms rooms) {
    int segment = shape.request.segment();
    boolean parts = segment > 0 && segment <= shape.minNodes;
    if (parts && shape.minNodes % segment != 0) {
      return null;
    }
    int size = parts ? segment : shape.minNodes;
    int number = shape.minNodes / size;
    List<Stretch> found = new ArrayList<>();
    for (int r = 0; r < rings.size(); r++) {
      Stretch stretch = bestOf(r, size, candidates, rooms, number == 1 ? shape.jobGres() : 0);
      if (stretch != null) {
        found.add(stretch);
      }
    }
    if (found.size() < number) {
      return null;
    }
    found.sort(Stretch.BETTER);
    int[] nodes = new int[number * size];
    for (int i = 0; i < nodes.length; i++) {
      Stretch stretch = found.get(i / size);
      int[] ring = rings.get(stretch.ring);
      nodes[i] = ring[(stretch.start + i % size) % ring.length];
    }
    return nodes;
  }

  private @Nullable Stretch bestOf(int r, int size, long[] candidates, Rooms rooms, long gres) {
    int[] ring = rings.get(r);
    int open = Bits.countCommon(sets.get(r), candidates);
    Stretch best = null;
    for (int start = 0; start < ring.length && size <= Math.min(open, ring.length); start++) {
      long weight = 0;
      long devices = 0;
      boolean whole = true;
      for (int i = 0; i < size && whole; i++) {
        int node = ring[(start + i) % ring.length];
        whole = Bits.has(candidates, node) && rooms.cpus[node] > 0;
        weight = Math.max(weight, rooms.weight[node]);
        devices += rooms.jobGres[node];
      }
      if (whole && devices >= gres && (best == null || weight < best.weight)) {
        best = new Stretch(r, start, weight, open);
      }
    }
    return best;
  }
}
