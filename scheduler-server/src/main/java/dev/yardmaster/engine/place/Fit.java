package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Cause;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import org.jspecify.annotations.Nullable;

/**
 * How much of a shape one node can host. One object is used over and over: {@link #test} fills it.
 *
 * <p>Asked about an empty node it says whether the node could ever serve ({@code TOO_FEW_CPUS} …),
 * about the present usage whether it can now ({@code CPUS_BUSY} …). Both are the same arithmetic.
 */
public final class Fit {
  private final Hardware hardware;

  /**
   * Tasks that fit; 0 after a test that failed, unless for nothing but a resource that is counted
   * over the job.
   */
  int tasks;

  /** CPUs for these tasks, before rounding up to cores. */
  int cpus;

  /**
   * Devices of the first demand that is counted over the job, available here; of a job of one node
   * also where they are too few.
   */
  long jobGres;

  private String detail = "";

  private long has;

  private boolean lacksJobGres;

  /** Whether cores that others share are left out even for a job that may share them. */
  boolean idleOnly;

  public Fit(Hardware hardware) {
    this.hardware = hardware;
  }

  /** Whether the last test failed for nothing but a resource that is counted over the job. */
  public boolean lacksJobGres() {
    return lacksJobGres;
  }

  /** Whether the node, though it failed the last test, is one that a job of one node tries. */
  public boolean hasPartOfJobGres() {
    return lacksJobGres && jobGres > 0;
  }

  /** What the last failed test was about, for example {@code gpu:h100}; else empty. */
  public String detail() {
    return detail;
  }

  /** What the node has of what the last failed test found too little; 0 when it is no amount. */
  public long has() {
    return has;
  }

  /**
   * Tests one node.
   *
   * @param empty whether {@code usage} stands for nodes without jobs
   * @return why the node does not fit, or null when it does
   */
  public @Nullable Cause test(Shape shape, int node, Usage usage, boolean empty, int uid) {
    tasks = 0;
    cpus = 0;
    jobGres = 0;
    detail = "";
    has = 0;
    lacksJobGres = false;
    JobRequest r = shape.request;
    if (!empty) {
      if (usage.again.isBlocked(node) || (shape.unitAlone && !isIdleUnit(shape, node, usage))) {
        return Cause.NOT_WHOLE;
      }
      if (shape.whole && usage.jobs[node] > 0) {
        return Cause.NOT_WHOLE;
      }
      boolean others = usage.jobs[node] > 0 && usage.user[node] != uid;
      if (others && (shape.forUserAlone || usage.userOnly[node] > 0)) {
        return Cause.EXCLUSIVE_OTHER;
      }
    }
    int usable = usableCpus(shape, node, usage);
    int room = usable / shape.cpusPerTask;
    if (r.tasksPerSocket() > 0) {
      room = Math.min(room, tasksOnSockets(shape, node, usage));
    }
    if (r.tasksPerNode() > 0) {
      room = Math.min(room, r.tasksPerNode());
    }
    int least = Math.max(1, shape.exactTasksPerNode);
    if (room < least
        || usable < r.minCpusPerNode()
        || r.socketsPerNode() > hardware.sockets[node]
        || r.coresPerSocket() > hardware.coresPerSocket[node]
        || r.threadsPerCore() > hardware.cpusPerCore[node]) {
      has = room < least || usable < r.minCpusPerNode() ? usable : 0;
      return empty ? Cause.TOO_FEW_CPUS : Cause.CPUS_BUSY;
    }
    if (empty && r.tmpDiskMib() > hardware.specs.get(node).tmpDiskMib()) {
      has = hardware.specs.get(node).tmpDiskMib();
      return Cause.TOO_LITTLE_DISK;
    }
    if (shape.countsMemory) {
      room = Math.min(room, roomByMemory(shape, node, usage, empty));
      if (room < least) {
        has = usage.freeMemory(node);
        return empty ? Cause.TOO_LITTLE_MEMORY : Cause.MEMORY_BUSY;
      }
    }
    for (Shape.Demand demand : shape.demands) {
      long free = free(shape, demand, node, usage, empty);
      long needed = neededHere(shape, demand, least);
      if (free < needed) {
        detail = demand.text();
        has = free;
        lacksJobGres = demand.request().scope() == Scope.JOB;
        tasks = lacksJobGres ? room : 0;
        jobGres = shape.gathersOnOneNode() ? withCpus(shape, demand, free, usable) : 0;
        return empty ? lack(demand, node) : Cause.GRES_BUSY;
      }
      if (demand.request().scope() == Scope.TASK) {
        room = (int) Math.min(room, free / demand.request().count());
      } else if (demand.request().scope() == Scope.JOB && jobGres == 0) {
        jobGres = free;
        if (r.tasksPerGpu() > 0) {
          room = (int) Math.min(room, free * r.tasksPerGpu());
        }
      }
      if (r.cpusPerGpu() > 0 && demand.request().name().equals("gpu")) {
        if (demand.request().scope() == Scope.JOB) {
          jobGres = Math.min(jobGres, usable / r.cpusPerGpu());
        }
        if (usable < r.cpusPerGpu() * Math.max(1, needed)) {
          has = usable;
          lacksJobGres = shape.gathersOnOneNode() && jobGres > 0;
          tasks = lacksJobGres ? room : 0;
          return empty ? Cause.TOO_FEW_CPUS : Cause.CPUS_BUSY;
        }
      }
      if (demand.request().scope() == Scope.JOB
          && r.memory() instanceof MemoryRequest.PerGpu(long mib)
          && mib > 0
          && shape.countsMemory) {
        jobGres = Math.min(jobGres, usage.freeMemory(node) / mib);
        if (jobGres < 1) {
          has = usage.freeMemory(node);
          return empty ? Cause.TOO_LITTLE_MEMORY : Cause.MEMORY_BUSY;
        }
      }
    }
    tasks = room;
    cpus = room * shape.cpusPerTask;
    return null;
  }

