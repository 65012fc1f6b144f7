package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.engine.state.PowerTimes;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.text.HostList;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Power saving (slurm.conf(5), SuspendTime and what belongs to it): nodes that have had nothing to
 * do for long are powered down, and woken when jobs start on them. As with Slurm's controller all
 * that is done at a look at the nodes, which comes at the next second after something changed on a
 * node, and else each power_save_interval (SlurmctldParameters).
 */
final class PowerSaving {
  private static final String SLURM = "slurm";

  private final ControllerPrograms programs;
  private final NodeCommands nodes;
  private final Instant boot;
  private final PowerRates rates = new PowerRates();

  /** When a change of power began. */
  private final Map<String, Instant> since = new HashMap<>();

  /** Jobs for which backfill has planned nodes, which each of its passes marks anew. */
  private final Set<Integer> planned = new HashSet<>();

  /** They know when a node last had something to do. */
  private final NodeMeasures measures;

  private Instant lastLook;
  private Instant touched;

  PowerSaving(
      NodeCommands nodes, ControllerPrograms programs, NodeMeasures measures, Instant boot) {
    this.programs = programs;
    this.measures = measures;
    this.nodes = nodes;
    this.boot = boot;
    lastLook = boot;
    touched = boot;
  }

  /** Whether a node of the job sleeps or is being woken: it waits for that before it runs. */
  static boolean mustWake(ClusterState state, Job job) {
    Allocation allocation = job.allocation();
    return allocation != null
        && allocation.shares().stream().anyMatch(s -> isAsleep(state, s.node()));
  }

  static boolean isAsleep(ClusterState state, String name) {
    Node node = state.node(name);
    return node != null && node.status().bootsFirst();
  }

  /**
   * Whether a job goes back to the queue although it asked for no requeue: it waited for a node to
   * boot that did not (slurm.conf(5), SchedulerParameters=requeue_on_resume_failure).
   */
  static boolean requeuesUnwoken(ClusterState state, Job job, String name) {
    Node node = state.node(name);
    String parameters = state.config().setting("SchedulerParameters").orElse("");
    return parameters.toLowerCase(Locale.ROOT).contains("requeue_on_resume_failure")
        && job.has(JobFlag.CONFIGURING)
        && node != null
        && (node.status().has(NodeFlag.POWERED_DOWN) || node.status().has(NodeFlag.POWERING_UP));
  }

  /** Follows an event that was applied. */
  void follow(Event event, ClusterState before) {
    switch (event) {
      case Event.JobStarted e -> {
        planned.remove(e.jobId());
        touched = e.at();
      }
      case Event.JobEnded e -> planned.remove(e.jobId());
      case Event.JobCompleting e -> touched = e.at();
      case Event.NodeChanged e -> touched = e.at();
      case Event.JobsAssessed e -> e.assessments().forEach(a -> assessed(a, e.at()));
      case Event.NodeReleased e -> worked(e.node(), e.at());
      case Event.JobReleased e -> {
        Job job = before.job(e.jobId());
        Allocation held = job == null ? null : job.allocation();
        if (held != null) {
          held.shares().forEach(share -> worked(share.node(), e.at()));
        }
      }
      default -> {}
    }
  }

  private void assessed(Event.Assessment assessment, Instant at) {
    PlannedStart plan = assessment.planned();
    if (plan == null || plan.nodes().isEmpty()) {
      planned.remove(assessment.jobId());
    } else {
      planned.add(assessment.jobId());
      touched = at;
    }
  }

  private void worked(String node, Instant at) {
    measures.busy(node, at);
    touched = at;
  }

  /** When nodes are looked at next; null where there is no power saving. */
  @Nullable Instant next(ClusterState state) {
    boolean configured =
        state.config().setting("SuspendProgram").isPresent()
            || state.config().setting("ResumeProgram").isPresent();
    if (!configured) {
      return null;
    }
    Instant second = touched.truncatedTo(ChronoUnit.SECONDS);
    boolean fresh = second.isAfter(lastLook);
    long interval = interval(state) + 1;
    if (!planned.isEmpty()) {
      int passes = state.config().scheduling().bfIntervalSeconds();
      interval = Math.min(interval, Math.max(1, passes));
    }
    Instant usual = lastLook.plusSeconds(interval);
    Instant soon = second.equals(touched) ? second : second.plusSeconds(1);
    return fresh && soon.isBefore(usual) ? soon : usual;
  }

