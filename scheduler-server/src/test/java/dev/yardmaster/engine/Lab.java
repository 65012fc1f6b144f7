package dev.yardmaster.engine;

import dev.yardmaster.controller.accounts.AccountingEditor;
import dev.yardmaster.engine.gate.Dependencies;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.AccountingChange;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.SchedulingPolicy;
import dev.yardmaster.model.Suspension;
import dev.yardmaster.model.Topology;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.sim.VirtualCluster;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A small cluster in virtual time for tests, with the habits of a command line. */
public final class Lab {
  /** When every lab begins. */
  public static final Instant START = Instant.parse("2026-11-29T12:00:00Z");

  private static final DateTimeFormatter CLOCK = DateTimeFormatter.ofPattern("HH:mm:ss");

  private VirtualCluster cluster;

  private Lab(ClusterState state, Instant start) {
    cluster = new VirtualCluster(state, start, event -> {});
  }

  /** Describes a cluster; the defaults are 16 cores on 2 sockets, 64,000 MB and 8 GPUs a node. */
  public static final class Builder {
    private final List<NodeSpec> nodes = new ArrayList<>();
    private final List<Partition> partitions = new ArrayList<>();
    private final TreeMap<String, Integer> licenses = new TreeMap<>();
    private final TreeMap<String, String> settings = new TreeMap<>();
    private SchedulingPolicy scheduling =
        SchedulingPolicy.defaults().with(p -> p.bfWindowMinutes(2880).bfContinue(true));
    private PriorityPolicy priority =
        PriorityPolicy.defaults()
            .with(p -> p.weightAge(1000).weightJobSize(1000).weightPartition(1000));
    private final List<Topology> others = new ArrayList<>();
    private Topology topology = new Topology.Flat("default");
    private Instant start = START;

    public Builder nodes(String names) {
      return nodes(names, spec -> spec);
    }

    public Builder nodes(String names, UnaryOperator<NodeSpec> change) {
      for (String name : HostList.parse(names)) {
        nodes.add(change.apply(node(name)));
      }
      return this;
    }

    public Builder partition(String name, String nodeNames, UnaryOperator<Partition> change) {
      Partition p = Partition.withDefaults(name, HostList.parse(nodeNames).expand());
      partitions.add(change.apply(p.with(b -> b.maxTimeMinutes(1440).defaultTimeMinutes(10L))));
      return this;
    }

    public Builder license(String name, int count) {
      licenses.put(name, count);
      return this;
    }

    public Builder scheduling(UnaryOperator<SchedulingPolicy> change) {
      scheduling = change.apply(scheduling);
      return this;
    }

    public Builder priority(UnaryOperator<PriorityPolicy> change) {
      priority = change.apply(priority);
      return this;
    }

    public Builder topology(Topology value) {
      topology = value;
      return this;
    }

    /** A further topology, for partitions that name it. */
    public Builder otherTopology(Topology value) {
      others.add(value);
      return this;
    }

    public Builder setting(String key, String value) {
      settings.put(key, value);
      return this;
    }

    /** When the lab begins. */
    public Builder start(Instant value) {
      start = value;
      return this;
    }

    /** Builds the lab with every node up. */
    public Lab build() {
      if (partitions.isEmpty()) {
        List<String> names = nodes.stream().map(NodeSpec::name).toList();
        partition("main", HostList.fold(names), p -> p.withIsDefault(true));
      }
      ClusterConfig config =
          new ClusterConfig(
              "lab",
              List.of("vm"),
              6817,
              scheduling,
              priority,
              nodes,
              partitions,
              topology,
              licenses,
              List.of("gpu"),
              1000,
              0,
              settings,
              others);
      ClusterState state = ClusterState.initial(config, start);
      for (NodeSpec node : nodes) {
        NodeStatus up =
            new NodeStatus(
                NodeBaseState.IDLE, Set.of(), "", "", null, start, start, start, "26.11");
        state = state.apply(new Event.NodeChanged(start, node.name(), up, "test"));
      }
      return new Lab(state, start);
    }
  }

  public static Builder with() {
    return new Builder();
  }

  /** n1 … n6 in one partition. */
  public static Lab sixNodes() {
    return with().nodes("n[1-6]").build();
  }

  /** A node as most cases have it. */
  public static NodeSpec node(String name) {
    return new NodeSpec(
        name,
        name,
        name,
        6818,
        1,
        2,
        8,
        1,
        16,
        64_000,
        0,
        1,
        List.of(),
        List.of(gpus("h100", 8)),
        "UNKNOWN",
        "",
        0,
        0);
  }

