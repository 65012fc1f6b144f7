package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Chooses cores on a node: task by task round the sockets (slurm's default distribution
 * block:cyclic), from the lowest free core of each; with {@code --ntasks-per-node} socket by
 * socket. With CR_Socket a socket that it takes a core of is its own as a whole.
 */
final class Cores {
  private final Hardware hardware;
  private final Usage usage;
  private final int node;
  private final @Nullable Sharer sharer;
  private final Shape shape;
  private final long[] local;
  private final BitSet taken = new BitSet();

  /** By socket, the cores that it may have there. */
  private final int[] left;

  /** The sockets with the devices of the job; empty when these are near to none. */
  private final TreeSet<Integer> required = new TreeSet<>();

  private Cores(
      Hardware hardware, Usage usage, int node, Shape shape, Fit fit, @Nullable Sharer sharer) {
    this.hardware = hardware;
    this.usage = usage;
    this.node = node;
    this.sharer = sharer;
    this.shape = shape;
    left = new int[hardware.sockets[node]];
    Arrays.fill(left, Integer.MAX_VALUE);
    local = fit.localCores(shape, node, usage);
  }

  /** All cores that jobs may use. */
  static IndexSet all(Hardware hardware, int node) {
    BitSet set = new BitSet();
    for (int core = 0; core < hardware.sockets[node] * hardware.coresPerSocket[node]; core++) {
      int word = node * hardware.coreWords + (core >> 6);
      if ((hardware.usableCores[word] & 1L << core) != 0) {
        set.set(core);
      }
    }
    return IndexSet.of(set);
  }

  /**
   * Takes cores for some tasks.
   *
   * @param mostTasks tasks for which there is room on the node, of those of the job
   * @param devices how many devices of demands with Cores= the job gets on this node
   * @param fit how the node was measured; knows with whom cores may be shared
   */
  static IndexSet take(
      Hardware hardware,
      Usage usage,
      int node,
      Shape shape,
      int tasks,
      int mostTasks,
      int cpus,
      long devices,
      Fit fit) {
    Cores cores = new Cores(hardware, usage, node, shape, fit, fit.sharer(shape));
    int perCore = shape.cpusPerCore(hardware.cpusPerCore[node]);
    int needed = (cpus + perCore - 1) / perCore;
    int chunk = Math.max(1, (shape.cpusPerTask + perCore - 1) / perCore);
    int each = chunk;
    if (shape.request.tasksPerNode() > 0) {
      chunk = needed;
    }
    if (!shape.countsCores && !shape.countsSockets) {
      return cores.packed(needed);
    }
    boolean loneGresTask =
        shape.tasks <= shape.minNodes
            && tasks == 1
            && chunk == 1
            && needed == 1
            && !shape.demands.isEmpty();
    boolean leaves = shape.request.tasksGiven() && !shape.countsSockets && !shape.demands.isEmpty();
    long wanted =
        leaves
            ? Math.max(needed, ((long) mostTasks * shape.cpusPerTask + perCore - 1) / perCore)
            : Long.MAX_VALUE;
    if (cores.near(shape, needed, devices, each, wanted)) {
      return cores.inUnits();
    }
    if (leaves) {
      cores.leave(wanted);
    }
    int socket = loneGresTask ? hardware.sockets[node] - 1 : 0;
    int step = loneGresTask ? -1 : 1;
    int sockets = hardware.sockets[node];
    for (int idle = 0; cores.taken.cardinality() < needed && idle < sockets; ) {
      int want = Math.min(chunk, needed - cores.taken.cardinality());
      int got = cores.fromSocket(socket, want);
      idle = got == 0 ? idle + 1 : 0;
      if (got < want && got > 0) {
        chunk = Math.max(1, want - got);
      }
      socket = Math.floorMod(socket + step, sockets);
    }
    return cores.inUnits();
  }

  /**
   * Leaves so many cores: those on sockets that the devices do not need are given up first; then
   * evenly, one after the other of the socket that has most, of equal ones the first.
   */
  private void leave(long wanted) {
    int total = 0;
    for (int s = 0; s < left.length; s++) {
      left[s] = usage.freeCores(node, s, local, sharer);
      total += left[s];
    }
    for (int s = 0; s < left.length && !required.isEmpty() && total > wanted; s++) {
      if (!required.contains(s)) {
        int given = (int) Math.min(left[s], total - wanted);
        left[s] -= given;
        total -= given;
      }
    }
    for (; total > wanted; total--) {
      int fullest = -1;
      for (int s = 0; s < left.length; s++) {
        boolean needed = required.isEmpty() || required.contains(s);
        fullest = needed && (fullest < 0 || left[s] > left[fullest]) ? s : fullest;
      }
      left[fullest]--;
    }
  }

