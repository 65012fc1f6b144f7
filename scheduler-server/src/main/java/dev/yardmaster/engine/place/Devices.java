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
   * @param ofTasks how many go with the tasks on each socket; nothing where that does not matter
   */
  static List<GresShare> take(
      Hardware hardware,
      Usage usage,
      int node,
      Shape shape,
      Shape.Demand demand,
      long count,
      IndexSet cores,
      int[] ofTasks) {
    boolean slurmLinks = shape.slurmLinks;
    List<GresShare> shares = new ArrayList<>();
    long rest = count;
    List<Integer> kinds = inNodeOrder(hardware, node, demand.kinds());
    long near = 0;
    for (int kind : kinds) {
      near += near(hardware, usage, node, kind, cores);
    }
    for (int kind : kinds) {
      if (hardware.kinds.get(kind).sharing()) {
        SharedParts parts = new SharedParts(hardware, usage, node, kind, shape, cores);
        boolean each = demand.request().scope() == GresRequest.Scope.TASK;
        rest -= each ? parts.ofTasks(demand.request().count(), rest, ofTasks) : parts.ofNode(rest);
        shares.addAll(parts.shares());
        continue;
      }
      long nearHere = near(hardware, usage, node, kind, cores);
      near -= nearHere;
      // Whatever their type, those near the cores come before others.
      long farHere =
          Math.max(0, Math.min(usage.freeGres(kind, node) - nearHere, rest - nearHere - near));
      long here = Math.min(rest, nearHere + farHere);
      if (here > 0) {
        boolean ofJob = slurmLinks && demand.request().scope() == GresRequest.Scope.JOB;
        Order order = ofJob ? Order.SLURM_OF_JOB : slurmLinks ? Order.SLURM : Order.BEST;
        shares.add(share(hardware, usage, node, kind, here, cores, ofTasks, order));
        rest -= here;
      } else {
        // Slurm names the types that it passed over, with a count of 0
        Hardware.Kind k = hardware.kinds.get(kind);
        shares.add(new GresShare(k.name(), k.type(), IndexSet.EMPTY, 0));
      }
    }
    return shares;
  }

  /** How many free devices of a kind are near cores, or near to none in particular. */
  private static long near(Hardware hardware, Usage usage, int node, int kind, IndexSet cores) {
    if (hardware.kinds.get(kind).sharing() || !hardware.hasIndices(kind, node)) {
      return usage.freeGres(kind, node);
    }
    GresDevices devices = hardware.devices[kind][node];
    long near = 0;
    for (int d = 0; d < devices.count(); d++) {
      boolean free = (usage.takenDevices(kind, node) & 1L << d) == 0;
      near +=
          free && (d >= devices.cores().size() || devices.cores().get(d).intersects(cores)) ? 1 : 0;
    }
    return near;
  }

  /** The kinds that the node has, in the order of its devices. */
  private static List<Integer> inNodeOrder(Hardware hardware, int node, int[] kinds) {
    List<Integer> there = new ArrayList<>();
    for (int kind : kinds) {
      if (hardware.deviceCount(kind, node) > 0) {
        there.add(kind);
      }
    }
    there.sort(Comparator.comparingInt(kind -> hardware.devices[kind][node].firstIndex()));
    return there;
  }

  /** Which of linked devices come first. */
  private enum Order {
    BEST,
    SLURM,
    SLURM_OF_JOB
  }

  private static final long[] ANY = {};

  static final int[] NO_TASKS = {};

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
        shares.add(share(hardware, usage, node, kind, free, IndexSet.EMPTY, NO_TASKS, Order.BEST));
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

  private static GresShare share(
      Hardware hardware,
      Usage usage,
      int node,
      int kind,
      long count,
      IndexSet cores,
      int[] ofTasks,
      Order order) {
    Hardware.Kind k = hardware.kinds.get(kind);
    GresDevices devices = hardware.devices[kind][node];
    if (!hardware.hasIndices(kind, node)) {
      return new GresShare(k.name(), k.type(), IndexSet.EMPTY, count);
    }
    List<Integer> near = new ArrayList<>();
    List<Integer> far = new ArrayList<>();
    for (int d = 0; d < devices.count(); d++) {
      if ((usage.takenDevices(kind, node) & 1L << d) == 0) {
        boolean local = d >= devices.cores().size() || devices.cores().get(d).intersects(cores);
        (local ? near : far).add(d);
      }
    }
    List<Integer> chosen = choose(hardware, devices, node, near, far, (int) count, ofTasks, order);
    BitSet taken = new BitSet();
    chosen.forEach(d -> taken.set(devices.firstIndex() + d));
    return new GresShare(k.name(), k.type(), IndexSet.of(taken), count);
  }

  private static List<Integer> choose(
      Hardware hardware,
      GresDevices devices,
      int node,
      List<Integer> near,
      List<Integer> far,
      int count,
      int[] ofTasks,
      Order by) {
    Links links = Links.of(devices);
    List<Integer> chosen = new ArrayList<>();
    if (!devices.links().isEmpty() && by == Order.SLURM_OF_JOB && count > 1) {
      return links.slurmOfJob(near, far, count);
    }
    if (!devices.links().isEmpty() && by == Order.BEST) {
      chosen.addAll(links.best(near, Math.min(count, near.size())));
      chosen.addAll(links.best(far, Math.min(count - chosen.size(), far.size())));
      return chosen;
    }
    List<Integer> order = links.slurmOrder(near);
    for (int socket = 0; socket < ofTasks.length; socket++) {
      for (int i = 0; i < ofTasks[socket] && chosen.size() < count; i++) {
        int at = firstOn(hardware, devices, node, socket, order);
        int other = at < 0 ? firstOn(hardware, devices, node, socket, far) : -1;
        if (at >= 0) {
          chosen.add(order.remove(at));
        } else if (other >= 0) {
          chosen.add(far.remove(other));
        }
      }
    }
    while (chosen.size() < count && !order.isEmpty()) {
      for (int socket = 0; socket < hardware.sockets[node]; socket++) {
        int at = firstOn(hardware, devices, node, socket, order);
        if (at >= 0 && chosen.size() < count) {
          chosen.add(order.remove(at));
        }
      }
    }
    for (int i = 0; chosen.size() < count && i < far.size(); i++) {
      chosen.add(far.get(i));
    }
    return chosen;
  }

  /**
   * The place in a list of the first device near a socket; without Cores= any is near the first.
   */
  private static int firstOn(
      Hardware hardware, GresDevices devices, int node, int socket, List<Integer> order) {
    for (int i = 0; i < order.size(); i++) {
      int d = order.get(i);
      int near = d < devices.cores().size() ? hardware.socketOf(node, devices.cores().get(d)) : 0;
      if (Math.max(0, near) == socket) {
        return i;
      }
    }
    return -1;
  }
}
