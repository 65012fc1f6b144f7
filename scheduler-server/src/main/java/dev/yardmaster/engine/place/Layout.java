package dev.yardmaster.engine.place;

import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.SchedulingPolicy;
import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.model.text.Distribution.Within;
import java.util.BitSet;

/**
 * Chooses cores of one node for a number of CPUs, of those that {@link CpuRoom#kept} offers: round
 * the sockets (block:cyclic, the default), or socket by socket, the tightest first (block:block,
 * planes, and CR_CORE_DEFAULT_DIST_BLOCK; always where single CPUs are allocated). With CR_Socket a
 * socket that it takes a core of is its own as a whole.
 */
final class Layout {
  private final Shape shape;
  private final int sockets;
  private final int cores;
  private final int perCore;
  private final BitSet offered;
  private final BitSet taken = new BitSet();
  private int left;
  private int restOfTask;

  Layout(Hardware hardware, Shape shape, int node, BitSet offered) {
    this.shape = shape;
    this.offered = offered;
    sockets = hardware.sockets[node];
    cores = hardware.coresPerSocket[node];
    perCore = shape.cpusPerCore(hardware.cpusPerCore[node]);
    restOfTask = shape.cpusPerTask;
  }

  /** The cores for so many CPUs; with CR_Socket whole sockets. */
  BitSet choose(int cpus) {
    left = cpus;
    if (shape.coresInBlocks || !(shape.countsCores || shape.countsSockets)) {
      bySocket(cpus);
    } else {
      roundSockets();
    }
    for (int s = 0; shape.countsSockets && s < sockets; s++) {
      if (!taken.get(s * cores, (s + 1) * cores).isEmpty()) {
        taken.set(s * cores, (s + 1) * cores);
      }
    }
    return taken;
  }

  /**
   * Whether a job gets cores socket by socket: by its second level of distribution, or in planes;
   * of one that says nothing of sockets, CR_CORE_DEFAULT_DIST_BLOCK decides.
   */
  static boolean inBlocks(JobRequest request, SchedulingPolicy policy) {
    Distribution wish = request.distribution();
    if (wish != null && wish.nodes() == Distribution.Nodes.PLANE) {
      return true;
    }
    return switch (wish == null ? Within.DEFAULT : wish.sockets()) {
      case BLOCK -> true;
      case CYCLIC, FCYCLIC -> false;
      case DEFAULT -> policy.selectParameters().contains("CR_CORE_DEFAULT_DIST_BLOCK");
    };
  }

  private boolean splitsTasks() {
    return shape.oneTaskPerCore() && shape.cpusPerTask > perCore;
  }

  private void take(int core) {
    taken.set(core);
    int used = splitsTasks() ? Math.min(restOfTask, perCore) : perCore;
    restOfTask = restOfTask <= used ? shape.cpusPerTask : restOfTask - used;
    left = left < perCore ? 0 : Math.max(0, left - used);
  }

  private int offeredOn(int socket) {
    return offered.get(socket * cores, (socket + 1) * cores).cardinality();
  }

  private int next(int socket) {
    for (int c = socket * cores; c < (socket + 1) * cores; c++) {
      if (offered.get(c) && !taken.get(c)) {
        return c;
      }
    }
    return -1;
  }

  private void roundSockets() {
    boolean[] avoided = new boolean[sockets];
    if (shape.request.tasksPerSocket() > 0) {
      avoidSockets(avoided);
    } else if (shape.cpusPerTask > 1) {
      wholeTasks();
    }
    for (int before = -1; left > 0 && left != before; ) {
      before = left;
      for (int s = 0; s < sockets && left > 0; s++) {
        int core = avoided[s] ? -1 : next(s);
        if (core >= 0) {
          taken.set(core);
          left = left < perCore ? 0 : left - perCore;
        }
      }
    }
  }

  /** Tasks of several CPUs are kept on one socket as long as there is one. */
  private void wholeTasks() {
    for (int s = 0; s < sockets && left > 0; s++) {
      int here = offeredOn(s) * perCore;
      here -= here % shape.cpusPerTask;
      for (int core = next(s); core >= 0 && here > 0 && left > 0; core = next(s)) {
        int used = splitsTasks() ? Math.min(restOfTask, perCore) : perCore;
        here = here < perCore ? 0 : here - used;
        take(core);
      }
    }
  }

  /** --ntasks-per-socket: sockets that are not needed are left alone, the first ones first. */
  private void avoidSockets(boolean[] avoided) {
    int most = shape.request.tasksPerSocket() * shape.cpusPerTask;
    int[] there = new int[sockets];
    int total = 0;
    for (int s = 0; s < sockets; s++) {
      there[s] = offeredOn(s) * perCore;
      total += there[s];
    }
    for (int s = 0; s < sockets && total > left; s++) {
      if (there[s] > most) {
        total -= there[s] - most;
        there[s] = most;
      }
    }
    for (int s = 0; s < sockets && total > left; s++) {
      if (there[s] <= most && total - there[s] >= left) {
        avoided[s] = true;
        total -= there[s];
      }
    }
  }

  private void bySocket(int cpus) {
    int needed = (cpus + perCore - 1) / perCore;
    if (splitsTasks()) {
      int perTask = (shape.cpusPerTask + perCore - 1) / perCore;
      needed = cpus / shape.cpusPerTask * perTask;
    }
    boolean[] used = new boolean[sockets];
    while (left > 0) {
      int best = -1;
      for (int s = 0; s < sockets; s++) {
        best = !used[s] && tighter(s, best, needed) ? s : best;
      }
      if (best < 0) {
        return;
      }
      used[best] = true;
      for (int core = next(best); core >= 0 && left > 0; core = next(best)) {
        take(core);
      }
    }
  }

  private boolean tighter(int socket, int best, int needed) {
    int here = offeredOn(socket);
    if (here == 0 || best < 0) {
      return here > 0;
    }
    int there = offeredOn(best);
    return here >= needed ? there < needed || here < there : here > there;
  }
}
