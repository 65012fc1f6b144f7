package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Hands the cores and devices of chosen nodes out to a job with devices: the cores of each node as
 * it is taken, then the devices node by node in the order of the configuration.
 */
final class Handout {
  private final Hardware hardware;
  private final Shape shape;
  private final Usage usage;
  private final Fit fit;

  /** How many the nodes taken by now give of each demand that is counted over the job. */
  private final long[] got;

  /** The same of the nodes that the job names: Slurm looks at all others before it takes one. */
  private final long[] gotOfNamed;

  private int named;

  private final TreeMap<Integer, Place> places = new TreeMap<>();

  /**
   * Cores of a node.
   *
   * @param most what the node may give of each demand
   */
  private record Place(int tasks, IndexSet cores, int cpus, long[] most, List<Picked> picked) {}

  /** Devices of one demand: ones that can be told apart, or so many as {@code counted} says. */
  private record Picked(@Nullable DevicePick pick, List<GresShare> counted) {
    List<GresShare> shares() {
      return pick == null ? counted : pick.shares();
    }
  }

  Handout(Hardware hardware, Shape shape, Usage usage, Fit fit) {
    this.hardware = hardware;
    this.shape = shape;
    this.usage = usage;
    this.fit = fit;
    got = new long[shape.demands.size()];
    gotOfNamed = new long[got.length];
  }

  /**
   * Takes cores of a node.
   *
   * @param mostTasks tasks for which there is room on the node, of those of the job
   * @param cpus CPUs that it is to have there
   * @param offered CPUs that the node has for the job in any case
   * @param devices devices counted over the job that it is to have there
   * @param near devices that its cores may be near to
   * @param first whether its nodes were chosen so that each device has its cores near to it
   */
  void take(
      int node,
      int tasks,
      int mostTasks,
      int cpus,
      int offered,
      long devices,
      long near,
      boolean first) {
    CoreFilter.Offer offer = offer(node, first);
    if (offer == null && first) {
      offer = offer(node, false);
    }
    IndexSet cores = IndexSet.EMPTY;
    long[] most = new long[got.length];
    Arrays.fill(most, Math.max(1, devices));
    int needed = cpus;
    int perCore = shape.cpusPerCore(hardware.cpusPerCore[node]);
    if (offer != null) {
      boolean part = Fit.gathersByDefault(shape);
      needed = part ? needed : Math.max(needed, Math.min(offer.cpus(), offer.least()));
      var chosen = new Layout(hardware, shape, node, offer.cores()).choose(needed);
      if (chosen.cardinality() * perCore >= needed) {
        cores = IndexSet.of(chosen);
        give(offer, most);
      }
    }
    if (cores.isEmpty()) {
      needed = shape.request.enforceBinding() ? Math.max(cpus, offered) : cpus;
      cores = Cores.take(hardware, usage, node, shape, tasks, mostTasks, needed, near, fit);
    }
    boolean byCores = shape.countsCores || shape.countsSockets;
    int charged = byCores ? cores.size() * hardware.cpusPerCore[node] : needed;
    places.put(node, new Place(tasks, cores, charged, most, new ArrayList<>()));
    if (Bits.has(shape.required, node)) {
      named++;
      System.arraycopy(got, 0, gotOfNamed, 0, got.length);
    }
  }

  private CoreFilter.@Nullable Offer offer(int node, boolean first) {
    int missing = shape.minNodes - named;
    return CoreFilter.offer(hardware, usage, node, shape, fit, first, missing, gotOfNamed);
  }

  /** Counts what a node gives of what is counted over the job. */
  private void give(CoreFilter.Offer offer, long[] most) {
    for (int d = 0; d < got.length; d++) {
      Shape.Demand demand = shape.demands.get(d);
      Scope scope = demand.request().scope();
      if (scope != Scope.JOB && scope != Scope.TASK) {
        continue;
      }
      boolean gpu = demand.request().name().equals("gpu");
      long limit = offer.stocks().get(d).total;
      int perGpu = gpu ? shape.request.cpusPerGpu() : 0;
      limit = perGpu > 0 ? Math.min(limit, offer.cpus() / perGpu) : limit;
      boolean all = scope == Scope.TASK || (gpu && shape.request.tasksPerGpu() > 0);
      long least = all ? limit : 1;
      long job = demand.request().count() * (scope == Scope.TASK ? shape.tasks : 1);
      limit = job > got[d] ? Math.min(job - got[d], limit) : limit;
      most[d] = Math.max(limit, least);
      got[d] += most[d];
    }
  }

  /** What the job gets of each node. */
  List<NodeShare> shares() {
    long[] sum = new long[got.length];
    int left = places.size();
    for (var place : places.entrySet()) {
      for (int d = 0; d < sum.length; d++) {
        Picked picked = pick(place.getKey(), place.getValue(), d, sum[d], left);
        place.getValue().picked.add(picked);
        sum[d] += picked.shares().stream().mapToLong(GresShare::count).sum();
      }
      left--;
    }
    List<NodeShare> shares = new ArrayList<>();
    for (var place : places.entrySet()) {
      List<GresShare> gres = new ArrayList<>();
      for (int d = 0; d < sum.length; d++) {
        Shape.Demand demand = shape.demands.get(d);
        DevicePick pick = place.getValue().picked.get(d).pick;
        long missing = demand.request().count() - sum[d];
        if (demand.request().scope() == Scope.JOB && pick != null && missing > 0) {
          sum[d] += pick.topUp(missing);
        }
        gres.addAll(place.getValue().picked.get(d).shares());
      }
      shares.add(share(place.getKey(), place.getValue(), gres));
    }
    return shares;
  }

