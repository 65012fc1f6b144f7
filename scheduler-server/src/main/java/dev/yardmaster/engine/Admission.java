package dev.yardmaster.engine;

import dev.yardmaster.engine.gate.Admittance;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.FirstFailure;
import dev.yardmaster.engine.gate.LimitGates;
import dev.yardmaster.engine.gate.Places;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.limit.LimitBoard;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job may be submitted at all: what no waiting would mend. Rules of the partition count
 * as EnforcePartLimits says (slurm.conf): with NO such a job is accepted and waits.
 */
public final class Admission {
  /** What is wrong, in the sense of Slurm's errors. */
  public enum Kind {
    /** INACTIVE or DRAIN. */
    PARTITION_UNAVAILABLE,
    /** RootOnly, ReqResv. */
    ACCESS_DENIED,
    ACCOUNT_NOT_ALLOWED,
    QOS_NOT_ALLOWED,
    GROUP_NOT_ALLOWED,
    /** Fewer nodes than asked for, or outside MinNodes and MaxNodes. */
    NODE_COUNT,
    /** More tasks than nodes that the partition allows a job (MaxNodes). */
    PARTITION_SIZE,
    /** More processors than the partition has. */
    CPU_COUNT,
    /** MaxMemPerNode. */
    MEMORY_LIMIT,
    TIME_LIMIT,
    /** No node could ever serve it. */
    NODE_CONFIG,
    /** The rings or tori of the partition have no place of that form. */
    TOPO_CONFIG,
    NODE_NAME,
    FEATURE,
    LICENSE,
    RESERVATION,
    RESERVATION_ACCESS
  }

  /**
   * One reason to refuse.
   *
   * @param partition the partition it is about; empty when it is about none
   * @param note a line that Slurm prints before the error; empty when there is none
   */
  public record Problem(Kind kind, String partition, String note) {}

  /**
   * All that is found of a job.
   *
   * @param problems what is wrong, the first error first; empty when it may be submitted
   * @param nodes how many nodes it would get if nothing ran ({@link ExpectedNodes})
   */
  public record Verdict(List<Problem> problems, int nodes) {}

  private static final String OUTSIDE = "Problem using reservation";

  private final ClusterState state;
  private final Board board;
  private final Job job;
  private final boolean enforce;
  private int nodes;

  private Admission(ClusterState state, Job job, Instant now) {
    this.state = state;
    this.job = job;
    board = Board.withoutJobs(state, now);
    String limits = state.config().setting("EnforcePartLimits").orElse("NO");
    enforce = !limits.equalsIgnoreCase("NO");
  }

  /**
   * Checks a job as it would be submitted.
   *
   * @return what is wrong, the first error first; empty when it may be submitted
   */
  public static List<Problem> check(ClusterState state, Job job, Instant now) {
    return judge(state, job, now).problems();
  }

  /** The same, and how many nodes it would get. */
  public static Verdict judge(ClusterState state, Job job, Instant now) {
    Admission admission = new Admission(state, job, now);
    List<Problem> problems = admission.check();
    int nodes = admission.nodes;
    return new Verdict(problems, nodes > 0 ? nodes : ExpectedNodes.byTasks(state, job));
  }

  private List<Problem> check() {
    Problem own = ownProblem();
    if (own != null) {
      return List.of(own);
    }
    List<Problem> problems = new ArrayList<>();
    int fine = 0;
    for (String name : job.partitions()) {
      Partition partition = state.partitions().get(name);
      Problem problem = partition == null ? null : partitionProblem(partition);
      if (problem == null) {
        fine++;
      } else {
        problems.add(problem);
      }
    }
    boolean all =
        state
            .config()
            .setting("EnforcePartLimits")
            .orElse("NO")
            .toUpperCase(Locale.ROOT)
            .matches("ALL|YES");
    return fine > 0 && !all ? List.of() : List.copyOf(problems);
  }

