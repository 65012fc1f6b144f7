package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * Chooses devices on a node: free ones near the job's cores first (gres.conf, Cores=), one socket
 * after the other, then by index.
 */
final class Devices {
  private Devices() {}

  /**
   * Takes {@code count} devices of one demand, over its kinds in order.
   *
   * @param cores the cores of the job on this node
   */
  static List<GresShare> take(
      Hardware hardware, Usage usage, int node, Shape.Demand demand, long count, IndexSet cores) {
    List<GresShare> shares = new ArrayList<>();
    long rest = count;
    for (int kind : demand.kinds()) {
      long here = Math.min(rest, usage.freeGres(kind, node));
      if (here > 0) {
        shares.add(share(hardware, usage, node, kind, here, cores));
        rest -= here;
      }
    }
    return shares;
  }

  /** Every device of a node, as a whole-node job gets them. */
  static List<GresShare> all(Hardware hardware, Usage usage, int node) {
    List<GresShare> shares = new ArrayList<>();
    for (int kind = 0; kind < hardware.kinds.size(); kind++) {
      long free = usage.freeGres(kind, node);
      if (free > 0) {
        shares.add(share(hardware, usage, node, kind, free, IndexSet.EMPTY));
      }
    }
    return shares;
  }

  private static GresShare share(
      Hardware hardware, Usage usage, int node, int kind, long count, IndexSet cores) {
    Hardware.Kind k = hardware.kinds.get(kind);
    GresDevices devices = hardware.devices[kind][node];
    if (!hardware.hasIndices(kind, node)) {
      return new GresShare(k.name(), k.type(), IndexSet.EMPTY, count);
    }
    BitSet taken = new BitSet();
    long busy = usage.deviceMask[kind][node];
    long rest = count;
    if (!devices.cores().isEmpty()) {
      int before = -1;
      while (taken.cardinality() < count && before < taken.cardinality()) {
        before = taken.cardinality();
        for (int s = 0; s < hardware.sockets[node] && taken.cardinality() < count; s++) {
          takeNear(hardware, devices, node, s, cores, busy, taken);
        }
      }
      rest -= taken.cardinality();
    }
    for (int d = 0; d < devices.count() && rest > 0; d++) {
      if ((busy & 1L << d) == 0 && !taken.get(devices.firstIndex() + d)) {
        taken.set(devices.firstIndex() + d);
        rest--;
      }
    }
    return new GresShare(k.name(), k.type(), IndexSet.of(taken), count);
  }

  /** The first free device near cores that the job has on a socket. */
  private static void takeNear(
      Hardware hardware,
      GresDevices devices,
      int node,
      int socket,
      IndexSet cores,
      long busy,
      BitSet taken) {
    for (int d = 0; d < devices.count() && d < devices.cores().size(); d++) {
      IndexSet local = devices.cores().get(d);
      boolean free = (busy & 1L << d) == 0 && !taken.get(devices.firstIndex() + d);
      if (free && hardware.socketOf(node, local) == socket && local.intersects(cores)) {
        taken.set(devices.firstIndex() + d);
        return;
      }
    }
  }
}
