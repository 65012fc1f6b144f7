package dev.yardmaster.engine.place;

import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.SchedulingPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request in one partition, compiled against the hardware: everything of a job that matters to
 * where it can run. Jobs with equal requests share one shape and what was computed for it.
 */
public final class Shape {
  /** A generic resource asked for, with the kinds of the hardware that satisfy it. */
  record Demand(GresRequest request, int[] kinds, String text) {
    /** What is asked for, with its text as users write it: {@code gpu:h100:4}. */
    static Demand of(GresRequest r, int[] kinds) {
      String kind = r.type() == null ? r.name() : r.name() + ":" + r.type();
      return new Demand(r, kinds, kind + ":" + r.count());
    }
  }

  /** No limit on the number of nodes. */
  private static final int OPEN = 500_000;

  final JobRequest request;
  final Partition partition;
  final int minNodes;
  final int maxNodes;

  /**
   * No more nodes than this are taken: of a job that says nothing of nodes and tasks, any number.
   */
  final int mostNodes;

  /** {@code --spread-job}, of which select/linear knows the number of nodes alone. */
  final boolean spread;

  /** How many nodes are taken where there is a choice: the maximum of an explicit range. */
  final int wantedNodes;

  final int tasks;

  /** The number of tasks on each node when {@code --ntasks-per-node} alone was given; else 0. */
  final int exactTasksPerNode;

  final int cpusPerTask;
  final int minCpus;

  /** Whole nodes: {@code --exclusive}, OverSubscribe=EXCLUSIVE, or select/linear. */
  final boolean whole;

  /** Whole nodes with all their generic resources. */
  final boolean allGres;

  final boolean forUserAlone;

  /** With whom it may share cores; null when it may not. */
  final @Nullable Sharer sharer;

  /** What its partition allows on one node; null when that is not limited. */
  final @Nullable CpuLimit cpuLimit;

  /** How it gets parts of GPUs. */
  final Sharing sharing;

  final List<Demand> demands;
  final long[] required;
  final long[] excluded;
  final int requiredCount;
  final boolean countsMemory;
  final boolean countsCores;

  /** select/linear: nodes as a whole, whatever the cores are. */
  final boolean linear;

  final boolean exclusive;

  /** Each node must offer so many CPUs. */
  final int leastCpusPerNode;

  /** See {@link #cpusPerDevice()}. */
  final int cpusPerDevice;

  /** CPUs of the tasks that each node must host in any case. */
  final int cpusOfOneNode;

  /** Cores socket by socket rather than round the sockets. */
  final boolean coresInBlocks;

  /** CR_Socket: a socket is allocated as a whole. */
  final boolean countsSockets;

  /** Tasks on a core: what it asks for, else one with CR_ONE_TASK_PER_CORE; 0 when as many fit. */
  private final int tasksPerCore;

  final boolean leastLoaded;

  /** pack_serial_at_end: a job of one CPU goes to the last nodes. */
  final boolean serialAtEnd;

  /** {@code SchedulerParameters=gres_links=slurm}: linked devices in Slurm's order. */
  final boolean slurmLinks;

  private final boolean uniform;
  private final Object wish;
  final SchedulingPolicy policy;

  /** Whether no other job may be on the topology units of its nodes (--exclusive=topo). */
  final boolean unitAlone;

  /** The name of the topology that it is placed by. */
  final String topology;

  private volatile long @Nullable [] serving;
  private volatile int nodesWhenEmpty = -1;