  /** GPUs of one type, from index 0. */
  public static GresDevices gpus(String type, int count) {
    List<String> files = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      files.add("/dev/nvidia" + i);
    }
    return new GresDevices("gpu", type, count, 0, files, List.of(), List.of());
  }

  public ClusterState state() {
    return cluster.state();
  }

  public Instant now() {
    return cluster.now();
  }

  /** Minutes from the beginning, to the second. */
  public static Instant at(double minutes) {
    return START.plusSeconds(Math.round(minutes * 60));
  }

  /** Replaces the state, as a fork. */
  public void reset(ClusterState state, Instant now) {
    cluster = new VirtualCluster(state, now, event -> {});
  }

  /** Submits a job; returns its id. */
  public int submit(JobSpec spec) {
    int id = state().nextJobId();
    Job job = Dependencies.submitted(state(), spec.build(id, now(), state()), now());
    cluster.apply(new Event.JobSubmitted(now(), job));
    return id;
  }

  /** Changes a job. */
  public void edit(int id, UnaryOperator<Job> change) {
    Job job = job(id);
    cluster.apply(new Event.JobEdited(now(), change.apply(job), "root", "test"));
  }

  public void apply(Event event) {
    cluster.apply(event);
  }

  /** Sets a node's state: up, drain or down. */
  public void node(String names, String word) {
    for (String name : HostList.parse(names)) {
      NodeStatus status = java.util.Objects.requireNonNull(state().node(name)).status();
      NodeStatus changed =
          switch (word) {
            case "drain" -> status.withFlags(EnumSet.of(NodeFlag.DRAIN));
            case "down" -> status.withBase(NodeBaseState.DOWN);
            default -> status.with(s -> s.base(NodeBaseState.IDLE).flags(Set.of()));
          };
      cluster.apply(new Event.NodeChanged(now(), name, changed, "root"));
    }
  }

  public void partition(String name, PartitionState word) {
    Partition p = java.util.Objects.requireNonNull(state().partitions().get(name));
    cluster.apply(new Event.PartitionChanged(now(), p.withState(word), "root"));
  }

  public void reserve(
      String name, Instant start, int minutes, String nodeNames, String user, String... flags) {
    cluster.apply(
        new Event.ReservationSaved(
            now(),
            new Reservation(
                    name,
                    start,
                    start.plusSeconds(60L * minutes),
                    HostList.parse(nodeNames).expand(),
                    Set.of(flags),
                    List.of(user),
                    List.of())
                .withDurationMinutes(minutes),
            "root"));
  }

  /** For whom a job had to leave, and how. */
  public String preemption(int id) {
    var preemption = job(id).preemption();
    return preemption == null ? "" : preemption.by() + " " + preemption.mode();
  }

  /** The nodes of a job are not done with it before {@link #released}. */
  public void stick(int id) {
    cluster.keep(id);
  }

  /** Adds or changes a QOS. */
  public void qos(Qos qos) {
    cluster.apply(
        new Event.AccountingChanged(
            now(), AccountingChange.NONE.withQos(List.of(qos)), "root", "qos"));
  }

  /** Changes the accounting as sacctmgr would; {@code words} are its arguments. */
  public void accounts(List<String> words) {
    Identity root = new Identity("root", 0, "root", 0);
    var edit = new AccountingEditor(state(), true, root).edit(words);
    cluster.apply(
        new Event.AccountingChanged(now(), edit.change(), "root", String.join(" ", words)));
  }

  /** A PriorityCalcPeriod ends: what was used counts. */
  public void periodEnds() {
    cluster.apply(new Event.UsagePeriodEnded(now(), false));
  }

  /** {@code scontrol update arraytaskthrottle=}. */
  public void throttle(int id, int count) {
    edit(
        id,
        j -> {
          ArrayInfo array = java.util.Objects.requireNonNull(j.array());
          return j.withArray(array.withThrottle(count));
        });
  }

  /** Changes a reservation. */
  public void changeReservation(String name, UnaryOperator<Reservation> change) {
    Reservation r = java.util.Objects.requireNonNull(state().reservations().get(name));
    cluster.apply(new Event.ReservationSaved(now(), change.apply(r), "root"));
  }

  /** All passes, now. */
  public Step pass() {
    return cluster.schedule();
  }

  public Step pass(Pass... passes) {
    return cluster.schedule(EnumSet.copyOf(List.of(passes)));
  }

  public void advance(Instant until) {
    cluster.advanceTo(until);
  }

  public void advanceMinutes(double minutes) {
    cluster.advanceTo(now().plusSeconds(Math.round(60 * minutes)));
  }

  /** Ends a running job. */
  public void finish(int id, JobState state) {
    Job job = job(id);
    cluster.apply(
        new Event.JobCompleting(now(), id, job.restarts(), state, ExitCode.OK, Reason.NONE));
    cluster.apply(new Event.JobReleased(now(), id, job.restarts()));
  }

  /** A running job's work ends; its nodes are still cleaning up. */
  public void completing(int id) {
    Job job = job(id);
    cluster.apply(
        new Event.JobCompleting(
            now(), id, job.restarts(), JobState.COMPLETED, ExitCode.OK, Reason.NONE));
  }

  /** The nodes of a completing job are done with it. */
  public void released(int id) {
    cluster.apply(new Event.JobReleased(now(), id, job(id).restarts()));
  }

  /** Suspends a job by hand, or lets it go on. */
  public void suspend(int id, boolean resume) {
    int run = job(id).restarts();
    cluster.apply(
        resume
            ? new Event.JobResumed(now(), id, run)
            : new Event.JobSuspended(now(), id, run, Suspension.Cause.OPERATOR, 0));
  }

  /** Puts a running job back into the queue. */
  public void requeue(int id) {
    cluster.apply(new Event.JobRequeued(now(), id, now(), Reason.NONE, false));
  }

  /** Puts a running job back into the queue; its nodes are done with it at once. */
  public void requeueNow(int id) {
    requeue(id);
    cluster.apply(new Event.JobReleased(now(), id, job(id).restarts()));
  }

  /** Cancels a job, pending or running. */
  public void cancel(int id) {
    if (job(id).state() == JobState.PENDING) {
      cluster.apply(new Event.JobEnded(now(), id, JobState.CANCELLED, Reason.NONE));
    } else {
      finish(id, JobState.CANCELLED);
    }
  }

  /** Changes a time limit, of a running job too. */
  public void limit(int id, long minutes) {
    edit(
        id,
        j -> {
          Instant started = j.started();
          Job changed = j.withTimeLimitMinutes(minutes);
          return started == null ? changed : changed.withEnded(started.plusSeconds(60 * minutes));
        });
  }

  /** The record of a task that started. */
  public int task(int arrayJobId, int task) {
    for (Job job : state().jobs().values()) {
      var array = job.array();
      Integer taskId = array == null ? null : array.taskId();
      if (array != null && array.arrayJobId() == arrayJobId && taskId != null && taskId == task) {
        return job.id();
      }
    }
    throw new IllegalArgumentException("task " + task + " of " + arrayJobId + " has not started");
  }

  /** The nodes that are marked as planned for jobs. */
  public String planned() {
    return HostList.fold(
        state().nodesInOrder().stream()
            .filter(node -> node.status().has(NodeFlag.PLANNED))
            .map(Node::name)
            .toList());
  }

  public Job job(int id) {
    Job job = state().job(id);
    if (job == null) {
      throw new IllegalArgumentException("no job " + id);
    }
    return job;
  }

  /** What squeue would show of a job: {@code R n[1-2]}, {@code PD Resources 13:20:39 n1}. */
  public String show(int id) {
    Job job = job(id);
    StringBuilder out = new StringBuilder(job.state().code());
    var allocation = job.allocation();
    if (allocation != null) {
      out.append(' ').append(allocation.nodes());
    }
    if (job.state() == JobState.PENDING) {
      out.append(' ').append(job.reasonText().isEmpty() ? job.reason().text() : job.reasonText());
      var planned = job.planned();
      if (planned != null) {
        out.append(' ').append(CLOCK.format(planned.start().atOffset(ZoneOffset.UTC)));
        out.append(planned.nodes().isEmpty() ? "" : " " + planned.nodes());
      }
    }
    return out.toString();
  }

  /** The GPU indices of a running job, node by node. */
  public String gpus(int id) {
    var allocation = job(id).allocation();
    StringBuilder out = new StringBuilder();
    if (allocation != null) {
      for (var share : allocation.shares()) {
        for (var gres : share.gres()) {
          out.append(out.isEmpty() ? "" : " ").append(share.node()).append(':');
          out.append(gres.devices());
        }
      }
    }
    return out.toString();
  }

  /** The cores of a running job, node by node. */
  public String cores(int id) {
    var allocation = job(id).allocation();
    StringBuilder out = new StringBuilder();
    if (allocation != null) {
      for (var share : allocation.shares()) {
        out.append(out.isEmpty() ? "" : " ").append(share.node()).append(':').append(share.cores());
      }
    }
    return out.toString();
  }
}