  /** Cores of a socket that a shape can have; with CR_Socket all or none. */
  int freeCores(Shape shape, int node, int socket, Usage usage) {
    boolean open = Cores.isOpen(hardware, usage, node, socket, shape, sharer(shape));
    return open ? usage.freeCores(node, socket, sharer(shape)) : 0;
  }

  /** Cores of a node that a shape can have. */
  int freeCores(Shape shape, int node, Usage usage) {
    if (!shape.countsSockets) {
      return usage.freeCores(node, sharer(shape));
    }
    int free = 0;
    for (int s = 0; s < hardware.sockets[node]; s++) {
      free += freeCores(shape, node, s, usage);
    }
    return free;
  }

  /** As many devices as there are CPUs to go with them. */
  private static long withCpus(Shape shape, Shape.Demand demand, long devices, int cpus) {
    boolean withCpus = shape.request.cpusPerGpu() > 0 && demand.request().name().equals("gpu");
    return withCpus ? Math.min(devices, cpus / shape.request.cpusPerGpu()) : devices;
  }

  @Nullable Sharer sharer(Shape shape) {
    return idleOnly ? null : shape.sharer;
  }

  private int usableCpus(Shape shape, int node, Usage usage) {
    int perCore = shape.cpusPerCore(hardware.cpusPerCore[node]);
    CpuLimit limit = shape.cpuLimit;
    long[] local = Devices.localCores(hardware, usage, node, shape);
    if (limit == null && local.length == 0) {
      return freeCores(shape, node, usage) * perCore;
    }
    int usable = 0;
    for (int s = 0; s < hardware.sockets[node]; s++) {
      boolean open = Cores.isOpen(hardware, usage, node, s, shape, sharer(shape));
      int free = open ? usage.freeCores(node, s, local, sharer(shape)) * perCore : 0;
      usable += limit == null ? free : Math.min(free, usage.cpusLeft(node, s, limit));
    }
    return limit == null ? usable : Math.min(usable, usage.cpusLeft(node, limit));
  }

