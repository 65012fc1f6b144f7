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
