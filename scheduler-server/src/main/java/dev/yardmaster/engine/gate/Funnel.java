package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Fit;
import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Evidence.Cause;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node funnel: stage by stage, which nodes remain for a job. Each stage is one test of one
 * node; a pass keeps the survivors, an explanation also asks why the others fell.
 */
public final class Funnel {
  private static final List<Gate> HARDWARE =
      List.of(
          Gate.NODES_IN_PARTITION,
          Gate.NODES_NAMED,
          Gate.NODES_FEATURES,
          Gate.NODES_CAPACITY,
          Gate.NODES_GRES);
  private static final List<Gate> FREE =
      List.of(Gate.NODES_FREE_CPUS, Gate.NODES_FREE_MEMORY, Gate.NODES_FREE_GRES);

  private final Board board;
  private final Hardware hardware;
  private final Job job;
  private final Shape shape;
  private final Usage usage;
  private final long minutes;
  private final long @Nullable [] planned;
  private final IntFunction<List<Integer>> plannedFor;
  private final Fit fit;
  private long[] remaining;
  private final long[] bridges;
  private boolean failed;
  private long @Nullable [] closed;

  /**
   * A funnel for one job.
   *
   * @param minutes the time limit it would run under
   * @param planned nodes that jobs ahead have planned within this job's duration; null for none
   */
  Funnel(
      Board board,
      Job job,
      Shape shape,
      long minutes,
      long @Nullable [] planned,
      IntFunction<List<Integer>> plannedFor) {
    this.board = board;
    this.hardware = board.hardware();
    this.job = job;
    this.shape = shape;
    this.minutes = minutes;
    usage = board.seenBy(job, minutes);
    this.planned = planned;
    this.plannedFor = plannedFor;
    fit = board.placer().fit();
    remaining = Bits.of(hardware.size());
    bridges = Bits.of(hardware.size());
  }

  /** The same for another shape of the job. */
  Funnel of(Shape other) {
    return new Funnel(board, job, other, minutes, planned, plannedFor);
  }

  /** Why a node fell, with the value that belongs to the cause and when it may change. */
  private record Reasoned(Cause cause, String detail, @Nullable Instant until, long has) {
    Reasoned(Cause cause) {
      this(cause, "", null);
    }

    Reasoned(Cause cause, String detail, @Nullable Instant until) {
      this(cause, detail, until, 0);
    }
  }

  /** The nodes whose hardware could serve a shape: the first stages of the funnel. */
  static long[] serving(Board board, Shape shape) {
    Hardware hardware = board.hardware();
    long[] set = board.nodesOf(shape.partition().name()).clone();
    if (shape.namesUnknownNodes(hardware)) {
      Bits.removeAll(set, set.clone());
    }
    Bits.removeAll(set, shape.excluded());
    for (int n = Bits.next(set, 0); n >= 0; n = Bits.next(set, n + 1)) {
      if (!mayServe(hardware, shape, n)
          || !hasFeatures(hardware, shape, n)
          || board.placer().fit().test(shape, n, board.empty(), true, 0) != null) {
        Bits.remove(set, n);
      }
    }
    return set;
  }

  /**
   * The nodes that Slurm's plan tries a shape on: of the partition, with its features, and large
   * enough. Whether they have the devices comes out only in the try.
   */
  static long[] candidates(Board board, Shape shape) {
    Hardware hardware = board.hardware();
    JobRequest request = shape.request();
    int cpus = Math.max(request.minCpusPerNode(), request.tasksPerNode() * request.cpusPerTask());
    long memory = request.memory() instanceof MemoryRequest.PerNode(long mib) ? mib : 0;
    long[] set = board.nodesOf(shape.partition().name()).clone();
    Bits.removeAll(set, shape.excluded());
    for (int n = Bits.next(set, 0); n >= 0; n = Bits.next(set, n + 1)) {
      NodeSpec spec = hardware.spec(n);
      if (!hasFeatures(hardware, shape, n)
          || cpus > spec.cpus()
          || memory > spec.realMemoryMib()
          || request.tmpDiskMib() > spec.tmpDiskMib()
          || request.socketsPerNode() > spec.sockets()) {
        Bits.remove(set, n);
      }
    }
    return set;
  }

