package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Cause;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Places a shape: from candidate nodes to an allocation with cores and device indices. */
public final class Placer {
  private static final long[] NO_WORDS = {};

  /** Rooms of this many sizes of tasks are kept at once. */
  private static final int MOST_KEPT = 16;

  private final Hardware hardware;
  private final Fit fit;
  private final Chooser chooser;
  private final Rooms rooms;
  private final TreeMap<Integer, Rooms> equalRooms = new TreeMap<>();

  /** What nodes weigh more for the job at hand; null for nothing. */
  private int @Nullable [] extra;

  public Placer(Hardware hardware) {
    this.hardware = hardware;
    fit = new Fit(hardware);
    chooser = new Chooser(hardware);
    rooms = new Rooms(hardware.size);
  }

  public Fit fit() {
    return fit;
  }

  /** The most nodes of a set that hang on a number of leaf switches; all where there are none. */
  public int mostBelow(Shape shape, long[] nodes, int leaves) {
    Wiring wiring = hardware.wiring(shape.topology);
    return wiring == null ? Bits.count(nodes) : wiring.mostBelow(nodes, leaves);
  }

  /**
   * Whether rings or tori, where there are any, have places of the form that the shape asks for.
   */
  public boolean hasForm(Shape shape) {
    Units units = hardware.units(shape.topology);
    return units == null || shape.mostNodes == 1 || units.haveForm(shape);
  }

  /** Whether select/linear chooses the nodes. */
  public boolean takesNodesAsAWhole(Shape shape) {
    return shape.linear;
  }

