package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Devices of whole nodes, and the cores of jobs that insist on those near their devices. */
final class Devices {
  private Devices() {}

  /** The kinds that the node has, in the order of its devices. */
  static List<Integer> inNodeOrder(Hardware hardware, int node, int[] kinds) {
    List<Integer> there = new ArrayList<>();
    for (int kind : kinds) {
      if (hardware.deviceCount(kind, node) > 0) {
        there.add(kind);
      }
    }
    there.sort(Comparator.comparingInt(kind -> hardware.devices[kind][node].firstIndex()));
    return there;
  }

  private static final long[] ANY = {};

  /**
   * The cores that a job may use which insists on cores near its devices ({@code
   * --gres-flags=enforce-binding}): those near a free device; where the number of devices is known,
   * of no more sockets than have so many, those with the most free cores first. Without words when
   * any will do.
   *
   * @param insists whether it is looked for nodes as if the job insisted on it
   */
  static long[] localCores(
      Hardware hardware, Usage usage, int node, Shape shape, boolean insists, Fit fit) {
    if (!insists && !shape.request.enforceBinding()) {
      return ANY;
    }
    long[] local = new long[hardware.coreWords];
    boolean known = false;
    for (Shape.Demand demand : shape.demands) {
      Set<Integer> sockets = socketsFor(hardware, usage, node, shape, demand, fit);
      for (int kind : demand.kinds()) {
        List<IndexSet> cores = hardware.devices[kind][node].cores();
        for (int d = 0; d < cores.size(); d++) {
          known = true;
          boolean free = (usage.takenDevices(kind, node) & 1L << d) == 0;
          if (free && sockets.contains(hardware.socketOf(node, cores.get(d)))) {
            for (int w = 0; w < Math.min(local.length, cores.get(d).wordCount()); w++) {
              local[w] |= cores.get(d).word(w);
            }
          }
        }
      }
    }
    return known ? local : ANY;
  }

  /** The sockets that devices come from; -1 stands for those near to none. */
  private static Set<Integer> socketsFor(
      Hardware hardware, Usage usage, int node, Shape shape, Shape.Demand demand, Fit fit) {
    GresRequest.Scope scope = demand.request().scope();
    boolean counted = scope == GresRequest.Scope.NODE || scope == GresRequest.Scope.JOB;
    List<Integer> sockets = new ArrayList<>(List.of(-1));
    for (int s = 0; s < hardware.sockets[node]; s++) {
      sockets.add(s);
    }
    if (!counted) {
      return new TreeSet<>(sockets);
    }
    int[] open = NearGpus.openWithCpus(hardware, usage, node, shape, demand, fit);
    sockets.sort(Comparator.comparingInt(s -> s < 0 ? -1 : -usage.freeCores(node, s, null)));
    Set<Integer> chosen = new TreeSet<>(Set.of(-1));
    long wanted =
        scope == GresRequest.Scope.JOB
            ? NearGpus.mostOfOneNode(shape, demand)
            : demand.request().count();
    long missing = wanted - open[open.length - 1];
    for (int s : sockets) {
      if (s >= 0 && missing > 0 && open[s] > 0 && usage.freeCores(node, s, null) > 0) {
        chosen.add(s);
        missing -= open[s];
      }
    }
    return chosen;
  }

  /** Every device of a node, as a whole-node job gets them. */
  static List<GresShare> all(Hardware hardware, Usage usage, int node) {
    List<GresShare> shares = new ArrayList<>();
    for (int kind = 0; kind < hardware.kinds.size(); kind++) {
      long free = usage.freeGres(kind, node);
      if (free > 0 && !hardware.kinds.get(kind).sharing()) {
        shares.add(free(hardware, usage, node, kind, free));
      }
    }
    return shares;
  }

  /** select/linear looks whether a node has devices, and allocates none of them. */
  static List<GresShare> none(Hardware hardware, int node) {
    List<GresShare> shares = new ArrayList<>();
    for (int kind = 0; kind < hardware.kinds.size(); kind++) {
      Hardware.Kind k = hardware.kinds.get(kind);
      if (!k.sharing() && hardware.deviceCount(kind, node) > 0) {
        shares.add(new GresShare(k.name(), k.type(), IndexSet.EMPTY, 0));
      }
    }
    return shares;
  }

  private static GresShare free(Hardware hardware, Usage usage, int node, int kind, long count) {
    Hardware.Kind k = hardware.kinds.get(kind);
    GresDevices devices = hardware.devices[kind][node];
    BitSet open = new BitSet();
    for (int d = 0; hardware.hasIndices(kind, node) && d < devices.count(); d++) {
      open.set(devices.firstIndex() + d, (usage.takenDevices(kind, node) & 1L << d) == 0);
    }
    return new GresShare(k.name(), k.type(), IndexSet.of(open), count);
  }
}
