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
      case Topology.Ring ring -> {
        Wire.Topology.Ring.Builder rings = Wire.Topology.Ring.newBuilder();
        for (Topology.BlockUnit unit : ring.rings()) {
          rings.addRings(
              Wire.Topology.Unit.newBuilder().setName(unit.name()).addAllNodes(unit.nodes()));
        }
        out.setRing(rings);
      }
      case Topology.Torus torus -> {
        Wire.Topology.Torus.Builder tori = Wire.Topology.Torus.newBuilder();
        torus.tori().forEach(unit -> tori.addTori(write(unit)));
        out.setTorus(tori);
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
      case RING ->
          new Topology.Ring(
              in.getName(),
              in.getRing().getRingsList().stream()
                  .map(u -> new Topology.BlockUnit(u.getName(), u.getNodesList()))
                  .toList());
      case TORUS ->
          new Topology.Torus(
              in.getName(), in.getTorus().getToriList().stream().map(TopologyWire::read).toList());
      case KIND_NOT_SET -> new Topology.Flat(in.getName());
    };
  }

  private static Wire.Topology.TorusUnit write(Topology.TorusUnit unit) {
    Wire.Topology.TorusUnit.Builder out =
        Wire.Topology.TorusUnit.newBuilder()
            .setName(unit.name())
            .setSize(write(unit.size()))
            .addAllCells(unit.cells());
    for (Topology.Box box : unit.boxes()) {
      out.addBoxes(
          Wire.Topology.Box.newBuilder()
              .setSize(write(box.size()))
              .setSeed(write(box.seed()))
              .setSpacing(write(box.spacing())));
    }
    return out.build();
  }

  private static Topology.TorusUnit read(Wire.Topology.TorusUnit in) {
    return new Topology.TorusUnit(
        in.getName(),
        read(in.getSize()),
        in.getCellsList(),
        in.getBoxesList().stream()
            .map(b -> new Topology.Box(read(b.getSize()), read(b.getSeed()), read(b.getSpacing())))
            .toList());
  }

  private static Wire.Topology.Triple write(Topology.Triple triple) {
    return Wire.Topology.Triple.newBuilder()
        .setX(triple.x())
        .setY(triple.y())
        .setZ(triple.z())
        .build();
  }

  private static Topology.Triple read(Wire.Topology.Triple in) {
    return new Topology.Triple(in.getX(), in.getY(), in.getZ());
  }
}