  /** What no daemon serves is for jobs for which nothing is launched. */
  private static boolean mayServe(Hardware hardware, Shape shape, int node) {
    return shape.request().external() || !hardware.external(node);
  }

  private static boolean hasFeatures(Hardware hardware, Shape shape, int node) {
    FeatureExpression features = shape.request().features();
    return features == null || features.matches(hardware.features(node));
  }

  /**
   * Runs the stages from the partition's nodes to those that are free.
   *
   * @return what remains, or null when a stage failed
   */
  long @Nullable [] run(Collector c, NodeReasons reasons) {
    if (!hardware(c)) {
      return null;
    }
    if (!stage(Gate.NODES_UP, c, () -> reasons.unavailable(shape), true)) {
      return null;
    }
    if (board.reservations().isEmpty() && job.reservation() == null) {
      c.notApplicable(Gate.NODES_UNRESERVED);
    } else {
      Why why = reservedOrBusy(reasons);
      if (!stage(Gate.NODES_UNRESERVED, c, () -> why, true)) {
        return null;
      }
    }
    // Slurm takes kept nodes out before it looks at what is free, which matters to who names them
    boolean namesKept = planned != null && Bits.countCommon(shape.required(), planned) > 0;
    if (namesKept && !unplanned(c, reasons)) {
      return null;
    }
    for (Gate stage : FREE) {
      if (!stage(stage, c, () -> taken(reasons), true)) {
        return null;
      }
    }
    if (!namesKept && !unplanned(c, reasons)) {
      return null;
    }
    return failed ? null : remaining;
  }

  /**
   * Nodes reserved in part are busy, as in Slurm; the reservation is to blame where whole nodes are
   * missing.
   */
  private Why reservedOrBusy(NodeReasons reasons) {
    LeftOver leftOver = leftOver();
    return suffices(leftOver.unreserved(remaining))
        ? leftOver.why(reasons)
        : leftOver.whyReserved(reasons);
  }

  private LeftOver leftOver() {
    return new LeftOver(board, job, shape, planned == null ? Bits.of(hardware.size()) : planned);
  }

  private Why taken(NodeReasons reasons) {
    return planned == null ? NodeReasons.BUSY : leftOver().why(reasons);
  }

  private boolean suffices(long[] nodes) {
    return Bits.count(nodes) >= shape.minNodes() && Bits.contains(nodes, shape.required());
  }

  /**
   * Runs the stages about the hardware alone; what is free there says nothing of a job that it
   * could never hold.
   *
   * @return false when one failed and the collector has heard enough
   */
  boolean hardware(Collector c) {
    remaining = board.nodesOf(shape.partition().name()).clone();
    for (Gate stage : HARDWARE) {
      Why why = NodeReasons.impossible(board, shape);
      if (!stage(stage, c, () -> why, false)) {
        return false;
      }
    }
    return true;
  }

  private boolean unplanned(Collector c, NodeReasons reasons) {
    if (planned == null) {
      c.notApplicable(Gate.NODES_UNPLANNED);
      return true;
    }
    return stage(Gate.NODES_UNPLANNED, c, () -> taken(reasons), true);
  }

  /**
   * Nodes that could be had but for a resource that is counted over the job; they matter to which
   * nodes are neighbours.
   */
  long[] bridges() {
    if (Bits.isEmpty(bridges)) {
      return bridges;
    }
    long[] open = Bits.common(bridges, board.up());
    if (planned != null) {
      Bits.removeAll(open, planned);
    }
    long from = board.now().getEpochSecond();
    Bits.removeAll(
        open, board.reservations().closedTo(job, from, Reservations.endOf(from, minutes)));
    return open;
  }