  /** What is wrong whatever the partition. */
  private @Nullable Problem ownProblem() {
    var features = job.request().features();
    if (features != null && !has("ignore_constraint_validation")) {
      TreeSet<String> known = new TreeSet<>();
      state.nodes().values().forEach(n -> known.addAll(n.spec().availableFeatures()));
      if (!known.containsAll(features.names())) {
        return new Problem(Kind.FEATURE, "", "");
      }
    }
    for (Map.Entry<String, Integer> license : job.request().licenses().entrySet()) {
      int total = state.config().licenses().getOrDefault(license.getKey(), 0);
      boolean known = state.config().licenses().containsKey(license.getKey());
      if (license.getValue() > total && !(known && has("allow_zero_lic"))) {
        return new Problem(Kind.LICENSE, "", "");
      }
    }
    Instant deadline = job.deadline();
    if (deadline != null) {
      Instant begin = job.begin();
      Instant from = begin != null && begin.isAfter(board.now()) ? begin : board.now();
      long least = job.timeMinMinutes() > 0 ? job.timeMinMinutes() : job.timeLimitMinutes();
      if (deadline.isBefore(from.plusSeconds(60 * Math.max(0, least)))) {
        return new Problem(Kind.TIME_LIMIT, "", "");
      }
    }
    String reservation = job.reservation();
    if (reservation != null) {
      Reservation r = state.reservations().get(reservation);
      if (r == null) {
        return new Problem(Kind.RESERVATION, "", "");
      }
      if (!Admittance.admits(state, r, job.owner())) {
        return new Problem(Kind.RESERVATION_ACCESS, "", "");
      }
    }
    return null;
  }

  /** A job that asks for fewer switches than it can have is accepted, and waits (sbatch(1)). */
  private Shape withoutSwitches(Shape shape, Partition p) {
    return job.request().switches() == 0 ? shape : board.shape(job.request().withSwitches(0), p);
  }

  private @Nullable Problem partitionProblem(Partition p) {
    Kind rule = ruleBroken(p);
    if (rule != null) {
      return new Problem(rule, p.name(), "");
    }
    Shape shape = board.shape(job.request(), p);
    if (shape.namesUnknownNodes(board.hardware())
        || Bits.countCommon(shape.required(), shape.excluded()) > 0) {
      return new Problem(Kind.NODE_NAME, p.name(), "");
    }
    boolean tooMany = p.maxNodes() != Partition.UNLIMITED && shape.maxNodes() > p.maxNodes();
    if (enforce && tooMany && !overrides("PartitionMaxNodes")) {
      return new Problem(Kind.PARTITION_SIZE, p.name(), "");
    }
    if (tooMany && !overrides("PartitionMaxNodes")) {
      return null; // the limit holds it back, and Slurm looks no further
    }
    long[] nodes = board.nodesOf(p.name());
    if (shape.minNodes() > Bits.count(nodes)) {
      return enforce ? new Problem(Kind.NODE_COUNT, p.name(), "") : null;
    }
    if (shape.minCpus() > board.cpusOf(p)) {
      return enforce ? new Problem(Kind.CPU_COUNT, p.name(), "") : null;
    }
    Reservations.Booking own = board.reservations().of(job);
    if (own != null && !Admittance.takes(own.reservation(), job, p.name())) {
      return new Problem(Kind.NODE_CONFIG, p.name(), OUTSIDE);
    }
    if (hasUnevenGpus()
        || !mayCome(withoutSwitches(shape, p), p)
        || !preferable(p)
        || outsideReservation(shape)) {
      if (isUntested(shape, p)) {
        return null;
      }
      Kind kind = board.placer().hasForm(shape) ? Kind.NODE_CONFIG : Kind.TOPO_CONFIG;
      return new Problem(kind, p.name(), namesOthers(shape) ? OUTSIDE : note(shape));
    }
    return null;
  }

