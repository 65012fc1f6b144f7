package dev.yardmaster.api;

import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Tres;

/** {@link Allocation} on the wire. */
final class AllocationWire {
  private AllocationWire() {}

  static Wire.Allocation write(Allocation allocation) {
    Wire.Allocation.Builder out =
        Wire.Allocation.newBuilder()
            .putAllTres(allocation.tres().amounts())
            .setBlocked(Fields.hosts(allocation.blocked()));
    allocation.shares().forEach(share -> out.addShares(write(share)));
    allocation.before().forEach(share -> out.addBefore(write(share)));
    return out.build();
  }

  private static Wire.NodeShare write(NodeShare share) {
    Wire.NodeShare.Builder out =
        Wire.NodeShare.newBuilder()
            .setNode(share.node())
            .setCores(share.cores().toString())
            .setCpus(share.cpus())
            .setMemoryMib(share.memoryMib());
    share.gres().forEach(gres -> out.addGres(write(gres)));
    return out.build();
  }

  static Allocation read(Wire.Allocation in) {
    return new Allocation(
        in.getSharesList().stream().map(AllocationWire::read).toList(),
        Tres.of(in.getTresMap()),
        Fields.hosts(in.getBlocked()),
        in.getBeforeList().stream().map(AllocationWire::read).toList());
  }

  private static NodeShare read(Wire.NodeShare in) {
    return new NodeShare(
        in.getNode(),
        Fields.indices(in.getCores()),
        in.getCpus(),
        in.getMemoryMib(),
        in.getGresList().stream().map(AllocationWire::read).toList());
  }

  private static Wire.GresShare write(GresShare gres) {
    Wire.GresShare.Builder out =
        Wire.GresShare.newBuilder()
            .setName(gres.name())
            .setDevices(gres.devices().toString())
            .setCount(gres.count());
    if (gres.type() instanceof String type) {
      out.setType(type);
    }
    return out.build();
  }

  private static GresShare read(Wire.GresShare in) {
    return new GresShare(
        in.getName(),
        in.hasType() ? in.getType() : null,
        Fields.indices(in.getDevices()),
        in.getCount());
  }
}
