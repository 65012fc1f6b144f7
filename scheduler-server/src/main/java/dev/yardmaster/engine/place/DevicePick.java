package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;

/**
 * Picks the devices of one demand on one node, as cons_tres does: those near the job's cores in
 * proportion to them, then those near to none, then more of its sockets, then any. Linked ones
 * (gres.conf, Links=) are picked by their links: the best linked ones, or, with
 * SchedulerParameters=gres_links=slurm, those that Slurm takes.
 */
final class DevicePick {
  private final Hardware hardware;
  private final int node;
  private final Shape.Demand demand;
  private final Stock stock;
  private final int[] cores;
  private final int allCores;
  private final boolean insists;
  private final boolean linked;
  private final int size;
  private final Integer[] order;
  private final int[] links;
  private long picked;

  /**
   * Begins with nothing picked.
   *
   * @param own the cores of the job on the node
   */
  DevicePick(Hardware hardware, Usage usage, int node, Shape shape, Shape.Demand d, IndexSet own) {
    this.hardware = hardware;
    this.node = node;
    demand = d;
    stock = Stock.of(hardware, usage, node, shape, d);
    insists = shape.request.enforceBinding();
    cores = new int[hardware.sockets[node]];
    int per = hardware.coresPerSocket[node];
    for (int s = 0; s < cores.length; s++) {
      cores[s] = own.toBitSet().get(s * per, (s + 1) * per).cardinality();
    }
    allCores = Math.max(1, own.size());
    size = devicesOfName();
    order = new Integer[size];
    Arrays.setAll(order, i -> i);
    links = new int[size];
    linked = shape.slurmLinks && hasLinks();
  }

  private int devicesOfName() {
    int most = 0;
    for (int k = 0; k < hardware.kinds.size(); k++) {
      boolean same = hardware.kinds.get(k).name().equals(demand.request().name());
      if (same && hardware.hasIndices(k, node)) {
        GresDevices devices = hardware.devices[k][node];
        most = Math.max(most, devices.firstIndex() + (int) devices.count());
      }
    }
    return most;
  }

