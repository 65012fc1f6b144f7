package dev.yardmaster.engine.gate;

import dev.yardmaster.engine.limit.LimitBoard;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Hardware;
import dev.yardmaster.engine.place.Manner;
import dev.yardmaster.engine.place.Placer;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Identities;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The state compiled for one pass: flat arrays, sets of nodes, and what is in use. It changes as
 * the pass starts jobs, so that two jobs of one pass never get the same resource.
 */
public final class Board {
  private static final long DEFAULT_SWITCH_WAIT = 300;
  private final ClusterState state;
  private Instant now;
  private final Hardware hardware;
  private final Usage usage;
  private final Placer placer;
  private final LimitBoard limits;
  private final Compiled.Available available;
  private final long[] cleaning;
  private final Compiled compiled;
  private final TreeMap<String, Seen> partitions = new TreeMap<>();
  private final Identities<Partition, Seen> seen = new Identities<>();
  private final List<Job> holders = new ArrayList<>();
  private final List<Job> pending = new ArrayList<>();
  private final TreeMap<String, Integer> licensesUsed = new TreeMap<>();
  private final TreeMap<Integer, Integer> arrayRunning = new TreeMap<>();
  private final Reservations reservations;
  private final ReservedParts reservedParts;
  private final Dependencies dependencies;
  private @Nullable Timetable timetable;
  private List<String> lastNames = List.of();
  private List<Partition> lastPartitions = List.of();

  /** A partition, with the shapes that this board has met in it. */
  private record Seen(Compiled.Part part, Identities<JobRequest, Shape> shapes) {}

  public Board(ClusterState state, Instant now) {
    this(state, now, true);
  }

  private Board(ClusterState state, Instant now, boolean withJobs) {
    this.state = state;
    this.now = now;
    compiled = Compiled.of(state);
    hardware = compiled.hardware;
    usage = Usage.none(hardware);
    placer = new Placer(hardware);
    limits = new LimitBoard(state, now);
    available = compiled.available(state);
    cleaning = Bits.of(hardware.size());
    for (Partition partition : state.partitions().values()) {
      partitions.put(partition.name(), seen(partition));
    }
    if (withJobs) {
      for (Job job : state.jobs().values()) {
        if (job.state() == JobState.PENDING) {
          pending.add(job);
        }
        if (job.holdsResources()) {
          hold(job);
        }
      }
    }
    reservations = new Reservations(state, hardware, now);
    reservedParts = new ReservedParts(this);
    dependencies = new Dependencies(state, now);
  }

  /** The cluster as if nothing ran on it, for questions about hardware and rules alone. */
  public static Board withoutJobs(ClusterState state, Instant now) {
    return new Board(state, now, false);
  }

  /**
   * The cluster as it was when a job started, as far as the state still knows: without what started
   * later, with what has ended since.
   *
   * @param ahead which of the jobs that started in the same second count as started before
   */
  public static Board atStartOf(Job job, ClusterState state, Predicate<Job> ahead) {
    Instant then = job.started() == null ? job.submitted() : job.started();
    Board board = new Board(state, then, false);
    for (Job other : state.jobs().values()) {
      Instant started = other.started();
      Instant ended = other.ended();
      if (other.id() == job.id() || started == null || other.state() == JobState.PENDING) {
        continue;
      }
      boolean before = started.isBefore(then) || (started.equals(then) && ahead.test(other));
      if (before && (other.holdsResources() || (ended != null && ended.isAfter(then)))) {
        board.hold(other);
      }
    }
    return board;
  }

  /**
   * A board that looks ahead: {@link #moveTo} says at what time, and rules about limits, licences
   * and arrays count the jobs that run then. It has no usage of nodes.
   */
  public Board ahead() {
    Board board = new Board(state, now, false);
    board.timetable = new Timetable();
    for (Job job : holders) {
      Instant end = job.ended();
      long until =
          end == null ? Long.MAX_VALUE : Math.max(end.getEpochSecond(), now.getEpochSecond() + 1);
      board.occupy(job, Long.MIN_VALUE, until);
    }
    return board;
  }

  /** Of a board that looks ahead: the time of which it speaks, in seconds since the epoch. */
  public void moveTo(long second) {
    now = Instant.ofEpochSecond(second);
    limits.moveTo(second);
  }

  /** Of a board that looks ahead: a job runs for a time. */
  public void occupy(Job job, long from, long until) {
    limits.add(job, from, until);
    if (timetable != null) {
      timetable.occupy(job, from, until);
    }
  }

  /**
   * Of a board that looks ahead: when, after a time, the first of the jobs ends with which a job
   * shares a limit, a licence or an array; {@code Long.MAX_VALUE} for none.
   */
  public long nextEnd(Job job, long after) {
    long next = limits.nextEnd(job, after);
    return timetable == null ? next : Math.min(next, timetable.nextEnd(job, after));
  }