  /** {@code --ntasks-per-socket}: as many tasks as each socket has room for, up to that many. */
  private int tasksOnSockets(Shape shape, int node, Usage usage) {
    int perCore = shape.cpusPerCore(hardware.cpusPerCore[node]);
    int tasksThere = 0;
    for (int s = 0; s < hardware.sockets[node]; s++) {
      int free = freeCores(shape, node, s, usage) * perCore;
      tasksThere += Math.min(shape.request.tasksPerSocket(), free / shape.cpusPerTask);
    }
    return tasksThere;
  }

  /** Tasks that the free memory allows. */
  private int roomByMemory(Shape shape, int node, Usage usage, boolean empty) {
    long free = usage.freeMemory(node);
    return switch (shape.request.memory()) {
      case MemoryRequest.PerNode(long mib) -> {
        boolean fits = mib == 0 ? empty || usage.memoryUsed[node] == 0 : mib <= free;
        yield fits ? Integer.MAX_VALUE : 0;
      }
      case MemoryRequest.PerCpu(long mib) ->
          mib <= 0 ? Integer.MAX_VALUE : roomByMemoryPerCpu(shape, node, free, mib);
      case MemoryRequest.PerGpu(long mib) -> {
        long gpus = 0;
        for (Shape.Demand d : shape.demands) {
          if (d.request().name().equals("gpu")) {
            gpus += neededHere(shape, d, 1);
          }
        }
        yield mib * gpus <= free ? Integer.MAX_VALUE : 0;
      }
    };
  }

  /**
   * Memory per CPU is charged for every CPU allocated; with whole cores (CR_Core) that is every
   * thread of a core, and with whole nodes every CPU of the node.
   */
  private int roomByMemoryPerCpu(Shape shape, int node, long free, long mib) {
    if (shape.whole) {
      return mib * hardware.cpus[node] <= free ? Integer.MAX_VALUE : 0;
    }
    long cpusByMemory = free / mib;
    if (shape.countsSockets) {
      cpusByMemory -= cpusByMemory % hardware.cpusPerSocket(node);
    } else if (shape.countsCores) {
      cpusByMemory -= cpusByMemory % hardware.cpusPerCore[node];
    }
    return (int) Math.min(Integer.MAX_VALUE, cpusByMemory / shape.cpusPerTask);
  }

  /**
   * What a job can get of a resource. Parts of GPUs must come from one GPU, unless
   * SelectTypeParameters has MULTIPLE_SHARING_GRES_PJ; an empty node is judged by the total alone,
   * as Slurm does at submission.
   */
  private long free(Shape shape, Shape.Demand demand, int node, Usage usage, boolean empty) {
    long free = 0;
    for (int kind : demand.kinds()) {
      free +=
          hardware.kinds.get(kind).sharing() && !empty
              ? usage.freeShared(kind, node, shape.severalSharing)
              : usage.freeGres(kind, node);
    }
    return free;
  }

  /** What one node must at least have of it. */
  private long neededHere(Shape shape, Shape.Demand demand, int leastTasks) {
    long count = demand.request().count();
    return switch (demand.request().scope()) {
      case NODE -> count;
      case JOB -> shape.maxNodes == 1 ? count : 1;
      case TASK -> count * leastTasks;
      case SOCKET -> count * Math.max(1, shape.request.socketsPerNode());
    };
  }

  private Cause lack(Shape.Demand demand, int node) {
    long any = 0;
    long right = 0;
    for (int k = 0; k < hardware.kinds.size(); k++) {
      if (hardware.kinds.get(k).name().equals(demand.request().name())) {
        any += hardware.deviceCount(k, node);
      }
    }
    for (int kind : demand.kinds()) {
      right += hardware.deviceCount(kind, node);
    }
    return any == 0 ? Cause.LACKS_GRES : right == 0 ? Cause.WRONG_GRES_TYPE : Cause.TOO_FEW_GRES;
  }

  /** Whether nobody is on the block or leaf of a node. */
  private boolean isIdleUnit(Shape shape, int node, Usage usage) {
    long[] unit = hardware.unitOf(shape.topology, node);
    for (int n = Bits.next(unit, 0); n >= 0; n = Bits.next(unit, n + 1)) {
      if (usage.jobs[n] > 0 || usage.again.isBlocked(n)) {
        return false;
      }
    }
    return true;
  }
}