  public Shape(Hardware hardware, SchedulingPolicy policy, JobRequest r, Partition partition) {
    this.request = r;
    this.partition = partition;
    this.policy = policy;
    long[] named =
        hardware.setOf(r.requiredNodes().isEmpty() ? List.of() : r.requiredNodes().expand());
    excluded = hardware.setOf(r.excludedNodes().isEmpty() ? List.of() : r.excludedNodes().expand());
    // sbatch(1), --nodelist: of more nodes than the job needs, any will do, and no others.
    boolean choice = Bits.count(named) > Math.max(1, r.minNodes());
    if (choice) {
      long[] others = Bits.all(hardware.size());
      Bits.removeAll(others, named);
      Bits.addAll(excluded, others);
    }
    required = choice ? Bits.of(hardware.size()) : named;
    requiredCount = choice || r.requiredNodes().isEmpty() ? 0 : Bits.count(required);
    cpusPerTask = Math.max(1, r.cpusPerTask());
    demands = demands(hardware, r);
    minNodes = Math.max(Math.max(1, r.minNodes()), requiredCount);
    tasks = r.overcommit() ? minNodes : Math.max(tasksOf(r), r.tasksGiven() ? 1 : minNodes);
    int most = Math.max(r.maxNodes(), minNodes);
    maxNodes = r.tasksGiven() ? Math.max(minNodes, Math.min(most, r.tasks())) : most;
    mostNodes = isOpen(r) ? mostOf(partition, minNodes) : maxNodes;
    spread = r.spread() && !policy.linear();
    boolean ranges = (r.nodesGiven() || r.spread()) && !countsGresOfJob();
    wantedNodes = ranges ? maxNodes : minNodes;
    exactTasksPerNode = r.tasksGiven() || r.overcommit() ? 0 : r.tasksPerNode();
    int ofNodes = r.overcommit() ? minNodes : tasks * cpusPerTask;
    minCpus = Math.max(ofNodes, (int) (r.cpusPerGpu() * gpusOfJob(r)));
    exclusive = r.exclusivity() == Exclusivity.NODE;
    boolean alone = exclusive || partition.overSubscribe().startsWith("EXCLUSIVE");
    unitAlone = r.exclusivity() == Exclusivity.TOPO;
    topology = hardware.topologyOf(partition);
    whole = alone || policy.linear();
    allGres = alone && !policy.linear();
    forUserAlone = r.exclusivity() == Exclusivity.USER || partition.exclusiveUser();
    cpuLimit = CpuLimit.of(partition);
    cpusPerDevice = cpusPerDevice();
    sharer = whole ? null : Sharer.of(r, partition);
    sharing = Sharing.of(policy, r);
    countsMemory = policy.countsMemory();
    countsCores = policy.countsCores();
    countsSockets =
        !policy.linear()
            && policy.selectParameters().stream().anyMatch(s -> s.startsWith("CR_SOCKET"));
    linear = policy.linear();
    coresInBlocks = Layout.inBlocks(r, policy);
    boolean oneTask = !linear && policy.selectParameters().contains("CR_ONE_TASK_PER_CORE");
    boolean several = r.tasksPerNode() > 0 && tasks > 1 && !r.overcommit();
    int ofTasks = several ? r.tasksPerNode() * cpusPerTask : cpusPerTask;
    leastCpusPerNode = Math.max(r.minCpusPerNode(), ofTasks);
    int tasksOfOne = r.tasksPerNode() > 0 ? r.tasksPerNode() : mostNodes == 1 ? tasks : 1;
    cpusOfOneNode = tasksOfOne * cpusPerTask;
    tasksPerCore = r.tasksPerCore() > 0 || !oneTask ? r.tasksPerCore() : 1;
    slurmLinks = "slurm".equals(policy.parameters().get("gres_links"));
    leastLoaded = policy.packsLeastLoaded() || partition.lln();
    serialAtEnd =
        policy.parameters().containsKey("pack_serial_at_end") && minCpus == 1 && wantedNodes == 1;
    boolean shares = exactTasksPerNode > 0 || tasks == minNodes;
    uniform = shares && wantedNodes == minNodes && jobGres() == 0 && !leastLoaded;
    wish =
        uniform && isPlain(r)
            ? r.with(b -> b.minNodes(1).maxNodes(1).tasks(1).nodesGiven(true))
            : r;
  }

  /** Whether it says neither how many nodes nor how many tasks it wants: Slurm limits neither. */
  private static boolean isOpen(JobRequest r) {
    return !r.tasksGiven()
        && !r.nodesGiven()
        && r.minNodes() <= 1
        && r.maxNodes() == 1
        && r.requiredNodes().isEmpty()
        && r.tasksPerNode() == 0
        && r.tasksPerGpu() == 0;
  }

  private static int mostOf(Partition p, int minNodes) {
    return p.maxNodes() == Partition.UNLIMITED ? OPEN : Math.max(minNodes, p.maxNodes());
  }

  private static boolean isPlain(JobRequest r) {
    return r.features() == null
        && r.prefer() == null
        && r.requiredNodes().isEmpty()
        && !r.contiguous()
        && r.switches() == 0
        && r.segment() == 0;
  }

  private static int tasksOf(JobRequest r) {
    if (r.tasksGiven()) {
      return Math.max(1, r.tasks());
    }
    int perNode = Math.max(1, r.tasksPerNode());
    return Math.max(r.tasks(), Math.max(1, r.minNodes()) * perNode);
  }