  /** The nodes of a set that can host a share of the shape in this usage. */
  public long[] fitting(Shape shape, long[] candidates, Usage usage, boolean empty, int uid) {
    long[] fitting = Bits.of(hardware.size);
    Arrays.fill(rooms.bridges, 0);
    for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
      if (measure(shape, n, usage, empty, uid) == null) {
        Bits.add(fitting, n);
      } else if (fit.lacksJobGres()) {
        Bits.add(rooms.bridges, n);
      }
    }
    return fitting;
  }

  /** Makes as if a job had not been tried on any node. */
  private void forgetTries(long[] candidates) {
    for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
      rooms.order[n] = NearGpus.untried(hardware, n) + extra(n);
    }
  }

  /**
   * Remembers how nodes were on which a job of one node was tried: see {@link Rooms#order}. Those
   * behind the node with which nothing was missing were not tried.
   */
  private void noteTries(Shape shape, Usage usage, int uid) {
    long[] candidates = rooms.gathered;
    for (int n = Bits.next(candidates, 0); n >= 0; n = Bits.next(candidates, n + 1)) {
      if (fit.test(shape, n, usage, false, uid) == null || fit.hasPartOfJobGres()) {
        rooms.order[n] = NearGpus.weightOf(hardware, usage, n, shape, fit);
      }
    }
  }

  /**
   * Chooses nodes for a job that starts; see {@link #choose}. Of nodes of one kind it gets those
   * before the others that its limits on nodes count already.
   *
   * @param names the nodes that these count; null when there is no such limit
   */
  public @Nullable Choice chooseNow(
      Shape shape, long[] candidates, Usage usage, @Nullable Collection<String> names, int uid) {
    extra = names == null || names.isEmpty() ? null : hardware.heldNodes().extra(names);
    try {
      return choose(shape, candidates, usage, false, uid);
    } finally {
      extra = null;
    }
  }

  private int extra(int node) {
    return extra == null ? 0 : NearGpus.ofWeight(extra[node]);
  }

  private @Nullable Cause measure(Shape shape, int node, Usage usage, boolean empty, int uid) {
    Cause cause = fit.test(shape, node, usage, empty, uid);
    rooms.tasks[node] = fit.tasks;
    rooms.cpus[node] = fit.cpus;
    rooms.freeCpus[node] = fit.freeCpus;
    rooms.jobGres[node] = fit.jobGres;
    rooms.idle[node] = fit.room().free;
    rooms.gpus[node] = fit.gpus;
    if (shape.mostNodes > 1) {
      rooms.weight[node] = NearGpus.weightOf(hardware, usage, node, shape, fit) + extra(node);
    } else {
      rooms.weight[node] = NearGpus.untried(hardware, node) + extra(node);
    }
    return cause;
  }

  /**
   * Chooses nodes among those that fit. A job that may share cores shares them only where idle ones
   * do not suffice.
   *
   * @return the chosen nodes, or null when they do not suffice together
   */
  public @Nullable Choice choose(
      Shape shape, long[] candidates, Usage usage, boolean empty, int uid) {
    if (shape.gathersOnOneNode()) {
      forgetTries(candidates);
    }
    return chooseAny(shape, candidates, usage, empty, uid);
  }

  /**
   * Chooses nodes for a job that is tried as running jobs end, one try after the other.
   *
   * @param again whether this is not the first try
   * @param idle nodes that come after the others of their weight (bf_busy_nodes); null for none
   */
  public @Nullable Choice chooseInTurn(
      Shape shape, long[] candidates, Usage usage, boolean again, long @Nullable [] idle, int uid) {
    boolean gathers = shape.gathersOnOneNode();
    if (gathers && !again) {
      forgetTries(candidates);
    }
    Arrays.fill(rooms.gathered, 0);
    chooser.preferBusy(idle);
    Choice choice = chooseAny(shape, candidates, usage, false, uid);
    chooser.preferBusy(null);
    if (gathers && choice == null) {
      noteTries(shape, usage, uid);
    }
    return choice;
  }

  /** Whether blocks with enough nodes, in the choice that failed last, had too little on them. */
  public boolean unitLacksResources() {
    return chooser.unitLacksResources();
  }

  /** Whether one node after the other, empty, comes to what is counted over a job of one node. */
  public boolean seemsPossible(Shape shape, long[] candidates, Usage empty) {
    FeatureExpression features = shape.request.features();
    if (features == null) {
      return gathers(shape, candidates, empty);
    }
    for (FeatureExpression alternative : features.alternatives()) {
      long[] matching = candidates.clone();
      for (int n = Bits.next(matching, 0); n >= 0; n = Bits.next(matching, n + 1)) {
        if (!alternative.matches(hardware.features(n))) {
          Bits.remove(matching, n);
        }
      }
      if (gathers(shape, matching, empty)) {
        return true;
      }
    }
    return false;
  }

  private boolean gathers(Shape shape, long[] candidates, Usage empty) {
    demandStrictly(shape, true);
    boolean strictly = (fit.evenly || fit.near) && gathersAsAsked(shape, candidates, empty);
    demandAny();
    return strictly || gathersAsAsked(shape, candidates, empty);
  }

  private boolean gathersAsAsked(Shape shape, long[] candidates, Usage empty) {
    forgetTries(candidates);
    long[] fitting = fitting(shape, candidates, empty, true, 0);
    long[] tried = Chooser.withParts(shape, fitting, rooms);
    return new Selection(hardware, shape, rooms, shape.required(), 1).endOfGathering(tried) >= 0;
  }

  private @Nullable Choice chooseAny(
      Shape shape, long[] candidates, Usage usage, boolean empty, int uid) {
    if (shape.sharer == null || empty) {
      return chooseOnce(shape, candidates, usage, empty, uid);
    }
    fit.idleOnly = true;
    Choice idle = chooseOnce(shape, candidates, usage, false, uid);
    fit.idleOnly = false;
    if (idle != null) {
      return idle;
    }
    // as in Slurm the cores of as few others as possible
    for (int most = 2; most <= shape.sharer.most(); most++) {
      fit.fewer = new Sharer(shape.sharer.partition(), most);
      Choice shared = chooseOnce(shape, candidates, usage, false, uid);
      fit.fewer = null;
      if (shared != null) {
        return shared.sharing(most);
      }
    }
    return null;
  }

  private @Nullable Choice chooseOnce(
      Shape shape, long[] candidates, Usage usage, boolean empty, int uid) {
    demandStrictly(shape, !empty);
    if (fit.evenly || fit.near) {
      Choice strict = chooseFitting(shape, candidates, usage, empty, uid);
      demandAny();
      if (strict != null) {
        return strict.strictly();
      }
    }
    return chooseFitting(shape, candidates, usage, empty, uid);
  }

  /** Devices are to have their CPUs near to them, each its part where these can be shared out. */
  private void demandStrictly(Shape shape, boolean knowsUse) {
    fit.evenly = shape.cpusPerDevice > 0;
    fit.near = knowsUse && hardware.hasNearDevices(shape);
  }

  private void demandAny() {
    fit.evenly = false;
    fit.near = false;
  }

  private @Nullable Choice chooseFitting(
      Shape shape, long[] candidates, Usage usage, boolean empty, int uid) {
    long[] fitting = fitting(shape, candidates, usage, empty, uid);
    // where none has all that is gathered on one node, parts are gathered all the same
    boolean enough = Bits.count(fitting) >= shape.minNodes || shape.gathersOnOneNode();
    Choice choice = enough ? chooser.choose(shape, fitting, rooms) : null;
    return choice == null || empty || holdsTasks(shape, choice) ? choice : null;
  }

  /**
   * Whether whole nodes have a CPU for each task of a job that overcommits. Slurm (cons_tres) takes
   * as many nodes as have one CPU each and fails when it spreads the tasks over them, whatever else
   * is free.
   */
  private boolean holdsTasks(Shape shape, Choice choice) {
    JobRequest r = shape.request;
    int nodes = choice.order().length;
    int tasks = r.tasksPerNode() > 0 ? r.tasksPerNode() * nodes : r.tasksGiven() ? r.tasks() : 0;
    if (!r.overcommit() || !shape.whole || shape.linear || tasks <= nodes) {
      return true;
    }
    int room = 0;
    for (int n : choice.order()) {
      room += Math.max(1, hardware.cpus[n] / shape.cpusPerTask);
    }
    return tasks <= room;
  }

  /** Chooses among nodes that are known to fit a uniform shape. */
  public @Nullable Choice chooseUniform(Shape shape, long[] fitting) {
    return chooser.choose(shape, fitting, equal(shape));
  }

  /** The room on empty nodes, which depends on the CPUs of a task alone. */
  private Rooms equal(Shape shape) {
    Rooms rooms = equalRooms.get(shape.cpusPerTask);
    if (rooms == null) {
      if (equalRooms.size() >= MOST_KEPT) {
        equalRooms.clear();
      }
      rooms = new Rooms(hardware.size);
      for (int n = 0; n < hardware.size; n++) {
        rooms.tasks[n] = Math.max(1, hardware.cpus[n] / shape.cpusPerTask);
        rooms.cpus[n] = rooms.tasks[n] * shape.cpusPerTask;
        rooms.freeCpus[n] = rooms.cpus[n];
        rooms.weight[n] = NearGpus.weightOf(hardware, n, 0);
      }
      equalRooms.put(shape.cpusPerTask, rooms);
    }
    return rooms;
  }

  /** The allocation on chosen nodes, which must have been returned by {@link #choose}. */
  public Allocation allocate(Shape shape, Choice choice, Usage usage, int uid) {
    fit.idleOnly = shape.sharer != null && !choice.shares();
    fit.fewer =
        shape.sharer != null && choice.shares()
            ? new Sharer(shape.sharer.partition(), choice.sharing())
            : null;
    Allocation allocation = allocateOn(shape, choice, usage, uid);
    fit.idleOnly = false;
    fit.fewer = null;
    long[] units = shape.unitsOf(hardware, choice.nodes());
    return Bits.isEmpty(units)
        ? allocation
        : new Allocation(
            allocation.shares(), allocation.tres(), HostList.of(hardware.names(units)));
  }

  private Allocation allocateOn(Shape shape, Choice choice, Usage usage, int uid) {
    int[] order = choice.order();
    measureAll(shape, choice, usage, uid);
    int[] tasks = new Tasks(hardware, shape, rooms).spread(choice);
    long[] devices =
        choice.gpus() > 0 ? new long[] {shape.jobGres()} : distributeDevices(shape, order);
    List<NodeShare> list =
        shape.demands.isEmpty() || shape.whole
            ? withoutDevices(shape, order, tasks, usage)
            : withDevices(shape, choice, tasks, devices, usage);
    demandAny();
    return new Allocation(list, tres(list));
  }

  /** Measures the nodes chosen as they were when they were chosen. */
  private void measureAll(Shape shape, Choice choice, Usage usage, int uid) {
    if (choice.strict()) {
      demandStrictly(shape, true);
    }
    for (int n : choice.order()) {
      measure(shape, n, usage, false, uid);
    }
  }

  /**
   * Devices counted over the job: in the order in which the nodes were taken each may give what is
   * missing then, one that comes when nothing is missing all that it has; the first node gives as
   * many of these as it can, one left for each further node, and so on, also where that makes more
   * than were asked for.
   */
  private long[] distributeDevices(Shape shape, int[] order) {
    long[] devices = new long[order.length];
    for (Shape.Demand demand : shape.demands) {
      if (demand.request().scope() == Scope.JOB) {
        long missing = demand.request().count();
        for (int i = 0; i < order.length; i++) {
          long has = rooms.jobGres[order[i]];
          devices[i] = Math.max(1, missing > 0 ? Math.min(has, missing) : has);
          missing -= devices[i];
        }
        long rest = demand.request().count();
        int left = order.length;
        for (int i : Tasks.byIndex(order)) {
          devices[i] = Math.min(devices[i], Math.max(1, rest - --left));
          rest -= devices[i];
        }
        break;
      }
    }
    return devices;
  }

  private List<NodeShare> withDevices(
      Shape shape, Choice choice, int[] tasks, long[] devices, Usage usage) {
    boolean strict = shape.cpusPerDevice > 0 || hardware.hasNearDevices(shape);
    Handout handout = new Handout(hardware, shape, usage, fit);
    int[] order = choice.order();
    for (int i = 0; i < order.length; i++) {
      int node = order[i];
      // With a number of CPUs for each GPU of the job each node gets those of so many GPUs as the
      // first one, as far as it has so many free.
      long first = i == 0 ? 0 : Math.min(devices[0], rooms.gpus[node]);
      long gpus = 0;
      for (Shape.Demand demand : shape.demands) {
        boolean gpu = demand.request().name().equals("gpu");
        gpus += gpu ? countHere(shape, demand, tasks[i], devices[i]) : 0;
      }
      int cpus = Math.max(tasks[i] * shape.cpusPerTask, shape.request.minCpusPerNode());
      long withCpus = choice.gpus() > 0 ? choice.gpus() : Math.max(first, gpus);
      cpus = Math.max(cpus, (int) (shape.request.cpusPerGpu() * withCpus));
      handout.take(
          node,
          tasks[i],
          Math.min(rooms.tasks[node], shape.mostTasksOnOne()),
          cpus,
          rooms.cpus[node],
          devices[i],
          Math.max(gpus, shape.gpusOfSeveralNodes()),
          choice.strict() || !strict);
    }
    return handout.shares();
  }

  private List<NodeShare> withoutDevices(Shape shape, int[] order, int[] tasks, Usage usage) {
    TreeMap<Integer, NodeShare> shares = new TreeMap<>();
    for (int i = 0; i < order.length; i++) {
      shares.put(order[i], share(shape, order[i], tasks[i], usage));
    }
    return List.copyOf(shares.values());
  }

  /** What a job gets of a node that has no devices, or all of them. */
  private NodeShare share(Shape shape, int node, int tasks, Usage usage) {
    String name = hardware.name(node);
    if (shape.whole) {
      List<GresShare> gres =
          shape.allGres ? Devices.all(hardware, usage, node) : Devices.none(hardware, node);
      int cpus = hardware.cpus[node];
      return new NodeShare(
          name,
          Cores.all(hardware, node),
          cpus,
          shape.memoryFor(hardware, node, cpus, gpus(gres)),
          gres);
    }
    int cpus = tasks * shape.cpusPerTask;
    boolean asTasks = shape.request.tasksGiven() || shape.request.overcommit();
    cpus = asTasks ? cpus : Math.max(cpus, shape.request.minCpusPerNode());
    fit.measureCpus(shape, node, usage);
    var kept = fit.room().kept(shape, node, usage, NO_WORDS, fit.sharer(shape));
    IndexSet cores = IndexSet.of(new Layout(hardware, shape, node, kept).choose(cpus));
    boolean byCores = shape.countsCores || shape.countsSockets;
    int charged = byCores ? cores.size() * hardware.cpusPerCore[node] : cpus;
    return new NodeShare(
        name, cores, charged, shape.memoryFor(hardware, node, charged, 0), List.of());
  }

  private static long countHere(Shape shape, Shape.Demand demand, int tasks, long jobDevices) {
    long count = demand.request().count();
    return switch (demand.request().scope()) {
      case NODE -> count;
      case JOB -> jobDevices;
      case TASK -> count * tasks;
      case SOCKET -> count * Fit.leastSockets(shape);
    };
  }

  private static long gpus(List<GresShare> gres) {
    return gres.stream().filter(g -> g.name().equals("gpu")).mapToLong(GresShare::count).sum();
  }

  private static Tres tres(List<NodeShare> shares) {
    TreeMap<String, Long> sum = new TreeMap<>();
    sum.put(Tres.NODE, (long) shares.size());
    for (NodeShare share : shares) {
      sum.merge(Tres.CPU, (long) share.cpus(), Long::sum);
      sum.merge(Tres.MEM, share.memoryMib(), Long::sum);
      for (GresShare gres : share.gres()) {
        if (gres.count() == 0) {
          continue;
        }
        sum.merge("gres/" + gres.name(), gres.count(), Long::sum);
        if (gres.type() != null && !new Hardware.Kind(gres.name(), gres.type()).sharing()) {
          sum.merge("gres/" + gres.name() + ":" + gres.type(), gres.count(), Long::sum);
        }
      }
    }
    return new Tres(sum);
  }
}