  /**
   * Whether Slurm does not try the job on nodes when it comes: one that a limit on numbers of jobs
   * or on time holds back, and one that names nodes that are not in service, as far as these have
   * the CPUs and the memory. What can never run is found when that has passed.
   */
  private boolean isUntested(Shape shape, Partition p) {
    return Places.namesAbsent(board, shape) || isOverLimit(shape, p);
  }

  private boolean isOverLimit(Shape shape, Partition p) {
    LimitBoard limits = new LimitBoard(state, board.now());
    state.jobs().values().forEach(limits::add);
    return limits.first(job, p, shape.minCpus()) != null;
  }

  /** Whether SchedulerParameters has an option. */
  private boolean has(String parameter) {
    return state.config().scheduling().parameters().containsKey(parameter);
  }

  private boolean mayCome(Shape shape, Partition p) {
    JobRequest request = validated(board.limits().within(job, p));
    Shape limited = request.equals(job.request()) ? shape : board.shape(request, p);
    int found = board.nodesWhenEmpty(limited);
    // one that limits never let have so many nodes is not tried, as in Slurm
    if (nodes == 0 && LimitGates.ever(board, job, shape, new FirstFailure())) {
      nodes = found;
    }
    return found > 0 || Places.seemsPossible(board, limited);
  }

  /** With ignore_constraint_validation no feature has to be there yet. */
  private JobRequest validated(JobRequest request) {
    return has("ignore_constraint_validation") ? request.with(r -> r.features(null)) : request;
  }

  /** --ntasks-per-gpu on a given number of nodes wants as many GPUs on each. */
  private boolean hasUnevenGpus() {
    JobRequest r = job.request();
    return r.tasksPerGpu() > 0
        && r.nodesGiven()
        && r.minNodes() == r.maxNodes()
        && r.gres().stream()
            .anyMatch(g -> g.scope() == Scope.JOB && g.count() % Math.max(1, r.minNodes()) != 0);
  }

  /** What a job prefers is judged at submission as if it insisted on it, as Slurm does. */
  private boolean preferable(Partition p) {
    var prefer = has("ignore_prefer_validation") ? null : job.request().prefer();
    return prefer == null || board.possible(board.shape(insisting(job.request()), p));
  }

  private static JobRequest insisting(JobRequest request) {
    return request.with(r -> r.features(request.prefer()).prefer(null));
  }

  /** Whether the job names nodes that its reservation does not have. */
  private boolean namesOthers(Shape shape) {
    Reservations.Booking own = board.reservations().of(job);
    return own != null && !own.isFlexible() && !Bits.contains(own.nodes(), shape.required());
  }

  private boolean outsideReservation(Shape shape) {
    Reservations.Booking own = board.reservations().of(job);
    if (own == null) {
      return false;
    }
    long from = board.now().getEpochSecond();
    if (!own.isFlexible() && own.start() > from) {
      return false; // Slurm looks at its nodes only when it has begun
    }
    long until = Reservations.endOf(from, job.timeLimitMinutes());
    long[] partition = board.nodesOf(shape.partition().name());
    if (!namesOthers(shape) && board.reservations().isBuried(job, partition, from, until)) {
      return false; // Slurm looks at it only when one of the others has ended
    }
    boolean free = own.isFlexible() || own.isOfAnyNodes();
    long[] inside =
        free ? board.serving(shape).clone() : Bits.common(board.serving(shape), own.nodes());
    board
        .reservations()
        .against(job, from, until)
        .forEach(other -> Bits.removeAll(inside, other.nodes()));
    return board.placer().choose(shape, inside, board.empty(), true, 0) == null;
  }

