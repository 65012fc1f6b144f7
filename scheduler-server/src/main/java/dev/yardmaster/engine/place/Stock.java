package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.IndexSet;

/**
 * What one node has left of one demand, socket by socket, as cons_tres counts it: devices whose
 * cores (gres.conf, Cores=) lie on every socket count as near to none in particular.
 */
final class Stock {
  final Shape.Demand demand;

  /** How many are near to each socket. */
  final long[] bySocket;

  /** How many are near to none in particular. */
  long any;

  long total;

  /** No more of a node than this; 0 where nothing limits it. */
  long most;

  /** Whether they are only counted, so that none of them is near to anything. */
  boolean counted;

  /** For how many tasks its parts of GPUs suffice; -1 for devices that are no parts. */
  long tasks = -1;

  /** The free devices near to each socket, and at the end those near to none, one bit each. */
  final long[] open;

  /** The devices of the demand's name on the node that somebody has. */
  long taken;

  private final Hardware hardware;
  private final int node;

  private Stock(Hardware hardware, int node, Shape.Demand demand) {
    this.hardware = hardware;
    this.node = node;
    this.demand = demand;
    bySocket = new long[hardware.sockets[node]];
    open = new long[bySocket.length + 1];
  }

  /** Counts what is left. */
  static Stock of(Hardware hardware, Usage usage, int node, Shape shape, Shape.Demand demand) {
    Stock stock = new Stock(hardware, node, demand);
    for (int kind : demand.kinds()) {
      if (hardware.kinds.get(kind).sharing()) {
        stock.addParts(usage, shape, kind);
      } else if (hardware.hasIndices(kind, node)) {
        stock.addDevices(usage, kind);
      } else {
        stock.counted |= hardware.deviceCount(kind, node) > 0;
        stock.any += usage.freeGres(kind, node);
        stock.total += usage.freeGres(kind, node);
      }
    }
    if (demand.request().scope() == Scope.SOCKET) {
      stock.limitSockets(demand.request().count());
    }
    return stock;
  }

  private void addParts(Usage usage, Shape shape, int kind) {
    boolean ofTasks = demand.request().scope() == Scope.TASK;
    long each = demand.request().count();
    if (ofTasks) {
      tasks = Math.max(0, tasks) + shape.sharing.forTasks(hardware, usage, kind, node, each) / each;
    }
    for (int gpu = 0; gpu < hardware.gpus(node); gpu++) {
      long free = usage.freeOn(gpu, kind, node);
      boolean tooFew = ofTasks && each > free;
      if (free > 0 && !tooFew) {
        most = shape.sharing.several() ? most : Math.max(most, free);
        add(hardware.coresOfGpu(node, gpu), free, 1L << gpu);
      }
    }
  }

  private void addDevices(Usage usage, int kind) {
    GresDevices devices = hardware.devices[kind][node];
    long busy = usage.takenDevices(kind, node);
    for (int d = 0; d < devices.count(); d++) {
      long bit = 1L << devices.firstIndex() + d;
      if ((busy & 1L << d) != 0) {
        taken |= bit;
      } else {
        add(d < devices.cores().size() ? devices.cores().get(d) : IndexSet.EMPTY, 1, bit);
      }
    }
  }

  private void add(IndexSet cores, long count, long bit) {
    int per = hardware.coresPerSocket[node];
    boolean[] near = new boolean[bySocket.length];
    int sockets = 0;
    for (int s = 0; s < near.length; s++) {
      near[s] = cores.intersects(IndexSet.range(s * per, (s + 1) * per - 1));
      sockets += near[s] ? 1 : 0;
    }
    total += count;
    if (sockets == 0 || sockets == near.length) {
      any += count;
      open[near.length] |= bit;
      return;
    }
    for (int s = 0; s < near.length; s++) {
      bySocket[s] += near[s] ? count : 0;
      open[s] |= near[s] ? bit : 0;
    }
  }

  private void limitSockets(long each) {
    for (int s = 0; s < bySocket.length; s++) {
      long left = bySocket[s] < each ? 0 : each;
      total -= bySocket[s] - left;
      bySocket[s] = left;
    }
  }
}