  private static long gpusOfJob(JobRequest r) {
    long gpus = 0;
    for (GresRequest g : r.gres()) {
      if (g.name().equals("gpu")) {
        gpus +=
            switch (g.scope()) {
              case JOB -> g.count();
              case NODE -> g.count() * Math.max(1, r.minNodes());
              case TASK -> g.count() * tasksOf(r);
              case SOCKET ->
                  g.count() * Math.max(1, r.minNodes()) * Math.max(1, r.socketsPerNode());
            };
      }
    }
    return gpus;
  }

  private static List<Demand> demands(Hardware hardware, JobRequest r) {
    List<Demand> demands = new ArrayList<>();
    for (GresRequest g : r.gres()) {
      demands.add(Demand.of(g, hardware.kindsOf(g.name(), g.type())));
    }
    return List.copyOf(demands);
  }

  /**
   * CPUs of a core that its tasks may use: --ntasks-per-core, --threads-per-core,
   * CR_ONE_TASK_PER_CORE.
   */
  int cpusPerCore(int ofNode) {
    int perCore = ofNode;
    if (tasksPerCore > 0 && (request.tasksPerCore() > 0 || request.cpusPerGpu() == 0)) {
      perCore = Math.min(perCore, tasksPerCore * cpusPerTask);
    }
    return request.threadsPerCore() > 0 ? Math.min(perCore, request.threadsPerCore()) : perCore;
  }

  /** Whether a core holds one task, by the job's wish or CR_ONE_TASK_PER_CORE. */
  boolean oneTaskPerCore() {
    return tasksPerCore == 1;
  }

  /**
   * Of the CPUs that a node offers, those that the job takes there: something is left for each node
   * that follows.
   *
   * @param ceiling CPUs that it may still take
   * @param nodes so many nodes are missing, this one among them
   */
  int use(Hardware hardware, int node, int offered, long ceiling, int nodes) {
    if (whole || (request.enforceBinding() && !demands.isEmpty())) {
      return offered;
    }
    int perCore = cpusPerCore(hardware.cpusPerCore[node]);
    long kept = (long) Math.max(0, nodes - 1) * perCore;
    long most = ceiling - (countsSockets ? kept * hardware.coresPerSocket[node] : kept);
    return offered > most ? (int) Math.max(most, leastCpusPerNode) : offered;
  }

  /** CPUs that are allocated together: those of a socket, of a core, or one. */
  int unitOf(Hardware hardware, int node) {
    int unit =
        countsSockets ? hardware.cpusPerSocket(node) : countsCores ? hardware.cpusPerCore[node] : 1;
    int perCore = cpusPerCore(hardware.cpusPerCore[node]);
    return perCore < hardware.cpusPerCore[node] ? Math.min(unit, perCore) : unit;
  }

  public JobRequest request() {
    return request;
  }

  public Partition partition() {
    return partition;
  }

  public int minNodes() {
    return minNodes;
  }

  public int maxNodes() {
    return maxNodes;
  }

  public int tasks() {
    return tasks;
  }

  /** CPUs the job asks for at least, in Slurm's count (feeds the job-size factor of priority). */
  public int minCpus() {
    return minCpus;
  }

  /** The same, without those that rules of the partition add to what was asked for. */
  public int askedCpus() {
    return request.asked() == null ? minCpus : request.asked().cpus();
  }

  public boolean whole() {
    return whole;
  }

  public boolean forUserAlone() {
    return forUserAlone;
  }

  /** Whether on these nodes it takes more than the least that its request comes to. */
  public boolean mayTakeMore(Choice choice) {
    int nodes = choice.order().length;
    return whole || nodes > minNodes || (jobGres() > 0 && nodes > jobGres());
  }

  public long[] required() {
    return required;
  }

  public long[] excluded() {
    return excluded;
  }

  /**
   * Whether one node that fits is as good as another: each hosts a fixed share, and nothing is
   * counted over the job.
   */
  public boolean uniform() {
    return uniform;
  }

  /** What it wants of one node, for shapes that share it; else the whole request. */
  public Object wish() {
    return wish;
  }

  /** The nodes whose hardware could serve the shape; computed when first asked for. */
  public long[] serving(Supplier<long[]> compute) {
    long[] found = serving;
    if (found == null) {
      found = compute.get();
      serving = found;
    }
    return found;
  }

  /**
   * How many nodes the whole of it takes of the empty hardware, 0 when it does not fit; chosen when
   * first asked for.
   */
  public int nodesWhenEmpty(Supplier<@Nullable Choice> choose) {
    int found = nodesWhenEmpty;
    if (found < 0) {
      Choice choice = choose.get();
      found = choice == null ? 0 : Bits.count(choice.nodes());
      nodesWhenEmpty = found;
    }
    return found;
  }