  /** What remained of the nodes so far. */
  long[] remaining() {
    return remaining;
  }

  /** Runs one stage; false when it failed and the collector has heard enough. */
  private boolean stage(Gate gate, Collector collector, Supplier<Why> why, boolean waitingHelps) {
    long[] set = remaining;
    if (gate != Gate.NODES_IN_PARTITION && Bits.isEmpty(set)) {
      return true;
    }
    int before = Bits.count(set);
    TreeMap<String, Group> groups = new TreeMap<>();
    int fallen = 0;
    for (int n = Bits.next(set, 0); n >= 0; n = Bits.next(set, n + 1)) {
      Reasoned reasoned = test(gate, n);
      if (reasoned != null) {
        Bits.remove(set, n);
        fallen++;
        if (collector.all()) {
          groups
              .computeIfAbsent(
                  reasoned.cause.ordinal() + "\n" + reasoned.detail, k -> new Group(reasoned))
              .add(hardware.name(n), reasoned);
        }
      }
    }
    int after = Bits.count(set);
    boolean lacksRequired = !Bits.contains(set, shape.required());
    boolean tooFew = after < shape.minNodes() || lacksRequired;
    boolean fails =
        tooFew && (fallen > 0 || (gate == Gate.NODES_IN_PARTITION) || unknownNodes(gate));
    if (fails) {
      failed = true;
      return collector.fail(
          gate, why.get(), waitingHelps, () -> evidence(gate, before, after, groups));
    }
    collector.pass(gate, () -> evidence(gate, before, after, groups));
    return true;
  }

  private boolean unknownNodes(Gate gate) {
    return gate == Gate.NODES_NAMED && shape.namesUnknownNodes(hardware);
  }

  private Evidence evidence(Gate gate, int before, int after, TreeMap<String, Group> groups) {
    List<Evidence.Fall> falls = new ArrayList<>();
    groups.values().forEach(g -> falls.add(g.fall()));
    if (unknownNodes(gate)) {
      List<String> unknown =
          shape.request().requiredNodes().stream()
              .filter(name -> hardware.indexOf(name) < 0)
              .toList();
      falls.add(new Evidence.Fall(Cause.UNKNOWN_NODE, "", HostList.of(unknown), null));
    }
    return new Evidence.Nodes(before, after, shape.minNodes(), falls);
  }

  private @Nullable Reasoned test(Gate gate, int node) {
    return switch (gate) {
      case NODES_NAMED -> named(node);
      case NODES_FEATURES ->
          hasFeatures(hardware, shape, node)
              ? null
              : new Reasoned(Cause.LACKS_FEATURE, featuresText(), null);
      case NODES_CAPACITY, NODES_GRES -> fits(gate, node, board.empty(), true);
      case NODES_UP -> up(node);
      case NODES_UNRESERVED -> unreserved(node);
      case NODES_FREE_CPUS, NODES_FREE_MEMORY, NODES_FREE_GRES -> fits(gate, node, usage, false);
      case NODES_UNPLANNED ->
          planned != null && Bits.has(planned, node)
              ? new Reasoned(Cause.PLANNED_FOR_OTHER, names(plannedFor.apply(node)), null)
              : null;
      default -> null;
    };
  }

  private String names(List<Integer> jobs) {
    List<String> names = new ArrayList<>();
    for (int id : jobs) {
      Job other = board.state().job(id);
      names.add(other == null ? Integer.toString(id) : other.displayId());
    }
    return String.join(" ", names);
  }

  private String featuresText() {
    FeatureExpression features = shape.request().features();
    return features == null ? "" : features.toString();
  }

  private @Nullable Reasoned named(int node) {
    if (Bits.has(shape.excluded(), node)) {
      return new Reasoned(Cause.EXCLUDED);
    }
    if (!mayServe(hardware, shape, node)) {
      return new Reasoned(Cause.EXTERNAL);
    }
    boolean exactly =
        !Bits.isEmpty(shape.required()) && Bits.count(shape.required()) >= shape.maxNodes();
    return exactly && !Bits.has(shape.required(), node) ? new Reasoned(Cause.NOT_REQUESTED) : null;
  }

