package dev.yardmaster.controller;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.StepRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What nodes say: registration, heartbeats, ends of runs. Each report carries the number of the run
 * it is about; what an old run says is dropped.
 */
final class NodeReports {
  static final String NOT_RESPONDING = "Not responding";
  private static final String SLURM = "slurm";

  private final Runs runs;
  private final NodeCommands nodes;
  private final NodeLinks links;
  private final PowerSaving power;
  private final NodeMeasures measures;
  private final Map<String, Instant> lastHeard = new HashMap<>();

  /** By node, runs that nobody owns any more and that are being ended there. */
  private final Map<String, Set<Command.RunningJob>> stale = new HashMap<>();

  private Instant listeningSince;

  /**
   * @param listeningSince when this controller took over: silence before that does not count
   */
  NodeReports(
      Runs runs,
      NodeCommands nodes,
      PowerSaving power,
      NodeLinks links,
      NodeMeasures measures,
      Instant listeningSince) {
    this.measures = measures;
    this.power = power;
    this.links = links;
    this.runs = runs;
    this.nodes = nodes;
    this.listeningSince = listeningSince;
  }

  private static Node node(Turn turn, String name) {
    Node node = turn.state().node(name);
    if (node == null) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nno node is called " + name);
    }
    return node;
  }

  Reply registered(Turn turn, Command.NodeRegistered report) {
    Node node = node(turn, report.node());
    lastHeard.put(report.node(), turn.now());
    measures.reported(report.node(), report.measure());
    NodeStatus status = node.status();
    if (!power.isAwaited(node, report.bootTime(), turn.state())) {
      return new Reply.Done(List.of());
    }
    boolean woken = status.bootsFirst() || status.has(NodeFlag.POWERING_DOWN);
    boolean rebooted =
        status.bootTime() != null
            && report.bootTime().isAfter(status.bootTime().plusSeconds(60))
            && status.registered() != null
            && report.bootTime().isAfter(status.registered());
    String mismatch = turn.settings().registration().mismatch(node.spec(), report);
    Set<Command.RunningJob> left = staleRuns(turn, report.node(), report.jobs());
    stale.put(report.node(), left);
    NodeStatus next =
        fenced(returned(turn, node, rebooted, mismatch), !left.isEmpty())
            .with(
                s ->
                    s.bootTime(report.bootTime())
                        .registered(turn.now())
                        .lastResponse(turn.now())
                        .version(report.version()));
    nodes.change(turn, report.node(), next, SLURM);
    if (woken) {
      power.booted(turn, report.node());
    }
    compare(turn, report.node(), report.jobs(), true, report.bootTime());
    turn.requestPass();
    return new Reply.Done(List.of());
  }

  /**
   * What a node still has of runs whose resources were given back long ago, as when it was cut off:
   * nothing new starts there before they are gone.
   */
  private static Set<Command.RunningJob> staleRuns(
      Turn turn, String node, List<Command.RunningJob> reported) {
    Set<Command.RunningJob> found = new HashSet<>();
    for (Command.RunningJob run : reported) {
      Job job = turn.state().job(run.jobId());
      boolean held =
          job != null
              && job.holdsResources()
              && Runs.presentRun(job) == run.restarts()
              && holds(job, node);
      if (!held && run.jobId() < turn.state().nextJobId()) {
        found.add(run);
      }
    }
    return found;
  }

  private static NodeStatus fenced(NodeStatus status, boolean fence) {
    return status.withFlags(
        fence
            ? NodeCommands.including(status, NodeFlag.COMPLETING)
            : NodeCommands.without(status, NodeFlag.COMPLETING));
  }

  /** slurm.conf(5), ReturnToService, and the check of what the node has. */
  private static NodeStatus returned(Turn turn, Node node, boolean rebooted, String mismatch) {
    NodeStatus status = node.status();
    int returnToService = turn.settings().returnToService();
    EnumSet<NodeFlag> flags = EnumSet.noneOf(NodeFlag.class);
    flags.addAll(status.flags());
    boolean woken = status.has(NodeFlag.POWERING_UP);
    flags.removeAll(
        EnumSet.of(
            NodeFlag.NOT_RESPONDING,
            NodeFlag.POWERING_UP,
            NodeFlag.POWERED_DOWN,
            NodeFlag.POWERING_DOWN));
    if (!mismatch.isEmpty()) {
      boolean known = flags.contains(NodeFlag.INVALID_REG);
      flags.add(NodeFlag.INVALID_REG);
      flags.add(NodeFlag.DRAIN);
      NodeBaseState base =
          status.base() == NodeBaseState.UNKNOWN ? NodeBaseState.IDLE : status.base();
      NodeStatus invalid = status.withFlags(flags).withBase(base);
      return known ? invalid : withReason(invalid, mismatch, turn.now());
    }
    if (flags.remove(NodeFlag.INVALID_REG)) {
      flags.remove(NodeFlag.DRAIN);
      status = withReason(status, "", turn.now());
    }
    NodeStatus heard = status.withFlags(flags);
    if (status.has(NodeFlag.REBOOT_ISSUED)) {
      return rebooted ? Reboots.completed(turn, heard) : heard;
    }
    switch (status.base()) {
      case DOWN -> {
        boolean wasSilent = status.reason().equals(NOT_RESPONDING);
        boolean returns = returnToService == 2 || returnToService == 1 && wasSilent && !rebooted;
        return returns ? withReason(heard.withBase(NodeBaseState.IDLE), "", turn.now()) : heard;
      }
      case UNKNOWN -> {
        return heard.withBase(NodeBaseState.IDLE);
      }
      default -> {
        return rebooted && !woken && returnToService != 2
            ? withReason(
                heard.withBase(NodeBaseState.DOWN), "Node unexpectedly rebooted", turn.now())
            : heard;
      }
    }
  }

  private static NodeStatus withReason(NodeStatus status, String reason, Instant now) {
    return reason.isEmpty()
        ? status.with(s -> s.reason("").reasonUser("").reasonTime(null))
        : status.with(s -> s.reason(reason).reasonUser(SLURM).reasonTime(now));
  }

  Reply heartbeat(Turn turn, Command.NodeHeartbeat report) {
    Node node = node(turn, report.node());
    lastHeard.put(report.node(), turn.now());
    measures.reported(report.node(), report.measure());
    if (node.status().has(NodeFlag.NOT_RESPONDING) && !isSwitched(node.status())) {
      nodes.change(
          turn,
          report.node(),
          node.status().withFlags(NodeCommands.without(node.status(), NodeFlag.NOT_RESPONDING)),
          SLURM);
    }
    compare(turn, report.node(), report.jobs(), false, turn.now());
    answered(turn, report.node(), turn.settings().slurmdTimeout().dividedBy(3));
    return new Reply.Done(List.of());
  }

  /** Of a node that is off, or is being switched, nothing is expected. */
  private static boolean isSwitched(NodeStatus status) {
    return status.bootsFirst() || status.has(NodeFlag.POWERING_DOWN);
  }

  Reply lost(Turn turn, Command.NodeLost report) {
    Node node = node(turn, report.node());
    if (node.status().base() != NodeBaseState.DOWN && !isSwitched(node.status())) {
      nodes.change(
          turn,
          report.node(),
          node.status().withFlags(NodeCommands.including(node.status(), NodeFlag.NOT_RESPONDING)),
          SLURM);
    }
    return new Reply.Done(List.of());
  }

  /**
   * Brings both sides to one view of what runs on a node: a run that the controller does not own
   * any more is ended there; one it owns and the node has never got is launched.
   *
   * @param complete whether the list leaves nothing out, as with a registration: what is not in it
   *     is not there
   */
  private void compare(
      Turn turn,
      String node,
      List<Command.RunningJob> reported,
      boolean complete,
      Instant bootTime) {
    Set<Command.RunningJob> there = new HashSet<>(reported);
    for (Command.RunningJob run : reported) {
      Job job = turn.state().job(run.jobId());
      boolean owned =
          job != null
              && Runs.presentRun(job) == run.restarts()
              && (job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED)
              && !Runs.isOut(turn.state(), node)
              && holds(job, node);
      boolean issued = run.jobId() < turn.state().nextJobId();
      if (!owned && issued) {
        turn.effect(
            new Effect.Terminate(
                node, run.jobId(), run.restarts(), turn.settings().killWait().toSeconds(), ""));
      }
    }
    if (!complete) {
      return;
    }
    for (Job job : Runs.on(turn, node)) {
      if (there.contains(new Command.RunningJob(job.id(), Runs.presentRun(job)))) {
        continue;
      }
      if (job.has(JobFlag.COMPLETING)) {
        runs.gone(turn, node, job.id(), Runs.presentRun(job));
      } else if (job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED) {
        missing(turn, node, job, bootTime);
      }
    }
  }

  private static boolean holds(Job job, String node) {
    return job.allocation() != null
        && job.allocation().shares().stream().anyMatch(s -> s.node().equals(node));
  }

  /** A run is not on the node that should have it: lost with a reboot, or never launched. */
  private void missing(Turn turn, String node, Job job, Instant bootTime) {
    if (job.request().external()) {
      return;
    }
    if (job.started() != null && bootTime.isAfter(job.started())) {
      runs.nodeFailed(turn, job, node);
    } else if (node.equals(Runs.batchHost(job))) {
      Runs.launch(turn, job);
    }
  }

  Reply scriptEnded(Turn turn, Command.ScriptEnded report) {
    StepCommands.used(turn, report.jobId(), report.restarts(), StepRecord.BATCH, report.usage());
    Job job = present(turn, report.jobId(), report.restarts(), report.node());
    if (job != null) {
      runs.scriptEnded(turn, job, report.exitCode());
      if (!report.message().isEmpty()) {
        Job after = turn.job(job.id());
        turn.emit(
            new Event.JobEdited(
                turn.now(), after.withReasonText(report.message()), SLURM, "launch failed"));
      }
    }
    return new Reply.Done(List.of());
  }

  Reply launchFailed(Turn turn, Command.LaunchFailed report) {
    if (report.prolog()) {
      return prologFailed(turn, report);
    }
    Job job = present(turn, report.jobId(), report.restarts(), report.node());
    if (job == null) {
      return new Reply.Done(List.of());
    }
    String text = "launch failed on " + report.node() + ": " + report.message();
    if (job.requeue()) {
      runs.requeue(turn, job, Reason.JOB_LAUNCH_FAILURE, true, "DUE TO LAUNCH FAILURE");
    } else {
      runs.complete(turn, job, JobState.FAILED, new ExitCode(1, 0), Reason.JOB_LAUNCH_FAILURE, "");
    }
    Job after = turn.job(report.jobId());
    turn.emit(new Event.JobEdited(turn.now(), after.withReasonText(text), SLURM, "launch failed"));
    return new Reply.Done(List.of());
  }

  /**
   * slurm.conf(5), Prolog: the node is drained; the job waits again, held unless the site does not
   * want that, or ends where it cannot be requeued.
   */
  private Reply prologFailed(Turn turn, Command.LaunchFailed report) {
    drain(turn, report.node(), "Prolog error");
    Job job = turn.state().job(report.jobId());
    if (job == null
        || job.restarts() != report.restarts()
        || job.state() != JobState.RUNNING
        || !holds(job, report.node())) {
      return new Reply.Done(List.of());
    }
    boolean requeues =
        job.batch().batch() && (job.requeue() || turn.settings().prologAlwaysRequeues());
    if (!requeues) {
      String host = Runs.batchHost(job);
      if (job.batch().batch() && host != null) {
        turn.effect(new Effect.Notify(host, job.id(), job.restarts(), report.message()));
      }
      runs.cancel(turn, job, 0);
      return new Reply.Done(List.of());
    }
    boolean hold = turn.settings().holdsAfterProlog();
    runs.requeue(turn, job, hold ? Reason.JOB_HELD_USER : Reason.BEGIN_TIME, hold, null);
    if (hold) {
      Job held =
          turn.job(job.id())
              .with(
                  j ->
                      j.hold(Hold.USER)
                          .priority(0)
                          .reason(Reason.JOB_HELD_USER)
                          .reasonText("launch failed requeued held"));
      turn.emit(new Event.JobEdited(turn.now(), held, SLURM, "prolog failed"));
    }
    return new Reply.Done(List.of());
  }

  /** Takes a node out of service unless it is; what runs there goes on. */
  private void drain(Turn turn, String name, String reason) {
    NodeStatus status = node(turn, name).status();
    if (!status.has(NodeFlag.DRAIN) && !status.has(NodeFlag.FAIL)) {
      NodeStatus drained = status.withFlags(NodeCommands.including(status, NodeFlag.DRAIN));
      nodes.change(turn, name, withReason(drained, reason, turn.now()), SLURM);
    }
  }

  /** The running job whose present run has its batch script on this node, or null. */
  private static @Nullable Job present(Turn turn, int jobId, int restarts, String node) {
    Job job = turn.state().job(jobId);
    return job != null
            && job.restarts() == restarts
            && (job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED)
            && node.equals(Runs.batchHost(job))
        ? job
        : null;
  }

  Reply runGone(Turn turn, Command.RunGone report) {
    if (report.epilogFailed()) {
      drain(turn, report.node(), "Epilog error");
    }
    Job job = present(turn, report.jobId(), report.restarts(), report.node());
    if (job != null) {
      runs.nodeFailed(turn, job, report.node());
    }
    runs.gone(turn, report.node(), report.jobId(), report.restarts());
    answered(turn, report.node(), Duration.ZERO);
    Set<Command.RunningJob> left = stale.get(report.node());
    if (left != null
        && left.remove(new Command.RunningJob(report.jobId(), report.restarts()))
        && left.isEmpty()) {
      nodes.change(turn, report.node(), fenced(node(turn, report.node()).status(), false), SLURM);
      turn.requestPass();
    }
    return new Reply.Done(List.of());
  }

  /** Marks nodes down that have been silent for SlurmdTimeout. */
  void checkSilence(Turn turn) {
    long timeout = turn.settings().slurmdTimeout().toSeconds();
    if (timeout == 0) {
      return;
    }
    for (Node node : turn.state().nodes().values()) {
      NodeBaseState base = node.status().base();
      Instant heard = lastHeard.getOrDefault(node.name(), listeningSince);
      if (heard.isBefore(listeningSince)) {
        heard = listeningSince;
      }
      if ((base == NodeBaseState.IDLE || base == NodeBaseState.UNKNOWN)
          && !node.status().has(NodeFlag.EXTERNAL)
          && !isSwitched(node.status())
          && turn.now().isAfter(heard.plusSeconds(timeout))) {
        NodeStatus down =
            withReason(
                node.status()
                    .withBase(NodeBaseState.DOWN)
                    .withFlags(NodeCommands.including(node.status(), NodeFlag.NOT_RESPONDING)),
                NOT_RESPONDING,
                turn.now());
        nodes.change(turn, node.name(), down, SLURM);
        measures.lost(node.name());
        turn.requestPass();
      }
    }
  }

  /**
   * ReturnToService=2: a node that was set DOWN comes back when it answers an order, and at the
   * latest when Slurm would ask whether it is there (a third of SlurmdTimeout).
   *
   * @param after how long it must have been down
   */
  private void answered(Turn turn, String name, Duration after) {
    Node node = turn.state().node(name);
    NodeStatus status = node == null ? NodeStatus.unknown() : node.status();
    Instant since = status.reasonTime();
    if (turn.settings().returnToService() == 2
        && status.base() == NodeBaseState.DOWN
        && !status.bootsFirst()
        && !status.has(NodeFlag.INVALID_REG)
        && !status.has(NodeFlag.REBOOT_ISSUED)
        && (since == null || !turn.now().isBefore(since.plus(after)))) {
      NodeStatus up =
          status
              .withBase(NodeBaseState.IDLE)
              .withFlags(NodeCommands.without(status, NodeFlag.NOT_RESPONDING));
      nodes.change(turn, name, withReason(up, "", turn.now()), SLURM);
      turn.requestPass();
    }
  }

  /** Every daemon is told that the files were read again, and answers. */
  void reconfigured(Turn turn) {
    for (Node node : turn.state().nodesInOrder()) {
      if (links.isConnected(node.name())) {
        answered(turn, node.name(), Duration.ZERO);
      }
    }
  }

  /** Silence before this moment does not count any more. */
  void listenFrom(Instant now) {
    listeningSince = now;
  }
}