  private boolean hasLinks() {
    for (int kind : demand.kinds()) {
      if (!hardware.devices[kind][node].links().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  private int link(int from, int to) {
    for (int k = 0; k < hardware.kinds.size(); k++) {
      GresDevices devices = hardware.devices[k][node];
      int at = from - devices.firstIndex();
      boolean same = hardware.kinds.get(k).name().equals(demand.request().name());
      if (same && at >= 0 && at < devices.links().size()) {
        List<Integer> row = devices.links().get(at);
        return to < row.size() ? row.get(to) : 0;
      }
    }
    return 0;
  }

  /** How many of its devices the socket gives; the socket after the last stands for any. */
  private long pick(int socket, long wanted, boolean byLinks) {
    long missing = wanted;
    for (int i = 0; i < size && missing > 0; i++) {
      int device = byLinks ? order[i] : i;
      long bit = 1L << device;
      if ((stock.open[socket] & bit) != 0 && (picked & bit) == 0) {
        picked |= bit;
        missing--;
        if (byLinks) {
          i = 0; // Slurm goes on behind the first of the new order
          follow(device);
        }
      }
    }
    return wanted - missing;
  }

  private void follow(int device) {
    for (int other = 0; other < size; other++) {
      if (other != device && (stock.taken & 1L << other) == 0) {
        links[other] += link(device, other);
      }
    }
    Arrays.sort(order, Comparator.comparingInt(d -> links[d]));
  }

  private int any() {
    return cores.length;
  }

  /** Picks so many, whatever the tasks: in proportion to the cores on each socket first. */
  void ofNode(long count) {
    if (mayChooseBest()) {
      best(count);
      return;
    }
    double perCore = (double) count / allCores;
    long missing = count;
    for (int s = 0; s < cores.length && missing > 0; s++) {
      missing -= pick(s, Math.min(missing, (long) (cores[s] * perCore)), linked);
    }
    missing -= pick(any(), missing, linked);
    missing = more(missing, true);
    if (!insists) {
      more(missing, false);
    }
  }

  private long more(long wanted, boolean used) {
    long missing = wanted;
    for (int s = 0; s < cores.length; s++) {
      missing -= cores[s] > 0 == used ? pick(s, missing, linked) : 0;
    }
    return missing;
  }

  /** Picks those of the tasks on each socket. */
  void ofTasks(long each, int[] tasks, long count) {
    if (mayChooseBest()) {
      best(count);
      return;
    }
    long missing = count;
    for (int s = 0; s < cores.length; s++) {
      missing -= pick(s, Math.min(missing, tasks[s] * each), linked);
    }
    missing -= pick(any(), missing, linked);
    for (int s = 0; s < cores.length && !insists; s++) {
      missing -= pick(s, missing, linked);
    }
  }

  /** Picks so many of each of a number of sockets; of all that the job uses where none is said. */
  void ofSockets(long each, int wanted) {
    int[] used = cores.clone();
    int count = (int) Arrays.stream(used).filter(n -> n > 0).count();
    if (wanted > count) {
      for (int s = 0; s < used.length && count < wanted; s++) {
        if (used[s] == 0 && Long.bitCount(stock.open[s]) >= each) {
          used[s] = 1;
          count++;
        }
      }
    } else if (wanted > 0 && wanted < count) {
      for (int s = 0; s < used.length; s++) {
        boolean there = used[s] > 0 && stock.open[s] != 0;
        count -= used[s] > 0 && !there ? 1 : 0;
        used[s] = there ? Long.bitCount(stock.open[s]) : 0;
      }
    }
    long missing = count * each;
    for (int s = 0; s < used.length; s++) {
      missing -= used[s] > 0 ? pick(s, each, linked) : 0;
    }
    missing -= pick(any(), missing, linked);
    for (int s = 0; s < used.length; s++) {
      missing -= used[s] > 0 ? pick(s, missing, linked) : 0;
    }
    for (int s = 0; s < used.length && !insists; s++) {
      missing -= used[s] == 0 ? pick(s, missing, linked) : 0;
    }
  }

  /** Picks up to so many of those counted over the job that are near its cores; at least one. */
  void ofJob(long most) {
    if (mayChooseBest()) {
      best(Math.max(1, most));
      return;
    }
    boolean pruned = linked && most > 1;
    long wanted = pruned ? Integer.MAX_VALUE : Math.max(most, 1);
    float perCore = (float) (pruned ? (1 << 16) - 2 : wanted) / allCores;
    long missing = wanted;
    for (int s = 0; s < cores.length && missing > 0; s++) {
      missing -= pick(s, Math.min(missing, (long) (cores[s] * perCore)), false);
    }
    missing -= pick(any(), missing, false);
    for (int s = 0; s < cores.length; s++) {
      missing -= cores[s] > 0 ? pick(s, missing, false) : 0;
    }
    for (int s = 0; s < cores.length && picked == 0 && !insists; s++) {
      pick(s, 1, false);
    }
    if (pruned) {
      prune(most);
    }
  }

  /** Leaves of the picked ones so many, the worst linked to the best linked one first to go. */
  private void prune(long most) {
    int best = -1;
    int highest = -1;
    for (int a = 0; a < size; a++) {
      for (int b = a + 1; b < size; b++) {
        boolean both = (picked & 1L << a) != 0 && (picked & 1L << b) != 0;
        if (both && link(a, b) > highest) {
          highest = link(a, b);
          best = a;
        }
      }
    }
    while (best >= 0 && Long.bitCount(picked) > most) {
      int worst = -1;
      for (int d = 0; d < size; d++) {
        boolean open = d != best && (picked & 1L << d) != 0;
        worst = open && (worst < 0 || link(best, d) < link(best, worst)) ? d : worst;
      }
      picked &= ~(1L << worst);
    }
  }

  /** Picks more of those counted over the job, near its cores or not; how many it found. */
  long topUp(long missing) {
    if (linked) {
      Arrays.setAll(order, i -> i);
      Arrays.fill(links, 0);
      for (int d = 0; d < size; d++) {
        for (int other = 0; (picked & 1L << d) != 0 && other < size; other++) {
          boolean open = other != d && (stock.taken & 1L << other) == 0;
          links[other] += open ? link(d, other) : 0;
        }
      }
      Arrays.sort(order, Comparator.comparingInt(d -> links[d]));
    }
    long rest = missing;
    for (int s = 0; s <= cores.length && rest > 0; s++) {
      rest -= pick(s, rest, linked);
    }
    return missing - rest;
  }

  private boolean mayChooseBest() {
    return !linked && hasLinks();
  }

  private void best(long count) {
    long near = stock.open[any()];
    long all = near;
    for (int s = 0; s < cores.length; s++) {
      near |= cores[s] > 0 ? stock.open[s] : 0;
      all |= stock.open[s];
    }
    for (int kind : demand.kinds()) {
      GresDevices devices = hardware.devices[kind][node];
      List<Integer> close = among(near, devices);
      List<Integer> far = among(all & ~near, devices);
      Links of = Links.of(devices);
      long missing = count - Long.bitCount(picked);
      take(of.best(close, (int) Math.min(missing, close.size())), devices);
      missing = count - Long.bitCount(picked);
      take(of.best(far, (int) Math.min(missing, far.size())), devices);
    }
  }

  private void take(List<Integer> chosen, GresDevices devices) {
    for (int d : chosen) {
      picked |= 1L << devices.firstIndex() + d;
    }
  }

  private static List<Integer> among(long bits, GresDevices devices) {
    List<Integer> list = new ArrayList<>();
    for (int d = 0; d < devices.count(); d++) {
      if ((bits & 1L << devices.firstIndex() + d) != 0) {
        list.add(d);
      }
    }
    return list;
  }

  int count() {
    return Long.bitCount(picked);
  }

  /** What was picked, type by type in the order of the devices, also types passed over. */
  List<GresShare> shares() {
    List<GresShare> shares = new ArrayList<>();
    for (int kind : Devices.inNodeOrder(hardware, node, demand.kinds())) {
      GresDevices devices = hardware.devices[kind][node];
      BitSet set = new BitSet();
      among(picked, devices).forEach(d -> set.set(devices.firstIndex() + d));
      Hardware.Kind k = hardware.kinds.get(kind);
      shares.add(new GresShare(k.name(), k.type(), IndexSet.of(set), set.cardinality()));
    }
    return shares;
  }
}