  private static long interval(ClusterState state) {
    String parameters = state.config().setting("SlurmctldParameters").orElse("");
    for (String word : parameters.split(",")) {
      if (word.strip().matches("power_save_interval=[0-9]{1,5}")) {
        return Long.parseLong(word.strip().replaceFirst(".*=", ""));
      }
    }
    return 10;
  }

  void due(Turn turn) {
    Instant due = next(turn.state());
    if (due == null || due.isAfter(turn.now())) {
      return;
    }
    lastLook = turn.now().truncatedTo(ChronoUnit.SECONDS);
    PowerTimes times = new PowerTimes(turn.state());
    boolean automatic = times.isAutomatic(List.copyOf(turn.state().nodes().keySet()));
    Set<String> wanted = automatic ? wanted(turn.state()) : Set.of();
    Set<String> kept = automatic ? kept(turn.state()) : Set.of();
    List<String> up = new ArrayList<>();
    List<String> down = new ArrayList<>();
    for (Node node : turn.state().nodesInOrder()) {
      String name = node.name();
      NodeStatus status = node.status();
      boolean asked = status.has(NodeFlag.POWER_UP) && !status.has(NodeFlag.POWERING_DOWN);
      if (status.has(NodeFlag.POWERED_DOWN)
          && (wanted.contains(name) || asked)
          && rates.allows(turn.state().config(), true, turn.now())) {
        wake(turn, name, status);
        up.add(name);
      } else if (isToSleep(turn, node, automatic && !kept.contains(name), times)
          && rates.allows(turn.state().config(), false, turn.now())) {
        putToSleep(turn, name, status);
        down.add(name);
      }
      finish(turn, name, times);
    }
    tell(turn, up, true, times);
    tell(turn, down, false, times);
  }

  /** Nodes that sleep and on which jobs have started. */
  private static Set<String> wanted(ClusterState state) {
    Set<String> names = new HashSet<>();
    for (Job job : state.jobs().values()) {
      if (job.has(JobFlag.CONFIGURING) && job.allocation() != null) {
        job.allocation().shares().forEach(share -> names.add(share.node()));
      }
    }
    return names;
  }

  /** SuspendExcNodes and SuspendExcParts; with a count, so many of the nodes stay awake. */
  private static Set<String> kept(ClusterState state) {
    Set<String> names = new HashSet<>();
    for (String name : state.config().setting("SuspendExcParts").orElse("").split(",")) {
      Partition partition = state.partitions().get(name.strip());
      if (partition != null) {
        names.addAll(partition.nodes());
      }
    }
    String text = state.config().setting("SuspendExcNodes").orElse("").strip();
    for (String item : text.split(",(?![^\\[]*\\])")) {
      int colon = item.indexOf(':');
      String hosts = colon < 0 ? item : item.substring(0, colon);
      String count = colon < 0 ? "" : item.substring(colon + 1).strip();
      if (!hosts.isBlank()) {
        keep(state, hosts.strip(), count.matches("[0-9]{1,6}") ? count : "", names);
      }
    }
    return names;
  }

  private static void keep(ClusterState state, String hosts, String count, Set<String> names) {
    List<String> all;
    try {
      all = HostList.parse(hosts).expand();
    } catch (IllegalArgumentException e) {
      return;
    }
    if (count.isEmpty()) {
      names.addAll(all);
      return;
    }
    int left = Integer.parseInt(count);
    List<String> idle = new ArrayList<>();
    for (String name : all) {
      Node node = state.node(name);
      if (node != null && !node.status().bootsFirst() && isIdle(state, name)) {
        idle.add(name);
      } else if (node != null && !node.status().bootsFirst()) {
        left--;
      }
    }
    idle.stream().limit(Math.max(0, left)).forEach(names::add);
  }