  private @Nullable Kind ruleBroken(Partition p) {
    if (p.state() == PartitionState.INACTIVE || p.state() == PartitionState.DRAIN) {
      return Kind.PARTITION_UNAVAILABLE;
    }
    boolean root = job.owner().uid() == 0;
    if ((p.rootOnly() && !root) || (p.reqResv() && job.reservation() == null)) {
      return Kind.ACCESS_DENIED;
    }
    if (!enforce) {
      return null;
    }
    Kind limit = p.state().startsJobs() ? sizeBroken(p) : null;
    if (limit != null) {
      return limit;
    }
    if (!p.admitsQos(job.owner().qos())) {
      return Kind.QOS_NOT_ALLOWED;
    }
    if (!root && !p.allowGroups().isEmpty() && !p.allowGroups().contains(job.owner().group())) {
      return Kind.GROUP_NOT_ALLOWED;
    }
    if (!p.admitsAccount(job.owner().account())) {
      return Kind.ACCOUNT_NOT_ALLOWED;
    }
    Long memory = p.maxMemPerNodeMib();
    if (memory != null
        && job.request().memory() instanceof MemoryRequest.PerNode(long mib)
        && mib > memory) {
      return Kind.MEMORY_LIMIT;
    }
    return null;
  }

  /** CPUs, nodes and time beyond what the partition has or allows, in Slurm's order. */
  private @Nullable Kind sizeBroken(Partition p) {
    JobRequest request = job.request();
    long[] nodes = board.nodesOf(p.name());
    int cpus = ReqTres.cpus(request);
    boolean limited = p.maxCpusPerNode() != Partition.UNLIMITED;
    if (cpus > board.hardware().cpusOf(nodes)
        || (limited && cpus > (long) p.maxCpusPerNode() * Bits.count(nodes))) {
      return Kind.CPU_COUNT;
    }
    int most = request.nodesGiven() ? request.maxNodes() : request.minNodes();
    boolean tooMany =
        p.maxNodes() != Partition.UNLIMITED
            && most > p.maxNodes()
            && !overrides("PartitionMaxNodes");
    boolean tooFew = request.minNodes() < p.minNodes() && !overrides("PartitionMinNodes");
    if (request.minNodes() > Bits.count(nodes) || tooMany || tooFew) {
      return Kind.NODE_COUNT;
    }
    long limit = job.timeMinMinutes() > 0 ? job.timeMinMinutes() : job.timeLimitMinutes();
    boolean tooLong =
        p.maxTimeMinutes() != Partition.UNLIMITED
            && !job.limitOpen()
            && (limit == Partition.UNLIMITED || limit > p.maxTimeMinutes());
    return tooLong && !overrides("PartitionTimeLimit") ? Kind.TIME_LIMIT : null;
  }

  /** Whether the job's QOS lets it past a limit of the partition. */
  private boolean overrides(String flag) {
    return board.limits().overrides(job, flag);
  }

  /** The line about a request that no node of the cluster can meet by itself. */
  private String note(Shape shape) {
    int mostCpus = 0;
    long mostMemory = 0;
    long mostDisk = 0;
    int mostSockets = 0;
    int mostCores = 0;
    int mostThreads = 0;
    for (var known : state.nodesInOrder()) {
      var node = known.spec();
      mostCpus = Math.max(mostCpus, node.cpus());
      mostMemory = Math.max(mostMemory, node.realMemoryMib());
      mostDisk = Math.max(mostDisk, node.tmpDiskMib());
      mostSockets = Math.max(mostSockets, node.sockets());
      mostCores = Math.max(mostCores, node.coresPerSocket());
      mostThreads = Math.max(mostThreads, node.threadsPerCore());
    }
    var r = shape.request();
    int tasks = r.overcommit() ? 1 : Math.max(1, r.tasksPerNode());
    int perNode = Math.max(r.cpusPerTask() * tasks, r.minCpusPerNode());
    if (perNode > mostCpus) {
      return "CPU count per node can not be satisfied";
    }
    if (r.memory() instanceof MemoryRequest.PerNode(long mib) && mib > mostMemory) {
      return "Memory specification can not be satisfied";
    }
    if (r.tmpDiskMib() > mostDisk) {
      return "Temporary disk specification can not be satisfied";
    }
    if (r.socketsPerNode() > mostSockets
        || r.coresPerSocket() > mostCores
        || r.threadsPerCore() > mostThreads) {
      return "Socket, core and/or thread specification can not be satisfied";
    }
    return "";
  }
}
