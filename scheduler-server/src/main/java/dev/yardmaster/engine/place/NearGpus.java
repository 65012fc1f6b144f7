package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.MemoryRequest;

/**
 * What a node weighs where there is a choice: of nodes of equal Weight (slurm.conf) those come
 * first that have more free GPUs near free cores, up to as many as the job can want of one node.
 */
final class NearGpus {
  /** One more than the GPUs that are told apart. */
  private static final int LEVELS = 256;

  private NearGpus() {}

  /** What a node weighs that no job with GPUs was tried on. */
  static int untried(Hardware hardware, int node) {
    return hardware.weight(node) * LEVELS;
  }

  /** So much of Weight (slurm.conf), on this scale. */
  static int ofWeight(int weight) {
    return weight * LEVELS;
  }

  static int weightOf(Hardware hardware, int node, int near) {
    return hardware.weight(node) * LEVELS + LEVELS - 1 - Math.min(LEVELS - 1, near);
  }

  /** What a node weighs for a shape by its GPUs that are free now. */
  static int weightOf(Hardware hardware, Usage usage, int node, Shape shape, Fit fit) {
    int near = 0;
    for (Shape.Demand demand : shape.demands) {
      boolean isGpu = demand.request().name().equals("gpu");
      near += isGpu ? of(hardware, usage, node, shape, demand, fit) : 0;
    }
    return weightOf(hardware, node, near);
  }

  private static int of(
      Hardware hardware, Usage usage, int node, Shape shape, Shape.Demand demand, Fit fit) {
    long near = 0;
    for (int kind : demand.kinds()) {
      near += near(hardware, usage, node, shape, kind, fit);
    }
    return (int) Math.min(near, most(hardware, usage, node, shape, demand, fit));
  }

  private static long near(
      Hardware hardware, Usage usage, int node, Shape shape, int kind, Fit fit) {
    GresDevices devices = hardware.devices[kind][node];
    if (devices.cores().isEmpty()) {
      return usage.freeGres(kind, node);
    }
    long near = 0;
    for (int d = 0; d < devices.count(); d++) {
      if ((usage.takenDevices(kind, node) & 1L << d) == 0) {
        int socket =
            d < devices.cores().size() ? hardware.socketOf(node, devices.cores().get(d)) : -1;
        near += socket < 0 || fit.freeCores(shape, node, socket, usage) > 0 ? 1 : 0;
      }
    }
    return near;
  }

  /** As many as the job can want of one node. */
  private static long most(
      Hardware hardware, Usage usage, int node, Shape shape, Shape.Demand demand, Fit fit) {
    long count = demand.request().count();
    long most =
        switch (demand.request().scope()) {
          case NODE, JOB -> shape.whole ? LEVELS : count;
          case TASK -> shape.whole ? LEVELS : count * shape.tasks;
          case SOCKET -> LEVELS;
        };
    if (shape.countsMemory
        && shape.request.memory() instanceof MemoryRequest.PerGpu(long mib)
        && mib > 0) {
      most = Math.min(most, usage.freeMemory(node) / mib);
    }
    int cpus = shape.cpusPerGpu();
    if (cpus > 0) {
      int free = fit.freeCores(shape, node, usage) * hardware.cpusPerCore[node];
      most = Math.min(most, free / cpus);
    }
    return most;
  }

  /**
   * Devices that are counted over the job which one node may give: each further node that the job
   * needs has to give one as well.
   */
  static long mostOfOneNode(Shape shape, Shape.Demand demand) {
    long most = demand.request().count() - (shape.minNodes() - 1);
    return shape.whole ? Long.MAX_VALUE : Math.max(1, most);
  }

  /** Whether there may be devices for which there are no CPUs on their socket. */
  static boolean mayLackCpus(
      Hardware hardware, Usage usage, int node, Shape shape, Shape.Demand demand, Fit fit) {
    if (fit.perDevice(shape, demand) > 0) {
      return true;
    }
    for (int s = 0; s < hardware.sockets[node]; s++) {
      if (fit.freeCores(shape, node, s, usage) == 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Free devices as far as a core is free on their socket, and the CPUs that go with each
   * (--cpus-per-gpu).
   */
  static long withCpus(
      Hardware hardware, Usage usage, int node, Shape shape, Shape.Demand demand, Fit fit) {
    long total = 0;
    for (int open : openWithCpus(hardware, usage, node, shape, demand, fit)) {
      total += open;
    }
    return total;
  }

  /** The same by socket, and at the end those that are near to no socket. */
  static int[] openWithCpus(
      Hardware hardware, Usage usage, int node, Shape shape, Shape.Demand demand, Fit fit) {
    int[] open = openBySocket(hardware, usage, node, demand);
    int per = fit.perDevice(shape, demand);
    for (int s = 0; s < open.length - 1; s++) {
      int cores = fit.freeCores(shape, node, s, usage);
      int cpus = cores * hardware.cpusPerCore[node];
      open[s] = cores == 0 ? 0 : per > 0 ? Math.min(open[s], cpus / per) : open[s];
    }
    return open;
  }

  /** Of each socket as many devices as are asked for of a socket, where it has them. */
  static long onSockets(Hardware hardware, Usage usage, int node, Shape.Demand demand) {
    int[] open = openBySocket(hardware, usage, node, demand);
    if (open[open.length - 1] > 0) {
      return Long.MAX_VALUE;
    }
    long count = demand.request().count();
    long total = 0;
    for (int free : open) {
      total += free >= count ? count : 0;
    }
    return total;
  }

  /** Free devices by socket, and at the end those that are near to no socket. */
  static int[] openBySocket(Hardware hardware, Usage usage, int node, Shape.Demand demand) {
    int sockets = hardware.sockets[node];
    int[] open = new int[sockets + 1];
    for (int kind : demand.kinds()) {
      GresDevices devices = hardware.devices[kind][node];
      if (devices.cores().isEmpty()) {
        open[sockets] += (int) Math.min(Integer.MAX_VALUE / 2, usage.freeGres(kind, node));
        continue;
      }
      for (int d = 0; d < devices.count(); d++) {
        boolean near = d < devices.cores().size();
        int socket = near ? hardware.socketOf(node, devices.cores().get(d)) : -1;
        boolean free = (usage.takenDevices(kind, node) & 1L << d) == 0;
        open[socket < 0 ? sockets : socket] += free ? 1 : 0;
      }
    }
    return open;
  }
}