  private static boolean isIdle(ClusterState state, String name) {
    return state.jobs().values().stream()
        .filter(Job::holdsResources)
        .map(Job::allocation)
        .flatMap(Stream::ofNullable)
        .noneMatch(held -> held.shares().stream().anyMatch(s -> s.node().equals(name)));
  }

  private boolean isToSleep(Turn turn, Node node, boolean automatic, PowerTimes times) {
    NodeStatus status = node.status();
    boolean can =
        (status.base() == NodeBaseState.IDLE || status.base() == NodeBaseState.DOWN)
            && Stream.of(
                    NodeFlag.COMPLETING,
                    NodeFlag.POWERING_UP,
                    NodeFlag.POWERING_DOWN,
                    NodeFlag.REBOOT_ISSUED,
                    NodeFlag.REBOOT_REQUESTED)
                .noneMatch(status::has);
    if (!can) {
      return false;
    }
    boolean idle =
        automatic
            && !status.has(NodeFlag.POWERED_DOWN)
            && !isExcepted(turn, status)
            && lastWorked(node.name())
                .plus(times.suspendAfter(node.name()))
                .isBefore(turn.now().truncatedTo(ChronoUnit.SECONDS));
    return (status.has(NodeFlag.POWER_DOWN) || idle) && Runs.on(turn, node.name()).isEmpty();
  }

  private Instant lastWorked(String name) {
    Instant last = measures.lastBusy(name);
    return (last == null ? boot : last).truncatedTo(ChronoUnit.SECONDS);
  }

  /** SuspendExcStates. */
  private static boolean isExcepted(Turn turn, NodeStatus status) {
    for (String word : turn.state().config().setting("SuspendExcStates").orElse("").split(",")) {
      String name = word.strip().toUpperCase(Locale.ROOT);
      boolean down = name.equals("DOWN") && status.base() == NodeBaseState.DOWN;
      if (down || status.flags().stream().anyMatch(flag -> flag.name().equals(name))) {
        return true;
      }
    }
    return false;
  }

  private void wake(Turn turn, String name, NodeStatus status) {
    NodeStatus next =
        status.withFlags(NodeCommands.without(status, NodeFlag.POWER_UP, NodeFlag.POWERED_DOWN));
    next = next.withFlags(NodeCommands.including(next, NodeFlag.POWERING_UP));
    next = next.withFlags(NodeCommands.including(next, NodeFlag.NOT_RESPONDING));
    since.put(name, turn.now());
    boolean out = status.base() == NodeBaseState.DOWN || status.has(NodeFlag.DRAIN);
    nodes.change(turn, name, out ? next : NodeCommands.clean(next), SLURM);
  }

  /** As in Slurm that ends a drain, which may have been there for nothing else. */
  private void putToSleep(Turn turn, String name, NodeStatus status) {
    boolean asked = status.has(NodeFlag.POWER_DOWN);
    NodeStatus next =
        status.withFlags(
            NodeCommands.without(
                status, NodeFlag.POWER_DOWN, NodeFlag.POWERED_DOWN, NodeFlag.NOT_RESPONDING));
    if (asked) {
      next = next.withFlags(NodeCommands.without(next, NodeFlag.DRAIN));
    }
    next = next.withFlags(NodeCommands.including(next, NodeFlag.POWERING_DOWN));
    since.put(name, turn.now());
    nodes.change(turn, name, next, SLURM);
  }