  /** Whether a job may have cores of a socket at all: with CR_Socket only where all are free. */
  static boolean isOpen(
      Hardware hardware, Usage usage, int node, int socket, Shape shape, @Nullable Sharer sharer) {
    return !shape.countsSockets
        || usage.freeCores(node, socket, sharer) == hardware.usableCoresOf(node, socket);
  }

  /** What was taken, with CR_Socket the whole of each socket. */
  private IndexSet inUnits() {
    int perSocket = hardware.coresPerSocket[node];
    for (int s = 0; shape.countsSockets && s < hardware.sockets[node]; s++) {
      boolean used = !taken.get(s * perSocket, (s + 1) * perSocket).isEmpty();
      for (int c = s * perSocket; used && c < (s + 1) * perSocket; c++) {
        if (usage.isFree(node, c, sharer)) {
          taken.set(c);
        }
      }
    }
    return IndexSet.of(taken);
  }

  /** CR_CPU: the socket that they fill most tightly, else socket by socket. */
  private IndexSet packed(int needed) {
    int best = -1;
    for (int s = 0; s < hardware.sockets[node]; s++) {
      int free = usage.freeCores(node, s, sharer);
      if (free >= needed && (best < 0 || free < usage.freeCores(node, best, sharer))) {
        best = s;
      }
    }
    if (best >= 0) {
      fromSocket(best, needed);
    }
    for (int s = 0; s < hardware.sockets[node] && taken.cardinality() < needed; s++) {
      fromSocket(s, needed - taken.cardinality());
    }
    return IndexSet.of(taken);
  }

  /**
   * Where devices have Cores=: the cores come from the sockets with the most free cores that have
   * enough of the devices together, and from these in turn.
   */
  private boolean near(Shape shape, int needed, long devices, int chunk, long wanted) {
    List<Integer> sockets = new ArrayList<>();
    for (int s = 0; s < hardware.sockets[node]; s++) {
      if (isOpen(hardware, usage, node, s, shape, sharer)) {
        sockets.add(s);
      }
    }
    sockets.sort(Comparator.comparingInt(s -> -usage.freeCores(node, s, sharer)));
    long missing = devices;
    int free = 0;
    for (int s : sockets) {
      long here = freeNear(shape, s);
      if (missing > 0 && here > 0 && usage.freeCores(node, s, sharer) > 0) {
        missing -= here;
        free += usage.freeCores(node, s, sharer);
        required.add(s);
      }
    }
    if (missing > 0) {
      required.clear();
    }
    if (free < needed || required.isEmpty()) {
      return false;
    }
    if (wanted < Long.MAX_VALUE && (shape.mostNodes == 1 || shape.jobGres() == 0)) {
      leave(wanted);
    }
    int each = required.size() == 1 ? needed : chunk;
    for (int before = -1; before != taken.cardinality() && taken.cardinality() < needed; ) {
      before = taken.cardinality();
      for (int s : required) {
        fromSocket(s, Math.min(each, needed - taken.cardinality()));
      }
    }
    if (taken.cardinality() < needed) {
      required.clear();
    }
    return taken.cardinality() == needed;
  }

  private long freeNear(Shape shape, int socket) {
    long free = 0;
    for (Shape.Demand demand : shape.demands) {
      for (int kind : demand.kinds()) {
        GresDevices devices = hardware.devices[kind][node];
        for (int d = 0; d < devices.cores().size() && d < devices.count(); d++) {
          boolean open = (usage.deviceMask[kind][node] & 1L << d) == 0;
          free += open && hardware.socketOf(node, devices.cores().get(d)) == socket ? 1 : 0;
        }
      }
    }
    return free;
  }

  private int fromSocket(int socket, int want) {
    if (!isOpen(hardware, usage, node, socket, shape, sharer)) {
      return 0;
    }
    int first = socket * hardware.coresPerSocket[node];
    int last = first + hardware.coresPerSocket[node];
    int most =
        Math.min(
            want, Math.min(left[socket], mostOf(socket)) - taken.get(first, last).cardinality());
    int got = 0;
    for (int c = first; c < last && got < most; c++) {
      boolean allowed = local.length == 0 || (local[c >> 6] & 1L << c) != 0;
      if (allowed && !taken.get(c) && usage.isFree(node, c, sharer)) {
        taken.set(c);
        got++;
      }
    }
    return got;
  }

  /** Cores of a socket that the job may have: --ntasks-per-socket, MaxCPUsPerSocket. */
  private int mostOf(int socket) {
    int perCore = shape.cpusPerCore(hardware.cpusPerCore[node]);
    int most = Integer.MAX_VALUE;
    if (shape.request.tasksPerSocket() > 0) {
      most = (shape.request.tasksPerSocket() * shape.cpusPerTask + perCore - 1) / perCore;
    }
    CpuLimit limit = shape.cpuLimit;
    return limit == null || limit.perSocket() == Integer.MAX_VALUE
        ? most
        : Math.min(most, limit.perSocket() / hardware.cpusPerCore[node]);
  }
}