  private @Nullable Reasoned fits(Gate gate, int node, Usage at, boolean empty) {
    if (gate == Gate.NODES_FREE_CPUS && Bits.has(board.cleaning(), node)) {
      return new Reasoned(Cause.CPUS_BUSY);
    }
    Cause cause = fit.test(shape, node, at, empty, job.owner().uid());
    if (cause == null || gateOf(cause) != gate) {
      return null;
    }
    if (fit.lacksJobGres()) {
      Bits.add(bridges, node);
    }
    return new Reasoned(cause, fit.detail(), null, empty ? fit.has() : 0);
  }

  /** The stage at which a cause is reported. */
  private static Gate gateOf(Cause cause) {
    return switch (cause) {
      case TOO_FEW_CPUS, TOO_LITTLE_MEMORY, TOO_LITTLE_DISK -> Gate.NODES_CAPACITY;
      case LACKS_GRES, WRONG_GRES_TYPE, TOO_FEW_GRES -> Gate.NODES_GRES;
      case MEMORY_BUSY -> Gate.NODES_FREE_MEMORY;
      case GRES_BUSY -> Gate.NODES_FREE_GRES;
      default -> Gate.NODES_FREE_CPUS;
    };
  }

  private @Nullable Reasoned up(int node) {
    if (Bits.has(board.up(), node)) {
      return null;
    }
    var found = board.state().node(hardware.name(node));
    NodeStatus status = found == null ? NodeStatus.unknown() : found.status();
    String detail = status.reason();
    if (!Bits.has(board.notResponding(), node)) {
      return new Reasoned(Cause.DRAINED, detail, null);
    }
    return new Reasoned(
        status.has(NodeFlag.NOT_RESPONDING) ? Cause.NOT_RESPONDING : Cause.DOWN, detail, null);
  }

  private @Nullable Reasoned unreserved(int node) {
    long from = board.now().getEpochSecond();
    long until = Reservations.endOf(from, minutes);
    if (closed == null) {
      closed = board.reservations().closedTo(job, from, until);
    }
    if (Bits.has(closed, node)) {
      return reservedBy(node, from, until);
    }
    return board.reservedParts().close(job, shape, node, from, until)
        ? reservedBy(node, from, until)
        : null;
  }

  private Reasoned reservedBy(int node, long from, long until) {
    List<Reservations.Booking> all =
        new ArrayList<>(board.reservations().against(job, from, until));
    all.addAll(board.reservations().partsAgainst(job, from, until));
    for (Reservations.Booking b : all) {
      if (Bits.has(b.nodes(), node)) {
        return new Reasoned(Cause.RESERVED, b.reservation().name(), Instant.ofEpochSecond(b.end()));
      }
    }
    String own = job.reservation();
    Reservations.Booking booked = board.reservations().of(job);
    boolean waits = booked != null && booked.start() > from;
    Instant opens = waits && booked != null ? Instant.ofEpochSecond(booked.start()) : null;
    return new Reasoned(Cause.RESERVED, own == null ? "" : own, opens);
  }

  /** Nodes that fell for one cause. */
  private static final class Group {
    private final Reasoned reasoned;
    private final List<String> nodes = new ArrayList<>();
    private @Nullable Instant until;
    private long most;

    Group(Reasoned reasoned) {
      this.reasoned = reasoned;
      until = reasoned.until;
    }

    void add(String node, Reasoned why) {
      nodes.add(node);
      most = Math.max(most, why.has);
      Instant nodeUntil = why.until;
      until = until == null || nodeUntil == null || nodeUntil.isBefore(until) ? nodeUntil : until;
    }

    Evidence.Fall fall() {
      return new Evidence.Fall(reasoned.cause, reasoned.detail, HostList.of(nodes), until, most);
    }
  }
}
