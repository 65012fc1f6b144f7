package dev.yardmaster.engine.place;

import dev.yardmaster.model.Topology;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of topology/block, compiled: base blocks, and for each larger entry of BlockSizes the
 * units made of that many nodes' worth of consecutive blocks. Incomplete units do not count.
 */
final class Blocks {
  private final List<long[]> base;

  /** Units by level, the base blocks being level 0. */
  private final List<List<long[]>> levels;

  private Blocks(List<long[]> base, List<List<long[]>> levels) {
    this.base = base;
    this.levels = levels;
  }

  static @Nullable Blocks of(Topology topology, Hardware hardware) {
    if (!(topology instanceof Topology.Block block) || block.blocks().isEmpty()) {
      return null;
    }
    List<long[]> base = new ArrayList<>();
    block.blocks().forEach(b -> base.add(hardware.setOf(b.nodes())));
    int size = block.blockSizes().isEmpty() ? 0 : block.blockSizes().getFirst();
    List<List<long[]>> levels = new ArrayList<>();
    levels.add(base);
    for (int i = 1; i < block.blockSizes().size() && size > 0; i++) {
      int together = block.blockSizes().get(i) / size;
      List<long[]> units = new ArrayList<>();
      for (int b = 0; together > 0 && b + together <= base.size(); b += together) {
        long[] unit = Bits.of(hardware.size);
        base.subList(b, b + together).forEach(part -> Bits.addAll(unit, part));
        units.add(unit);
      }
      levels.add(units);
    }
    return new Blocks(List.copyOf(base), List.copyOf(levels));
  }

  List<long[]> base() {
    return base;
  }

  /**
   * The unit to place so many nodes in: of the lowest level that has one with enough candidates the
   * tightest, and of equal ones that with least around it.
   */
  long @Nullable [] unitFor(int needed, long[] candidates, long[] mustHold) {
    for (int level = 0; level < levels.size(); level++) {
      long[] best = null;
      for (long[] unit : levels.get(level)) {
        boolean fits =
            Bits.countCommon(unit, candidates) >= needed && Bits.contains(unit, mustHold);
        if (fits && (best == null || tighter(unit, best, level, candidates))) {
          best = unit;
        }
      }
      if (best != null) {
        return best;
      }
    }
    return null;
  }

  private boolean tighter(long[] a, long[] b, int level, long[] candidates) {
    int difference = Bits.countCommon(a, candidates) - Bits.countCommon(b, candidates);
    return difference != 0
        ? difference < 0
        : around(a, level, candidates) < around(b, level, candidates);
  }

  /** Candidates in the next larger unit that holds this one; in itself when there is none. */
  private int around(long[] unit, int level, long[] candidates) {
    if (level + 1 < levels.size()) {
      for (long[] larger : levels.get(level + 1)) {
        if (Bits.contains(larger, unit)) {
          return Bits.countCommon(larger, candidates);
        }
      }
    }
    return Bits.countCommon(unit, candidates);
  }

  /** The units of the lowest level whose members could all together hold a segment. */
  List<long[]> unitsFor(int segment) {
    for (List<long[]> level : levels) {
      if (level.stream().anyMatch(unit -> Bits.count(unit) >= segment)) {
        return level;
      }
    }
    return List.of();
  }

  /** The smallest unit whose parts have room for all segments; null when there is none. */
  long @Nullable [] unitOfSegments(int nodes, long[] candidates, List<long[]> parts, int segment) {
    for (List<long[]> level : levels) {
      for (long[] unit : level) {
        int room = 0;
        for (long[] part : parts) {
          if (Bits.contains(unit, part)) {
            room += Bits.countCommon(part, candidates) / segment * segment;
          }
        }
        if (room >= nodes) {
          return unit;
        }
      }
    }
    return null;
  }
}
