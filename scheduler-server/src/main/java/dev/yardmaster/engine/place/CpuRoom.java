package dev.yardmaster.engine.place;

import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * How many CPUs of one node a shape could use, socket by socket, whatever their memory and devices
 * say: free cores, whole sockets with CR_Socket, MaxCPUsPerSocket and MaxCPUsPerNode of the
 * partition, and what the job says about sockets, cores and threads. One object is used over and
 * over: {@link #measure} fills it.
 */
final class CpuRoom {
  private static final int UNLIMITED = Integer.MAX_VALUE;

  private final Hardware hardware;

  /** CPUs that tasks of the shape could use; 0 when none of it fits. */
  int cpus;

  /** Tasks for which there are CPUs. */
  int tasks;

  /** CPUs of all cores that it may have, whatever its tasks can use of them. */
  int free;

  /** CPUs that the shape could use if it were content with any number. */
  int offered;

  private int[] open = new int[8];
  private int partitionLeft;
  private int perCore;
  private int usable;

  CpuRoom(Hardware hardware) {
    this.hardware = hardware;
  }

  /**
   * Measures a node.
   *
   * @param local the cores that it insists on; no words for any
   * @return whether a task fits; whether all that one node must host do, {@link #holdsAll} says
   */
  boolean measure(Shape shape, int node, Usage usage, long[] local, @Nullable Sharer sharer) {
    tasks = 0;
    cpus = 0;
    perCore = shape.cpusPerCore(hardware.cpusPerCore[node]);
    int cores = openCores(shape, node, usage, local, sharer);
    offered = cores * perCore;
    if (cores < 1 || cores * perCore < shape.leastCpusPerNode) {
      return false;
    }
    usable = 0;
    int perSocket = shape.request.tasksPerSocket();
    for (int s = 0; s < hardware.sockets[node]; s++) {
      int there = open[s] * perCore;
      usable += there;
      tasks += perSocket > 0 ? Math.min(there, perSocket) : there;
    }
    int perNode = shape.request.tasksPerNode();
    if (perNode > 0 && !shape.exclusive && shape.request.cpusPerGpu() == 0) {
      tasks = Math.min(tasks, perNode);
    }
    if (shape.demands.isEmpty()) {
      limitToTasks(shape);
    }
    if ((perNode > 0 && tasks < perNode) || usable < shape.leastCpusPerNode) {
      tasks = 0;
      return false;
    }
    cpus = Math.min(countKept(shape, node), partitionLeft);
    tasks = Math.min(tasks, cpus / shape.cpusPerTask);
    return tasks > 0;
  }

  /** Whether the measured node has the CPUs for all tasks that one node must host. */
  boolean holdsAll(Shape shape) {
    return shape.linear || cpus >= shape.cpusOfOneNode;
  }

  /** select/linear: all CPUs of a node count, however many of them tasks can use. */
  boolean measureWhole(Shape shape, int node) {
    int perNode = shape.request.tasksPerNode();
    free = hardware.cpus[node];
    offered = free;
    cpus = perNode > 0 ? Math.min(free, perNode * shape.cpusPerTask) : free;
    tasks = cpus / shape.cpusPerTask;
    return tasks > 0 && free >= shape.leastCpusPerNode;
  }

  /** The cores that the measured node would offer, the first ones of each socket. */
  BitSet kept(Shape shape, int node, Usage usage, long[] local, @Nullable Sharer sharer) {
    BitSet kept = new BitSet();
    int left = usable;
    int most = mostOfSocket(shape, node);
    int[] taken = new int[hardware.sockets[node]];
    int rest = shape.cpusPerTask;
    for (int c = 0; c < taken.length * hardware.coresPerSocket[node] && left > 0; c++) {
      int s = c / hardware.coresPerSocket[node];
      boolean allowed = local.length == 0 || (local[c >> 6] & 1L << c) != 0;
      if (allowed && taken[s] < Math.min(open[s], most) && usage.isFree(node, c, sharer)) {
        kept.set(c);
        taken[s]++;
        int used = usedOf(shape, left, rest);
        left -= used;
        rest = rest <= used ? shape.cpusPerTask : rest - used;
      }
    }
    return kept;
  }

  /** Whether a socket of the measured node has a core that may be used. */
  boolean isOpen(int socket) {
    return open[socket] > 0;
  }

  /** Fills {@link #open}: the cores of each socket that may be used. */
  private int openCores(Shape shape, int node, Usage usage, long[] local, @Nullable Sharer sharer) {
    int sockets = hardware.sockets[node];
    if (open.length < sockets) {
      open = new int[sockets];
    }
    int threads = hardware.cpusPerCore[node];
    CpuLimit limit = shape.cpuLimit;
    int cores = 0;
    int used = 0;
    for (int s = 0; s < sockets; s++) {
      int here = usage.freeCores(node, s, local, sharer);
      int taken = limit == null ? 0 : usage.limitedCpus(node, s, limit);
      if (shape.countsSockets && here < hardware.usableCoresOf(node, s)) {
        taken = limit == null ? 0 : taken + here * threads;
        here = 0;
      } else if (limit != null && taken >= limit.perSocket()) {
        here = 0;
      } else if (limit != null) {
        here = Math.min(here, limit.perSocket() / threads);
      }
      open[s] = here;
      cores += here;
      used += taken;
    }
    free = cores * threads;
    partitionLeft = UNLIMITED;
    if (limit != null && limit.perNode() != UNLIMITED && free + used > limit.perNode()) {
      partitionLeft = limit.perNode() - used;
      boolean tooFew = partitionLeft == 1 && shape.cpusPerTask > 1;
      if (shape.whole || partitionLeft <= 0 || tooFew) {
        return 0;
      }
    }
    return withoutSmallSockets(shape, sockets, cores);
  }

  private int withoutSmallSockets(Shape shape, int sockets, int cores) {
    int least = Math.max(1, shape.request.coresPerSocket());
    int left = cores;
    int large = 0;
    for (int s = 0; s < sockets; s++) {
      if (open[s] < least) {
        left -= open[s];
        open[s] = 0;
      } else {
        large++;
      }
    }
    return large < shape.request.socketsPerNode() ? 0 : left;
  }

  /** No more CPUs than whole tasks can use; a job with devices is limited by these later. */
  private void limitToTasks(Shape shape) {
    int perTask = shape.cpusPerTask;
    if (perTask < 2) {
      usable = tasks;
    } else if (shape.oneTaskPerCore() && perTask > perCore) {
      int cpusOfCores = (perTask + perCore - 1) / perCore * perCore;
      usable = usable / cpusOfCores * perTask;
    } else {
      tasks = Math.min(tasks, usable / perTask);
      usable = tasks * perTask;
    }
  }

  /** Cores of a socket that --ntasks-per-socket leaves. */
  private int mostOfSocket(Shape shape, int node) {
    int perSocket = shape.request.tasksPerSocket();
    int most = hardware.coresPerSocket[node];
    return perSocket == 0
        ? most
        : Math.min(most, (perSocket * shape.cpusPerTask + perCore - 1) / perCore);
  }

  private int countKept(Shape shape, int node) {
    int most = mostOfSocket(shape, node);
    boolean split = shape.oneTaskPerCore() && shape.cpusPerTask > perCore;
    if (!split) {
      int cores = 0;
      for (int s = 0; s < hardware.sockets[node]; s++) {
        cores += Math.min(open[s], most);
      }
      return Math.min(usable, cores * perCore);
    }
    int left = usable;
    int rest = shape.cpusPerTask;
    for (int s = 0; s < hardware.sockets[node]; s++) {
      for (int c = 0; c < Math.min(open[s], most) && left > 0; c++) {
        int used = usedOf(shape, left, rest);
        left -= used;
        rest = rest <= used ? shape.cpusPerTask : rest - used;
      }
    }
    return usable - left;
  }

  private int usedOf(Shape shape, int left, int rest) {
    boolean split = shape.oneTaskPerCore() && shape.cpusPerTask > perCore;
    return Math.min(left, left >= perCore && split ? Math.min(rest, perCore) : perCore);
  }
}
