package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Chooses devices on a node: free ones near the job's cores first, then by index. */
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
    for (int round = 0; round < 2 && rest > 0; round++) {
      for (int d = 0; d < devices.count() && rest > 0; d++) {
        boolean near = devices.cores().isEmpty() || devices.cores().get(d).intersects(cores);
        if ((busy & 1L << d) == 0 && (round == 1 || near)) {
          busy |= 1L << d;
          taken.set(devices.firstIndex() + d);
          rest--;
        }
      }
    }
    return new GresShare(k.name(), k.type(), IndexSet.of(taken), count);
  }
}
