package dev.yardmaster.api;

import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.Topology;

/** {@link Topology} on the wire. */
public final class TopologyWire {
  private TopologyWire() {}

  public static Wire.Topology write(Topology topology) {
    Wire.Topology.Builder out = Wire.Topology.newBuilder().setName(topology.name());
    switch (topology) {
      case Topology.Flat flat -> {}
      case Topology.Tree tree -> {
        Wire.Topology.Tree.Builder switches = Wire.Topology.Tree.newBuilder();
        for (Topology.Switch s : tree.switches()) {
          switches.addSwitches(
              Wire.Topology.Switch.newBuilder()
                  .setName(s.name())
                  .addAllSwitches(s.switches())
                  .addAllNodes(s.nodes()));
        }
        out.setTree(switches);
      }
      case Topology.Block block -> {
        Wire.Topology.Block.Builder blocks =
            Wire.Topology.Block.newBuilder().addAllSizes(block.blockSizes());
        for (Topology.BlockUnit unit : block.blocks()) {
          blocks.addUnits(
              Wire.Topology.Unit.newBuilder().setName(unit.name()).addAllNodes(unit.nodes()));
        }
        out.setBlock(blocks);
      }
    }
    return out.build();
  }

  public static Topology read(Wire.Topology in) {
    return switch (in.getKindCase()) {
      case TREE ->
          new Topology.Tree(
              in.getName(),
              in.getTree().getSwitchesList().stream()
                  .map(s -> new Topology.Switch(s.getName(), s.getSwitchesList(), s.getNodesList()))
                  .toList());
      case BLOCK ->
          new Topology.Block(
              in.getName(),
              in.getBlock().getUnitsList().stream()
                  .map(u -> new Topology.BlockUnit(u.getName(), u.getNodesList()))
                  .toList(),
              in.getBlock().getSizesList());
      case KIND_NOT_SET -> new Topology.Flat(in.getName());
    };
  }
}
