package dev.yardmaster.model;

import java.util.List;

/** How the nodes are wired, as topology.conf or topology.yaml says. */
public sealed interface Topology {
  /** The name topology.yaml gives it; {@code default} for topology.conf. */
  String name();

  /** No structure: every node is equally far from every other. */
  record Flat(String name) implements Topology {}

  /** Switches in a tree; a switch has either child switches or nodes. */
  record Tree(String name, List<Switch> switches) implements Topology {
    public Tree {
      switches = List.copyOf(switches);
    }
  }

  /** Blocks of nodes (for example NVLink domains), grouped by size. */
  record Block(String name, List<BlockUnit> blocks, List<Integer> blockSizes) implements Topology {
    public Block {
      blocks = List.copyOf(blocks);
      blockSizes = List.copyOf(blockSizes);
    }
  }

  /** Rings of nodes; a job gets neighbours of one ring (topology/ring). */
  record Ring(String name, List<BlockUnit> rings) implements Topology {
    public Ring {
      rings = List.copyOf(rings);
    }
  }

  /**
   * Tori of nodes; a job gets a box of one of the sizes that its torus knows (topology/torus3d).
   */
  record Torus(String name, List<TorusUnit> tori) implements Topology {
    public Torus {
      tori = List.copyOf(tori);
    }
  }

  /**
   * A torus.
   *
   * @param cells the node at each place, x varying fastest; empty for none
   * @param boxes the sizes of the jobs that it takes, in the order of the file
   */
  record TorusUnit(String name, Triple size, List<String> cells, List<Box> boxes) {
    public TorusUnit {
      cells = List.copyOf(cells);
      boxes = List.copyOf(boxes);
    }
  }

  /** Three counts or places, along x, y and z. */
  record Triple(int x, int y, int z) {
    public long product() {
      return (long) x * y * z;
    }

    @Override
    public String toString() {
      return x + "x" + y + "x" + z;
    }
  }

  /**
   * Boxes of one shape, which may wrap around.
   *
   * @param seed where the first begins
   * @param spacing how far apart they begin
   */
  record Box(Triple size, Triple seed, Triple spacing) {}

  /** A switch with its children: names of switches, or of nodes. */
  record Switch(String name, List<String> switches, List<String> nodes) {
    public Switch {
      switches = List.copyOf(switches);
      nodes = List.copyOf(nodes);
    }
  }

  /** A block with its nodes. */
  record BlockUnit(String name, List<String> nodes) {
    public BlockUnit {
      nodes = List.copyOf(nodes);
    }
  }
}
