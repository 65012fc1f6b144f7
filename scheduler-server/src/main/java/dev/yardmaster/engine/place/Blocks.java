package dev.yardmaster.engine.place;

import dev.yardmaster.model.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of topology/block, compiled: base blocks in their order, and how many of them lie
 * together on each level of BlockSizes (topology.conf(5)), which are powers of two.
 */
final class Blocks {
  /** Without BlockSizes up to so many doublings of a base block are units. */
  private static final int LEVELS = 4;

  private final List<long[]> base;
  private final long[] nodes;

  /** The planned number of nodes in a base block. */
  private final int size;

  private final TreeSet<Integer> levels = new TreeSet<>();

  private Blocks(List<long[]> base, long[] nodes, List<Integer> sizes) {
    this.base = base;
    this.nodes = nodes;
    size = Math.max(1, sizes.isEmpty() ? Bits.count(base.getFirst()) : sizes.getFirst());
    for (int level = 0; sizes.isEmpty() && level <= LEVELS; level++) {
      levels.add(level);
    }
    levels.add(0);
    sizes.forEach(s -> levels.add(doublings(Math.ceilDiv(s, size))));
  }

  static @Nullable Blocks of(Topology topology, Hardware hardware) {
    if (!(topology instanceof Topology.Block block) || block.blocks().isEmpty()) {
      return null;
    }
    List<long[]> base = new ArrayList<>();
    long[] nodes = Bits.of(hardware.size);
    block.blocks().forEach(b -> base.add(hardware.setOf(b.nodes())));
    base.forEach(b -> Bits.addAll(nodes, b));
    return new Blocks(List.copyOf(base), nodes, block.blockSizes());
  }

  List<long[]> base() {
    return base;
  }

  /** All nodes of blocks. */
  long[] nodes() {
    return nodes;
  }

  /** The planned number of nodes in a base block (the first of BlockSizes). */
  int size() {
    return size;
  }

  /** The base blocks of the units, numbered from 0, in which so many nodes lie together. */
  int together(int nodes) {
    Integer level = levels.ceiling(doublings(Math.ceilDiv(nodes, size)));
    return level == null ? base.size() : 1 << level;
  }

  /** The base blocks of the largest units that are too small for so many nodes; else one. */
  int togetherBelow(int nodes) {
    Integer level = levels.lower(doublings(Math.ceilDiv(nodes, size)));
    return level == null ? 1 : 1 << level;
  }

  private static int doublings(int blocks) {
    return blocks <= 1 ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(blocks - 1);
  }
}