  private NodeShare share(int node, Place place, List<GresShare> gres) {
    long gpus = gres.stream().filter(g -> g.name().equals("gpu")).mapToLong(GresShare::count).sum();
    return new NodeShare(
        hardware.name(node),
        place.cores,
        place.cpus,
        shape.memoryFor(hardware, node, place.cpus, gpus),
        gres);
  }

  private Picked pick(int node, Place place, int which, long before, int nodes) {
    Shape.Demand demand = shape.demands.get(which);
    long count = demand.request().count();
    int[] tasks = tasksBySocket(node, place);
    long ofTasks = count * Math.max(1, tasks[tasks.length - 1]);
    long ofJob = Math.min(count - before - (nodes - 1), place.most[which]);
    int perGpu = demand.request().name().equals("gpu") ? shape.cpusPerGpu() : 0;
    if (perGpu > 0) {
      ofJob = Math.min(ofJob, (long) place.cores.size() * threads(node) / perGpu);
    }
    long here =
        switch (demand.request().scope()) {
          case NODE -> count;
          case JOB -> Math.max(1, ofJob);
          case TASK -> ofTasks;
          case SOCKET -> count * Fit.leastSockets(shape);
        };
    if (!hasIndices(node, demand)) {
      return new Picked(null, counted(node, place, demand, here, tasks));
    }
    DevicePick pick = new DevicePick(hardware, usage, node, shape, demand, place.cores);
    switch (demand.request().scope()) {
      case NODE -> pick.ofNode(count);
      case JOB -> pick.ofJob(ofJob);
      case TASK -> pick.ofTasks(count, tasks, ofTasks);
      case SOCKET -> pick.ofSockets(count, shape.request.socketsPerNode());
    }
    return new Picked(pick, List.of());
  }

  private boolean hasIndices(int node, Shape.Demand demand) {
    for (int kind : demand.kinds()) {
      boolean there = hardware.deviceCount(kind, node) > 0;
      if (there && (hardware.kinds.get(kind).sharing() || !hardware.hasIndices(kind, node))) {
        return false;
      }
    }
    return true;
  }

  /** Parts of GPUs, and what is only counted. */
  private List<GresShare> counted(
      int node, Place place, Shape.Demand demand, long count, int[] tasks) {
    List<GresShare> shares = new ArrayList<>();
    long rest = count;
    for (int kind : Devices.inNodeOrder(hardware, node, demand.kinds())) {
      Hardware.Kind k = hardware.kinds.get(kind);
      if (k.sharing()) {
        SharedParts parts = new SharedParts(hardware, usage, node, kind, shape, place.cores);
        boolean each = demand.request().scope() == Scope.TASK;
        rest -= each ? parts.ofTasks(demand.request().count(), rest, tasks) : parts.ofNode(rest);
        shares.addAll(parts.shares());
      } else {
        long here = Math.min(rest, usage.freeGres(kind, node));
        shares.add(new GresShare(k.name(), k.type(), IndexSet.EMPTY, here));
        rest -= here;
      }
    }
    return shares;
  }

  private int threads(int node) {
    int said = shape.request.threadsPerCore();
    return said > 0 ? Math.min(said, hardware.cpusPerCore[node]) : hardware.cpusPerCore[node];
  }

  /** How many tasks the cores of each socket can hold, and at the end those of the node. */
  private int[] tasksBySocket(int node, Place place) {
    int sockets = hardware.sockets[node];
    int[] tasks = new int[sockets + 1];
    int per = hardware.coresPerSocket[node];
    int perTask = Math.max(1, place.cpus / Math.max(1, place.tasks));
    int perCore = shape.oneTaskPerCore() ? 1 : shape.request.tasksPerCore();
    int together = perCore > 0 ? perCore : Math.max(1, threads(node) / perTask);
    boolean spans = perCore == 0 && threads(node) / perTask < 1;
    int most = shape.request.tasksPerSocket();
    int all = 0;
    int counted = 0;
    for (int s = 0; s < sockets; s++) {
      int skip = 0;
      for (int c = s * per; c < (s + 1) * per; c++) {
        if (!place.cores.contains(c) || (most > 0 && tasks[s] >= most)) {
          continue;
        }
        if (skip > 0) {
          skip--;
          continue;
        }
        skip = spans ? perTask / hardware.cpusPerCore[node] - 1 : 0;
        tasks[s] += together;
        all += together;
      }
      tasks[s] = most > 0 ? Math.min(tasks[s], most) : tasks[s];
      counted += tasks[s];
    }
    int limit = shape.request.tasksPerNode() > 0 ? shape.request.tasksPerNode() : place.tasks;
    tasks[sockets] = counted - Math.max(0, all - limit);
    return tasks;
  }
}