  private void hold(Job job) {
    Allocation allocation = job.allocation();
    if (allocation == null) {
      return;
    }
    holders.add(job);
    limits.add(job);
    usage.add(allocation, job.owner().uid(), manner(job));
    if (job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED) {
      countLicenses(job, 1);
      if (job.array() != null) {
        arrayRunning.merge(job.array().arrayJobId(), 1, Integer::sum);
      }
    } else if (job.state() == JobState.PENDING) {
      Bits.addAll(cleaning, hardware.setOf(allocation.nodes().expand()));
    }
  }

  private void countLicenses(Job job, int sign) {
    job.heldLicenses()
        .forEach(
            (name, count) -> {
              licensesUsed.merge(name, sign * count, Integer::sum);
            });
  }

  /**
   * Counts a job for limits and licences alone, as if it ran.
   *
   * @param sign 1 to count it, -1 to take that back
   */
  public void count(Job running, int sign) {
    if (sign > 0) {
      limits.add(running);
    } else {
      limits.remove(running);
    }
    countLicenses(running, sign);
  }

  /** Nodes that still end the run of a job that waits again: as in Slurm nothing starts there. */
  public long[] cleaning() {
    return cleaning;
  }

  /**
   * How a job holds its nodes: for its user alone (--exclusive=user, ExclusiveUser=YES), or sharing
   * cores (OverSubscribe).
   */
  public Manner manner(Job job) {
    Seen partition = partitions.get(job.partition());
    Manner runs =
        partition == null
            ? new Manner(job.request().exclusivity() == Exclusivity.USER, null, null)
            : partition.part.manner(job);
    return job.lendsCpus() ? runs.whenStopped() : runs;
  }

  /**
   * Takes resources for a job that starts now.
   *
   * @param job as it will run: with partition, limit and allocation
   */
  public void start(Job job, Allocation allocation) {
    Job running =
        job.with(
            j ->
                j.state(JobState.RUNNING)
                    .allocation(allocation)
                    .started(now)
                    .ended(
                        job.timeLimitMinutes() == Partition.UNLIMITED
                            ? null
                            : now.plusSeconds(60 * job.timeLimitMinutes())));
    hold(running);
  }

  /** An answer to a question as it would be if some jobs had ended. */
  public boolean without(Collection<Job> ended, BooleanSupplier question) {
    List<Job> gone = ended.stream().filter(holders::contains).toList();
    gone.forEach(job -> release(job, true));
    boolean answer = question.getAsBoolean();
    gone.forEach(job -> release(job, false));
    return answer;
  }

  /** Does something as if some jobs had stopped and lent their cores. */
  public void whileStopped(Collection<Job> stopped, Runnable work) {
    List<Job> jobs =
        stopped.stream()
            .filter(job -> holders.contains(job) && job.allocation() != null && !job.lendsCpus())
            .toList();
    jobs.forEach(job -> stop(job, true));
    work.run();
    jobs.forEach(job -> stop(job, false));
  }

  private void stop(Job job, boolean stops) {
    Allocation allocation = job.allocation();
    Manner runs = manner(job);
    if (allocation != null) {
      usage.remove(allocation, stops ? runs : runs.whenStopped());
      usage.add(allocation, job.owner().uid(), stops ? runs.whenStopped() : runs);
    }
  }

  private void release(Job job, boolean free) {
    Allocation allocation = job.allocation();
    if (allocation == null) {
      return;
    }
    if (job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED) {
      countLicenses(job, free ? -1 : 1);
    }
    if (free) {
      limits.remove(job);
      usage.remove(allocation, manner(job));
    } else {
      limits.add(job);
      usage.add(allocation, job.owner().uid(), manner(job));
    }
  }

  public ClusterState state() {
    return state;
  }

  public Instant now() {
    return now;
  }

  public Hardware hardware() {
    return hardware;
  }

  /** What is taken now, jobs started in this pass included. */
  public Usage usage() {
    return usage;
  }

  /** The nodes without any job. */
  public Usage empty() {
    return compiled.empty;
  }

  /** The limits of associations and QOS, and what is taken of them. */
  public LimitBoard limits() {
    return limits;
  }

  public Placer placer() {
    return placer;
  }

  /** Nodes that may get new work: up, responding, not drained. */
  public long[] up() {
    return available.up();
  }

  /** Nodes that jobs may be planned on: those that are up, and those that reboot and come back. */
  public long[] plannable() {
    return available.plannable();
  }

  /** Nodes that are down or do not respond (Slurm's UnavailableNodes); drained ones are not. */
  public long[] notResponding() {
    return available.notResponding();
  }

  /** The most CPUs that jobs of a partition may ever have, MaxCPUsPerNode observed. */
  public long cpusOf(Partition p) {
    long[] nodes = nodesOf(p.name());
    long most = p.maxCpusPerNode() > 0 ? (long) p.maxCpusPerNode() * Bits.count(nodes) : 1L << 40;
    return Math.min(hardware.cpusOf(nodes), most);
  }

  public long[] nodesOf(String partition) {
    Seen found = partitions.get(partition);
    return found == null ? Bits.of(hardware.size()) : found.part.nodes;
  }

  /** Jobs that hold resources, those started in this pass included. */
  public List<Job> holders() {
    return holders;
  }

  /** Jobs that waited when the board was made, by id. */
  public List<Job> pending() {
    return pending;
  }