  /** What was begun is over, or is given up. */
  private void finish(Turn turn, String name, PowerTimes times) {
    Node node = turn.state().node(name);
    if (node == null) {
      return;
    }
    NodeStatus status = node.status();
    Instant began = since.computeIfAbsent(name, n -> turn.now());
    if (status.has(NodeFlag.POWERING_DOWN) && isOver(turn, began, times.suspendTimeout(name))) {
      NodeStatus next =
          status.withFlags(
              NodeCommands.without(status, NodeFlag.POWERING_DOWN, NodeFlag.INVALID_REG));
      nodes.change(
          turn, name, next.withFlags(NodeCommands.including(next, NodeFlag.POWERED_DOWN)), SLURM);
      turn.requestPass();
    } else if (status.has(NodeFlag.POWERING_UP)
        && status.has(NodeFlag.NOT_RESPONDING)
        && isOver(turn, began, times.resumeTimeout(name))) {
      NodeStatus next =
          status.withFlags(
              NodeCommands.without(
                  status,
                  NodeFlag.DRAIN,
                  NodeFlag.POWER_DOWN,
                  NodeFlag.POWERING_UP,
                  NodeFlag.NOT_RESPONDING,
                  NodeFlag.REBOOT_ISSUED));
      next = next.withFlags(NodeCommands.including(next, NodeFlag.POWERED_DOWN));
      String reason =
          status.reason().isEmpty()
              ? "ResumeTimeout reached"
              : status.reason() + " : ResumeTimeout reached";
      nodes.change(
          turn,
          name,
          next.withBase(NodeBaseState.DOWN)
              .with(s -> s.reason(reason).reasonUser(SLURM).reasonTime(turn.now())),
          SLURM);
      turn.requestPass();
    } else if (!status.has(NodeFlag.POWERING_DOWN) && !status.has(NodeFlag.POWERING_UP)) {
      since.remove(name);
    }
  }

  private static boolean isOver(Turn turn, Instant began, Duration timeout) {
    Instant from = began.truncatedTo(ChronoUnit.SECONDS);
    return from.plus(timeout).isBefore(turn.now().truncatedTo(ChronoUnit.SECONDS));
  }

  /** Nodes that are switched, and the program that does it for all of them. */
  private static void tell(Turn turn, List<String> names, boolean up, PowerTimes times) {
    String all = HostList.of(names).toString();
    for (String name : names) {
      boolean first = name.equals(names.getFirst());
      turn.effect(new Effect.Power(name, up, all, first ? times.program(up) : ""));
    }
  }

  /**
   * Whether a registration is that of a node that has been switched on: one that has not been
   * switched off yet may still say that it is there.
   */
  boolean isAwaited(Node node, Instant bootTime, ClusterState state) {
    NodeStatus status = node.status();
    Instant began = since.get(node.name());
    if (began == null) {
      return true;
    }
    Instant from = began.truncatedTo(ChronoUnit.SECONDS);
    if (status.has(NodeFlag.POWERING_UP)) {
      return !bootTime.isBefore(from);
    }
    Duration timeout = new PowerTimes(state).suspendTimeout(node.name());
    return !status.has(NodeFlag.POWERING_DOWN) || !bootTime.isBefore(from.plus(timeout));
  }

  /** The jobs that waited for a node to boot run when all their nodes are there. */
  void booted(Turn turn, String name) {
    measures.busy(name, turn.now());
    for (Job job : Runs.on(turn, name).stream().sorted(Comparator.comparingInt(Job::id)).toList()) {
      boolean waits = programs.isPreparing(job) || mustWake(turn.state(), job);
      if (job.has(JobFlag.CONFIGURING) && !waits) {
        configured(turn, job);
      }
    }
  }

  /** Its time counts from now on, as in Slurm. */
  private static void configured(Turn turn, Job job) {
    Job ready =
        job.with(
            j ->
                j.flags(without(job))
                    .started(turn.now())
                    .ended(
                        job.timeLimitMinutes() == Partition.UNLIMITED
                            ? null
                            : turn.now().plusSeconds(60 * job.timeLimitMinutes())));
    turn.emit(new Event.JobEdited(turn.now(), ready, SLURM, "nodes are ready"));
    Runs.launch(turn, turn.job(job.id()));
  }

  private static Set<JobFlag> without(Job job) {
    Set<JobFlag> flags = new HashSet<>(job.flags());
    flags.remove(JobFlag.CONFIGURING);
    return flags;
  }
}
