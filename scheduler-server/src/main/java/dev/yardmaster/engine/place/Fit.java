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

  /** CPUs that a job could use here. */
  int cpus;

  /** CPUs that are free here, whatever devices the job could have beside them. */
  int freeCpus;

  /**
   * Devices of the first demand that is counted over the job, available here; of a job of one node
   * also where they are too few.
   */
  long jobGres;

  /** Free GPUs of the demands. */
  int gpus;

  private String detail = "";

  private long has;

  private boolean lacksJobGres;

  private final CpuRoom room;

  /** Whether cores that others share are left out even for a job that may share them. */
  boolean idleOnly;

  /** The right to share while fewer jobs are to have a core than may; null for as many as may. */
  @Nullable Sharer fewer;

  /** Whether each device of a job takes its part of the CPUs: see {@link Shape#cpusPerDevice}. */
  boolean evenly;

  /**
   * Only cores near to devices count, and devices only where a core, or all CPUs that go with them,
   * are free on their socket: Slurm tries that first.
   */
  boolean near;

  public Fit(Hardware hardware) {
    this.hardware = hardware;
    room = new CpuRoom(hardware);
  }

  /** Whether the last test failed for nothing but a resource that is counted over the job. */
  public boolean lacksJobGres() {
    return lacksJobGres;
  }

  /** Whether the node, though it failed the last test, is one that a job of one node tries. */
  public boolean hasPartOfJobGres() {
    return lacksJobGres && jobGres > 0;
  }

  /** The CPUs of the node that was tested last, and the cores that it offers. */
  CpuRoom room() {
    return room;
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
    freeCpus = 0;
    jobGres = 0;
    gpus = 0;
    detail = "";
    has = 0;
    lacksJobGres = false;
    JobRequest r = shape.request;
    if (shape.exclusive && usage.freeCores(node, null) < hardware.usableCoresOf(node)) {
      return Cause.NOT_WHOLE; // also where a reservation keeps cores and no job is
    }
    if (!empty) {
      boolean keeps = hardware.keepsUnits(shape.topology);
      if (keeps && (usage.again.isBlocked(node) || !hasIdleUnit(shape, node, usage))) {
        return Cause.NOT_WHOLE;
      }
      if (shape.whole && (usage.jobs[node] > 0 || (shape.allGres && usage.holdsGres(node)))) {
        return Cause.NOT_WHOLE;
      }
      boolean others = usage.jobs[node] > 0 && usage.user[node] != uid;
      if (others && (shape.forUserAlone || usage.userOnly[node] > 0)) {
        return Cause.EXCLUSIVE_OTHER;
      }
    }
    if (!measureCpus(shape, node, usage)) {
      has = room.offered;
      return empty ? Cause.TOO_FEW_CPUS : Cause.CPUS_BUSY;
    }
    int usable = room.cpus;
    int most = Math.min(room.tasks, r.tasksPerNode() > 0 ? r.tasksPerNode() : room.tasks);
    int least = Math.max(1, shape.exactTasksPerNode);
    if (empty && r.tmpDiskMib() > hardware.specs.get(node).tmpDiskMib()) {
      has = hardware.specs.get(node).tmpDiskMib();
      return Cause.TOO_LITTLE_DISK;
    }
    if (shape.countsMemory) {
      usable = usableByMemory(shape, node, usage, empty, usable);
      most = Math.min(most, usable / shape.cpusPerTask);
      if (usable < 1 || usable < r.tasksPerNode() || most < least) {
        has = usage.freeMemory(node);
        return empty ? Cause.TOO_LITTLE_MEMORY : Cause.MEMORY_BUSY;
      }
    }
    freeCpus = usable;
    for (Shape.Demand demand : shape.demands) {
      long free = free(shape, demand, node, usage, empty);
      if (demand.request().scope() == Scope.SOCKET) {
        free = Math.min(free, NearGpus.onSockets(hardware, usage, node, demand));
      } else if ((near || r.enforceBinding())
          && NearGpus.mayLackCpus(hardware, usage, node, shape, demand, this)) {
        free = Math.min(free, NearGpus.withCpus(hardware, usage, node, shape, demand, this));
      }
      gpus += demand.request().name().equals("gpu") ? (int) free : 0;
      if (shape.allGres && !hasAll(shape, demand, node, usage, empty)) {
        detail = demand.text();
        has = free;
        return empty ? lack(demand, node) : Cause.GRES_BUSY;
      }
      long needed = neededHere(shape, demand, least);
      if (free < needed) {
        detail = demand.text();
        has = free;
        lacksJobGres = demand.request().scope() == Scope.JOB;
        tasks = lacksJobGres ? most : 0;
        cpus = tasks * shape.cpusPerTask;
        jobGres = shape.gathersOnOneNode() ? withCpus(shape, demand, free, usable) : 0;
        return empty ? lack(demand, node) : Cause.GRES_BUSY;
      }
      if (r.overcommit() && demand.request().scope() == Scope.TASK && r.tasks() > shape.minNodes) {
        // each of its tasks wants a CPU beside its devices, and a node is taken with one
        has = usable;
        return empty ? Cause.TOO_FEW_CPUS : Cause.CPUS_BUSY;
      }
      boolean ofNode = demand.request().scope() == Scope.NODE;
      if (ofNode && r.tasksPerGpu() > 0 && demand.request().name().equals("gpu")) {
        most = (int) Math.min(most, needed * r.tasksPerGpu());
      }
      if (ofNode && shape.mostNodes > 1 && demand.request().name().equals("gpu")) {
        // of several nodes each has the CPUs that go with its GPUs, and no more
        int withGpus = (int) Math.min(usable, r.cpusPerGpu() * needed);
        usable = r.cpusPerGpu() > 0 ? withGpus : usable;
        most = Math.min(most, usable / shape.cpusPerTask);
      }
      if (demand.request().scope() == Scope.TASK) {
        most = (int) Math.min(most, free / demand.request().count());
      } else if (demand.request().scope() == Scope.JOB && jobGres == 0) {
        jobGres = Math.min(free, NearGpus.mostOfOneNode(shape, demand));
        if (r.tasksPerGpu() > 0) {
          // each GPU comes with all of its tasks
          jobGres = Math.min(jobGres, most / r.tasksPerGpu());
          most = (int) Math.min(most, jobGres * r.tasksPerGpu());
          if (jobGres == 0) {
            has = usable;
            return empty ? Cause.TOO_FEW_CPUS : Cause.CPUS_BUSY;
          }
        }
        if (evenly && shape.cpusPerDevice > 0) {
          jobGres = Math.min(jobGres, usable / shape.cpusPerDevice);
          most = (int) Math.min(most, jobGres * shape.cpusPerDevice / shape.cpusPerTask);
          if (jobGres == 0) {
            has = usable;
            return empty ? Cause.TOO_FEW_CPUS : Cause.CPUS_BUSY;
          }
        }
      }
      if (r.cpusPerGpu() > 0 && demand.request().name().equals("gpu")) {
        if (demand.request().scope() == Scope.JOB) {
          jobGres = Math.min(jobGres, usable / r.cpusPerGpu());
          long withGpus = r.cpusPerGpu() * jobGres;
          if (shape.mostNodes > 1 && withGpus >= (long) least * shape.cpusPerTask) {
            usable = (int) Math.min(usable, withGpus);
            most = Math.min(most, usable / shape.cpusPerTask);
          }
        }
        long comeWithCpus = gathersByDefault(shape) ? 1 : Math.max(1, needed);
        if (usable < r.cpusPerGpu() * comeWithCpus) {
          has = usable;
          lacksJobGres = shape.gathersOnOneNode() && jobGres > 0;
          tasks = lacksJobGres ? most : 0;
          cpus = tasks * shape.cpusPerTask;
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
    if (!room.holdsAll(shape)) {
      has = room.offered;
      return empty ? Cause.TOO_FEW_CPUS : Cause.CPUS_BUSY;
    }
    tasks = most;
    boolean byTasks = countsTasks(shape);
    int counted = r.tasksPerNode() > 0 ? most : Math.min(most, shape.mostTasksOnOne());
    cpus = byTasks ? Math.min(usable, counted * shape.cpusPerTask) : usable;
    return null;
  }

  /**
   * Whether DefCpuPerGPU gives the CPUs of GPUs gathered on one node, which need not all be there.
   */
  static boolean gathersByDefault(Shape shape) {
    return shape.gathersOnOneNode()
        && shape.request.cpusPerGpu() > 0
        && shape.askedCpus() < shape.minCpus;
  }

  /** Whether what a shape with devices can have of a node ends with its tasks there. */
  static boolean countsTasks(Shape shape) {
    return !shape.demands.isEmpty() && shape.request.cpusPerGpu() == 0 && !shape.whole;
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

  /** CPUs that each device of a demand is to have near to it; 0 where that is not known. */
  int perDevice(Shape shape, Shape.Demand demand) {
    if (shape.cpusPerGpu() > 0) {
      return demand.request().name().equals("gpu") ? shape.cpusPerGpu() : 0;
    }
    return evenly && demand.request().scope() == Scope.JOB ? shape.cpusPerDevice : 0;
  }

  /** As many devices as there are CPUs to go with them. */
  private static long withCpus(Shape shape, Shape.Demand demand, long devices, int cpus) {
    boolean withCpus = shape.request.cpusPerGpu() > 0 && demand.request().name().equals("gpu");
    return withCpus ? Math.min(devices, cpus / shape.request.cpusPerGpu()) : devices;
  }

  @Nullable Sharer sharer(Shape shape) {
    return idleOnly ? null : fewer == null ? shape.sharer : fewer;
  }

  /** Measures the CPUs of a node alone; whether a task fits. */
  boolean measureCpus(Shape shape, int node, Usage usage) {
    JobRequest r = shape.request;
    room.offered = 0;
    if (r.threadsPerCore() > hardware.cpusPerCore[node]
        || r.socketsPerNode() > hardware.sockets[node]
        || r.coresPerSocket() > hardware.coresPerSocket[node]
        || r.tasksPerSocket() > hardware.cpusPerSocket(node)) {
      return false;
    }
    if (shape.linear) {
      return room.measureWhole(shape, node);
    }
    return room.measure(shape, node, usage, localCores(shape, node, usage), sharer(shape));
  }

  /** The cores that the shape insists on at present; see {@link Devices#localCores}. */
  long[] localCores(Shape shape, int node, Usage usage) {
    return Devices.localCores(hardware, usage, node, shape, near, this);
  }

  /** Of some CPUs, those that the free memory allows. */
  private int usableByMemory(Shape shape, int node, Usage usage, boolean empty, int usable) {
    long free = usage.freeMemory(node);
    return switch (shape.request.memory()) {
      case MemoryRequest.PerNode(long mib) -> {
        boolean fits = mib == 0 ? empty || usage.memoryUsed[node] == 0 : mib <= free;
        yield fits ? usable : 0;
      }
      case MemoryRequest.PerCpu(long mib) ->
          mib <= 0 ? usable : usableByMemoryPerCpu(shape, node, free, empty, mib, usable);
      case MemoryRequest.PerGpu(long mib) -> {
        long gpus = 0;
        for (Shape.Demand d : shape.demands) {
          if (d.request().name().equals("gpu")) {
            gpus += neededHere(shape, d, 1);
          }
        }
        yield mib * gpus <= free ? usable : 0;
      }
    };
  }

  /**
   * Memory per CPU is charged for every CPU allocated: of a whole node for all, else core by core
   * or socket by socket. Where a core holds one task of one CPU its other threads count as well.
   * select/linear looks at it only when the job is to start.
   */
  private int usableByMemoryPerCpu(
      Shape shape, int node, long free, boolean empty, long mib, int usable) {
    if (shape.linear && empty) {
      return usable;
    }
    if (shape.whole) {
      int all = shape.linear ? hardware.cpus[node] : usable;
      return mib * all <= free ? usable : 0;
    }
    long allowed = free / mib;
    if (shape.countsCores && shape.oneTaskPerCore() && shape.cpusPerTask == 1) {
      return (int) Math.min(usable, allowed / hardware.cpusPerCore[node]);
    }
    int unit = shape.unitOf(hardware, node);
    int over = (int) Math.max(0, usable - allowed);
    int left = Math.max(0, usable - (over + unit - 1) / unit * unit);
    return left - left % shape.cpusPerTask;
  }

  /**
   * What a job can get of a resource. Parts of GPUs must come from one GPU, unless
   * SelectTypeParameters has MULTIPLE_SHARING_GRES_PJ, and those of a task always; an empty node is
   * judged by the total alone, as Slurm does at submission.
   */
  private long free(Shape shape, Shape.Demand demand, int node, Usage usage, boolean empty) {
    long free = 0;
    for (int kind : demand.kinds()) {
      if (!hardware.kinds.get(kind).sharing()) {
        free += usage.freeGres(kind, node);
      } else if (demand.request().scope() == Scope.TASK) {
        free += shape.sharing.forTasks(hardware, usage, kind, node, demand.request().count());
      } else {
        free +=
            empty
                ? usage.freeGres(kind, node)
                : usage.freeShared(kind, node, shape.sharing.several());
      }
    }
    return free;
  }

  /** What one node must at least have of it. */
  private long neededHere(Shape shape, Shape.Demand demand, int leastTasks) {
    long count = demand.request().count();
    return switch (demand.request().scope()) {
      case NODE -> count;
      case JOB -> shape.mostNodes == 1 ? count : 1;
      case TASK -> count * leastTasks;
      case SOCKET ->
          count * (hardware.hasNearDevices(shape) ? leastSockets(shape) : usedSockets(shape));
    };
  }

  /**
   * Sockets of one node whose cores a job has, each with its own of devices that are near to no
   * socket: as many as it asks for, and as it has CPUs. With too few devices Slurm chooses the node
   * and does not start the job there.
   */
  private static int usedSockets(Shape shape) {
    int cpus = Math.max(1, shape.tasks * shape.cpusPerTask / Math.max(1, shape.minNodes));
    return Math.min(cpus, Math.max(1, shape.request.socketsPerNode()));
  }

  /**
   * Whether a job with its nodes for itself, which gets all devices of a kind that it asks for, can
   * have them all: parts of GPUs only of one GPU, and GPUs only with the CPUs and the memory that
   * it wants for each.
   */
  private boolean hasAll(Shape shape, Shape.Demand demand, int node, Usage usage, boolean empty) {
    long all = 0;
    long most = Long.MAX_VALUE;
    for (int kind : demand.kinds()) {
      all += usage.freeGres(kind, node);
      if (hardware.kinds.get(kind).sharing() && !empty && !shape.sharing.several()) {
        most = Math.min(most, Math.max(1, usage.freeShared(kind, node, false)));
      }
    }
    if (demand.request().name().equals("gpu")) {
      int cpus = room.free;
      int perGpu = shape.request.cpusPerGpu();
      most = perGpu > 0 ? Math.min(most, cpus / perGpu) : most;
      if (shape.countsMemory
          && shape.request.memory() instanceof MemoryRequest.PerGpu(long mib)
          && mib > 0) {
        most = Math.min(most, usage.freeMemory(node) / mib);
      }
    }
    return all <= most;
  }

  /**
   * Sockets of one node that must have the devices asked for of each (--gpus-per-socket): as many
   * as --ntasks-per-socket needs, else one, whatever --sockets-per-node says.
   */
  static int leastSockets(Shape shape) {
    int perSocket = shape.request.tasksPerSocket();
    boolean several = shape.tasks * shape.cpusPerTask / shape.minNodes > 1;
    return perSocket > 0 && several
        ? Math.max(1, Math.ceilDiv(shape.tasks / shape.minNodes, perSocket))
        : 1;
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

  /** Whether nobody is on the block or ring of a node, for who wants it alone. */
  private boolean hasIdleUnit(Shape shape, int node, Usage usage) {
    if (!shape.unitAlone) {
      return true;
    }
    long[] unit = hardware.unitOf(shape.topology, node);
    for (int n = Bits.next(unit, 0); n >= 0; n = Bits.next(unit, n + 1)) {
      if (usage.jobs[n] > 0 || usage.again.isBlocked(n)) {
        return false;
      }
    }
    return true;
  }
}