  /** Whether it names nodes that do not exist. */
  public boolean namesUnknownNodes(Hardware hardware) {
    for (String name : request.requiredNodes()) {
      if (hardware.indexOf(name) < 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a resource counted over the job must come from one node. Slurm tries one node after the
   * other then, and those that have a part of it matter too.
   */
  public boolean gathersOnOneNode() {
    return mostNodes == 1 && jobGres() > 0;
  }

  /**
   * GPUs that are counted over a job of several nodes: as Slurm does not know yet how many of them
   * a node gives, its cores may be near to any of as many.
   */
  long gpusOfSeveralNodes() {
    long gpus = 0;
    for (Demand demand : demands) {
      if (mostNodes > 1 && demand.request().name().equals("gpu")) {
        gpus +=
            switch (demand.request().scope()) {
              case JOB -> demand.request().count();
              case TASK -> demand.request().count() * tasks;
              case NODE, SOCKET -> 0;
            };
      }
    }
    return gpus;
  }

  /**
   * CPUs that go with each device of a job of several nodes when its tasks and its devices are
   * spread evenly; 0 when they cannot be.
   */
  private int cpusPerDevice() {
    long devices = jobGres();
    boolean said = request.cpusPerGpu() > 0 || request.tasksPerGpu() > 0;
    if (devices == 0 || mostNodes == 1 || !request.tasksGiven() || said) {
      return 0;
    }
    if (tasks % devices == 0) {
      return (int) (tasks / devices) * cpusPerTask;
    }
    long each = devices / tasks;
    return devices % tasks == 0 && cpusPerTask % each == 0 ? (int) (cpusPerTask / each) : 0;
  }

  /** CPUs that go with each GPU; 0 when the job does not say. */
  int cpusPerGpu() {
    return request.cpusPerGpu() > 0 ? request.cpusPerGpu() : request.tasksPerGpu() * cpusPerTask;
  }

  /** Whether a resource is counted over the job: such a job gets no more nodes than it needs. */
  private boolean countsGresOfJob() {
    for (Demand demand : demands) {
      GresRequest.Scope scope = demand.request().scope();
      if (scope == GresRequest.Scope.JOB || scope == GresRequest.Scope.TASK) {
        return true;
      }
    }
    return false;
  }

  /** Devices that are counted over the whole job; 0 when there are none. */
  long jobGres() {
    for (Demand demand : demands) {
      if (demand.request().scope() == GresRequest.Scope.JOB) {
        return demand.request().count();
      }
    }
    return 0;
  }

  boolean asksForGpus() {
    return demands.stream().anyMatch(d -> d.request().name().equals("gpu"));
  }

  /** The most tasks that count on one node for a job with devices; any where it gives no number. */
  int mostTasksOnOne() {
    if (!request.tasksGiven()) {
      return Integer.MAX_VALUE;
    }
    boolean oneEach = tasks == 1 || (tasks == minNodes && tasks == maxNodes);
    return oneEach ? 1 : tasks;
  }

  /**
   * Memory that so many CPUs and GPUs of it need on one node, in MiB: of cores of which it uses a
   * part of the threads (--threads-per-core), only these are paid for.
   */
  long memoryFor(Hardware hardware, int node, int allocatedCpus, long gpus) {
    if (!countsMemory) {
      return 0;
    }
    int threads = hardware.cpusPerCore[node];
    boolean fewer = request.threadsPerCore() > 0 && request.threadsPerCore() < threads;
    boolean byCores = countsCores || countsSockets || linear;
    int paid =
        fewer && byCores
            ? (allocatedCpus + threads - 1) / threads * request.threadsPerCore()
            : allocatedCpus;
    return switch (request.memory()) {
      case MemoryRequest.PerNode(long mib) -> mib == 0 ? hardware.memory[node] : mib;
      case MemoryRequest.PerCpu(long mib) -> mib * paid;
      case MemoryRequest.PerGpu(long mib) -> mib * gpus;
    };
  }

  /** The nodes that a run on these keeps from others; empty without --exclusive=topo. */
  public long[] unitsOf(Hardware hardware, long[] nodes) {
    long[] units = Bits.of(hardware.size());
    for (int n = Bits.next(nodes, 0); unitAlone && n >= 0; n = Bits.next(nodes, n + 1)) {
      Bits.addAll(units, hardware.unitOf(topology, n));
    }
    return units;
  }
}
