package dev.yardmaster.console.connect;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PassFigures;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A cluster at one moment, with what follows from its jobs and nodes. Immutable; every count in
 * every view is derived from these lists, so that they agree. Making one takes time in proportion
 * to jobs and nodes and does not belong on the JavaFX thread.
 */
public final class Snapshot {
  private final ClusterView view;
  private final Instant time;
  private final List<Job> jobs;
  private final Map<String, NodeUse> nodes;
  private final UnitCount gpus;
  private final UnitCount cpus;
  private final SortedSet<String> accounts = new TreeSet<>();
  private final Map<JobState, Long> tasks = new EnumMap<>(JobState.class);

  private Snapshot(ClusterView view, Instant time) {
    this.view = view;
    this.time = time;
    this.jobs = List.copyOf(view.jobs().values());
    jobs.forEach(job -> accounts.add(job.owner().account()));
    jobs.forEach(job -> tasks.merge(job.state(), (long) job.taskCount(), Long::sum));
    Map<String, NodeUse> uses = new LinkedHashMap<>();
    for (NodeUse use : NodeUses.of(view, jobs, time)) {
      uses.put(use.name(), use);
    }
    this.nodes = Collections.unmodifiableMap(uses);
    this.gpus = uses.values().stream().map(NodeUse::gpus).reduce(UnitCount.NONE, UnitCount::plus);
    this.cpus = uses.values().stream().map(NodeUse::cpus).reduce(UnitCount.NONE, UnitCount::plus);
  }

  /**
   * Derives the snapshot of a view.
   *
   * @param time the server's clock when the view was current
   */
  public static Snapshot of(ClusterView view, Instant time) {
    return new Snapshot(view, time);
  }

  public long sequence() {
    return view.sequence();
  }

  /** The server's clock at this moment. */
  public Instant time() {
    return time;
  }

  /** The controller's card; null when it has not sent one. */
  public @Nullable ClusterInfo info() {
    return view.info();
  }

  public PassFigures figures() {
    return view.figures();
  }

  /** All partitions by name, in the order of the configuration. */
  public SequencedMap<String, Partition> partitions() {
    return view.partitions();
  }

  /** All jobs by id. */
  public List<Job> jobs() {
    return jobs;
  }

  public Optional<Job> job(int id) {
    return Optional.ofNullable(view.job(id));
  }

  /** All nodes by name, in the order of the configuration. */
  public Map<String, NodeUse> nodes() {
    return nodes;
  }

  public Optional<NodeUse> node(String name) {
    return Optional.ofNullable(nodes.get(name));
  }

  /** The nodes of a partition, in its order; names that are no node are left out. */
  public List<NodeUse> nodesOf(Partition partition) {
    return partition.nodes().stream().flatMap(name -> node(name).stream()).toList();
  }

  /** All reservations by name. */
  public SortedMap<String, Reservation> reservations() {
    return view.reservations();
  }

  /** All GPUs of the cluster. */
  public UnitCount gpus() {
    return gpus;
  }

  /** All CPUs of the cluster. */
  public UnitCount cpus() {
    return cpus;
  }

  /** What this cluster is measured in: GPUs, or CPUs when no node has a GPU. */
  public Unit unit() {
    return gpus.total() == 0 ? Unit.CPU : Unit.GPU;
  }

  /** The CPUs of a partition. */
  public UnitCount cpusOf(Partition partition) {
    return nodesOf(partition).stream().map(NodeUse::cpus).reduce(UnitCount.NONE, UnitCount::plus);
  }

  /** The GPUs of a partition. */
  public UnitCount gpusOf(Partition partition) {
    return nodesOf(partition).stream().map(NodeUse::gpus).reduce(UnitCount.NONE, UnitCount::plus);
  }

  /** GPUs that each account holds now, by account; accounts that hold none are left out. */
  public SortedMap<String, Long> gpusByAccount() {
    SortedMap<String, Long> held = new TreeMap<>();
    for (NodeUse node : nodes.values()) {
      for (Job job : node.gpuJobs()) {
        if (job != null) {
          held.merge(job.owner().account(), 1L, Long::sum);
        }
      }
    }
    return held;
  }

  /** CPUs that each account holds now, by account; accounts that hold none are left out. */
  public SortedMap<String, Long> cpusByAccount() {
    SortedMap<String, Long> held = new TreeMap<>();
    for (Job job : jobs) {
      if (job.holdsResources() && job.allocation() != null && job.allocation().cpus() > 0) {
        held.merge(job.owner().account(), (long) job.allocation().cpus(), Long::sum);
      }
    }
    return held;
  }

  /** The accounts of all jobs. */
  public SortedSet<String> accounts() {
    return accounts;
  }

  /** How many tasks are in a state; an array that waits counts every task it stands for. */
  public long tasks(JobState state) {
    return tasks.getOrDefault(state, 0L);
  }
}