  public int licensesUsed(String name) {
    return timetable != null
        ? timetable.licenses(name, now.getEpochSecond())
        : licensesUsed.getOrDefault(name, 0);
  }

  /** Tasks of an array that run. */
  public int tasksRunning(int arrayJobId) {
    return timetable != null
        ? timetable.tasks(arrayJobId, now.getEpochSecond())
        : arrayRunning.getOrDefault(arrayJobId, 0);
  }

  public Reservations reservations() {
    return reservations;
  }

  /** Reservations of parts of nodes. */
  public ReservedParts reservedParts() {
    return reservedParts;
  }

  /** What a job sees as taken now, for a run of so many minutes. */
  public Usage seenBy(Job job, long minutes) {
    long from = now.getEpochSecond();
    return reservedParts.seenBy(job, usage, from, Reservations.endOf(from, minutes));
  }

  /** Licences that reservations keep from a job that would start now. */
  public int licensesKept(Job job, String license) {
    long from = now.getEpochSecond();
    long until = Reservations.endOf(from, NodeReasons.leastMinutes(job));
    return reservations.licensesKept(job, license, from, until);
  }

  public Dependencies dependencies() {
    return dependencies;
  }

  /**
   * The shape of a job in a partition at this moment. {@code --switches} is insisted on only for as
   * long as the job said, and never longer than max_switch_wait (SchedulerParameters).
   */
  public Shape shape(Job job, Partition partition) {
    JobRequest request = limits().within(job, partition);
    return request.switches() > 0 && waitedForSwitches(job)
        ? shape(request.withSwitches(0), partition)
        : shape(request, partition);
  }

  private boolean waitedForSwitches(Job job) {
    long most = DEFAULT_SWITCH_WAIT;
    String text = state.config().scheduling().parameters().get("max_switch_wait");
    if (text != null && text.matches("[0-9]{1,9}")) {
      most = Long.parseLong(text);
    }
    long asked = job.request().switchesWaitSeconds();
    Instant since = job.eligible();
    long wait = asked > 0 ? Math.min(asked, most) : most;
    return since != null && !since.plusSeconds(wait).isAfter(now);
  }

  /** The job's request in a partition; equal requests give the same object. */
  public Shape shape(JobRequest request, Partition partition) {
    Seen in = seen(partition);
    Shape shape = in.shapes.get(request);
    if (shape == null) {
      shape = in.part.shape(request);
      in.shapes.put(request, shape);
    }
    return shape;
  }

  /**
   * Nodes whose hardware could serve the shape, from the first stages of the funnel; computed once
   * per shape.
   */
  public long[] serving(Shape shape) {
    return shape.serving(() -> Funnel.serving(this, shape));
  }

  /** Nodes that Slurm's plan tries the shape on, whether or not they have its devices. */
  public long[] candidates(Shape shape) {
    return Funnel.candidates(this, shape);
  }

  /**
   * Whether the empty hardware could host the shape as a whole; computed once per shape. {@code
   * --switches} does not count: it is a wish that ends with time.
   */
  public boolean possible(Shape shape) {
    return nodesWhenEmpty(shape) > 0;
  }

  /** How many nodes the shape would get if nothing ran; 0 when the nodes can never host it. */
  public int nodesWhenEmpty(Shape shape) {
    if (shape.request().switches() > 0) {
      return nodesWhenEmpty(shape(shape.request().withSwitches(0), shape.partition()));
    }
    return shape.nodesWhenEmpty(() -> Places.whenEmpty(this, shape));
  }

  /** Whether enough nodes that could serve the shape are up and not reserved against the job. */
  public boolean usable(Job job, Shape shape) {
    if (!possible(shape)) {
      return false;
    }
    long[] usable = Bits.common(serving(shape), up());
    if (!reservations.isEmpty()) {
      long from = now.getEpochSecond();
      long until = Reservations.endOf(from, NodeReasons.leastMinutes(job));
      Bits.removeAll(usable, reservations.closedTo(job, from, until));
      for (int n = Bits.next(usable, 0); n >= 0; n = Bits.next(usable, n + 1)) {
        if (reservedParts.close(job, shape, n, from, until)) {
          Bits.remove(usable, n);
        }
      }
    }
    return Bits.count(usable) >= shape.minNodes() && Bits.contains(usable, shape.required());
  }

  private Seen seen(Partition partition) {
    Seen found = seen.get(partition);
    if (found == null) {
      found = new Seen(compiled.part(partition), new Identities<>());
      seen.put(partition, found);
    }
    return found;
  }

  /** The partitions that a job asks for, as far as there are any of these names. */
  public List<Partition> partitionsOf(Job job) {
    if (job.partitions() != lastNames) {
      List<Partition> found = new ArrayList<>();
      for (String name : job.partitions()) {
        Partition partition = partition(name);
        if (partition != null) {
          found.add(partition);
        }
      }
      lastNames = job.partitions();
      lastPartitions = List.copyOf(found);
    }
    return lastPartitions;
  }

  /** The partition's present settings, or null when it is gone. */
  public @Nullable Partition partition(String name) {
    return state.partitions().get(name);
  }
}
