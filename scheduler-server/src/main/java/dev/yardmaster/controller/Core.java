package dev.yardmaster.controller;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.priority.Priorities;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the controller decides, without threads, store or clock: commands and time go in, events and
 * effects come out. Owned by one thread.
 */
final class Core {
  private static final String SLURM = "slurm";

  private final ControllerPrograms programs;
  private final Runs runs;
  private final NodeCommands nodeCommands;
  private final NodeMeasures measures = new NodeMeasures();
  private final PowerSaving power;
  private final NodeReports nodeReports;
  private final JobCommands jobCommands;
  private final CrontabCommands crontabCommands;
  private final JobUpdates jobUpdates;
  private final Suspensions suspensions = new Suspensions();
  private final ReservationCommands reservationCommands;
  private final HealthChecks healthChecks;
  private final StepBook steps = new StepBook();
  private final UserSignals userSignals = new UserSignals(steps);
  private final StepCommands stepCommands = new StepCommands(steps);
  private final Proposals proposals;
  private final Supplier<ClusterConfig> configs;
  private final ZoneId zone;
  private ClusterState state;
  private ClusterConfig settingsOf;
  private Settings settings;
  private JobIndex index;
  private final Instant boot;
  private final ReplaceTimes replaceTimes;
  private final InactiveJobs inactive;
  private Timers timers;
  private int usedJobId;

  /**
   * What came of a turn; the state is that after its events.
   *
   * @param reply null when nobody asked
   */
  record Outcome(@Nullable Reply reply, Turn turn, ClusterState after) {}

  Core(
      ClusterState state,
      AdmissionCheck admission,
      NodeLinks links,
      Supplier<ClusterConfig> configs,
      ZoneId zone,
      Instant now) {
    this.programs = new ControllerPrograms(steps);
    this.runs = new Runs(userSignals, programs, zone);
    this.state = state;
    steps.recover(state);
    this.settingsOf = state.config();
    this.settings = Settings.of(settingsOf);
    this.configs = configs;
    this.zone = zone;
    this.index = JobIndex.of(state);
    this.boot = now;
    this.timers = Timers.of(state, boot);
    this.inactive = new InactiveJobs(steps, boot);
    this.replaceTimes = new ReplaceTimes(boot);
    this.nodeCommands = new NodeCommands(runs, links, now);
    this.healthChecks = new HealthChecks(now);
    this.power = new PowerSaving(nodeCommands, programs, measures, now);
    this.nodeReports = new NodeReports(runs, nodeCommands, power, links, measures, now);
    this.jobCommands = new JobCommands(admission, runs, zone);
    this.crontabCommands = new CrontabCommands(jobCommands, zone);
    this.jobUpdates = new JobUpdates(admission, zone);
    this.reservationCommands = new ReservationCommands(zone);
    this.proposals = new Proposals(runs, programs);
  }

  /** Gives out ids above one that the accounting knows, though the state may have been lost. */
  void startIdsAbove(int id) {
    usedJobId = id;
  }

  ClusterState state() {
    return state;
  }

  /** The steps that run. */
  StepBook steps() {
    return steps;
  }

  /** What nodes have measured. */
  NodeMeasures measures() {
    return measures;
  }

  /** When {@link #due} has something to do next; null when nothing is known. */
  @Nullable Instant nextDue() {
    return earlier(
        earlier(earlier(timers.next(), inactive.next(state)), UsagePeriods.next(state)),
        earlier(earlier(nodeCommands.next(), power.next(state)), replaceTimes.next(state)));
  }

  private static @Nullable Instant earlier(@Nullable Instant a, @Nullable Instant b) {
    return a == null || b != null && b.isBefore(a) ? b : a;
  }

  /** Takes back what could not be made durable. */
  void reset(ClusterState durable) {
    state = durable;
    index = JobIndex.of(durable);
    timers = Timers.of(durable, boot);
    runs.forget();
    programs.forget();
    steps.recover(durable);
  }

  Outcome handle(Command command, Instant now) {
    Turn turn = turn(now);
    Reply reply;
    try {
      reply = dispatch(turn, command);
    } catch (Refusal refusal) {
      Turn rest = command instanceof Command.Submit ? leftOf(refusal, now) : turn(now);
      return new Outcome(refusal.reply(), rest, state);
    }
    commit(turn);
    replaceBusy(turn);
    return new Outcome(reply, turn, state);
  }

  /**
   * What a refused submission leaves: a failed job when no node could ever host it, else at most
   * the id that was used for it.
   */
  private Turn leftOf(Refusal refusal, Instant now) {
    Job record = refusal.record();
    if (record == null) {
      return refusal.reply().error().usesJobId() ? useJobId(now).turn() : turn(now);
    }
    return silently(
            now,
            turn -> {
              turn.emit(new Event.JobSubmitted(turn.now(), weighed(record, now)));
              turn.emit(
                  new Event.JobEnded(
                      turn.now(), record.id(), JobState.FAILED, Reason.BAD_CONSTRAINTS));
            })
        .turn();
  }

  /** With the priority that it would have waited with. */
  private Job weighed(Job record, Instant now) {
    Partition partition = state.partitions().get(record.partition());
    if (partition == null || record.hold() != Hold.NONE) {
      return record;
    }
    Board board = Board.withoutJobs(state, now);
    boolean nowhere = record.request().maxNodes() == 0;
    Shape shape = nowhere ? null : board.shape(record, partition);
    Priorities.Result weight =
        new Priorities(state, board.hardware(), now)
            .of(
                record.with(j -> j.priority(0)),
                shape == null ? 0 : shape.minNodes(),
                shape == null ? 0 : ReqTres.cpus(record.request()),
                Priorities.jobFactor(state, record));
    return record.with(j -> j.priority(weight.priority()).factors(weight.factors()));
  }

  /** Uses up an id for a job that does not come to be. */
  Outcome useJobId(Instant now) {
    return silently(now, turn -> turn.emit(new Event.JobIdUsed(turn.now(), turn.nextJobId())));
  }

  private Reply dispatch(Turn turn, Command command) {
    return switch (command) {
      case Command.Submit c -> jobCommands.submit(turn, c);
      case Command.SubmitHet c -> jobCommands.submitHet(turn, c);
      case Command.TestOnly c ->
          throw new IllegalStateException("test-only is not answered by the core: " + c);
      case Command.UpdateJob c when c.fields().containsKey("stepid") ->
          stepCommands.limit(turn, c.jobs(), c.fields(), c.by());
      case Command.UpdateJob c -> jobUpdates.update(turn, c);
      case Command.HoldJobs c -> jobCommands.hold(turn, c);
      case Command.ReleaseJobs c -> jobCommands.release(turn, c);
      case Command.RequeueJobs c -> jobCommands.requeue(turn, c);
      case Command.TopJobs c -> TopCommand.top(turn, c);
      case Command.NotifyJob c -> stepCommands.say(turn, c);
      case Command.SuspendJobs c -> suspensions.suspend(turn, c);
      case Command.CancelJobs c -> jobCommands.cancel(turn, c);
      case Command.SaveCrontab c -> crontabCommands.save(turn, c);
      case Command.CompleteJob c -> jobCommands.complete(turn, c);
      case Command.CreateStep c -> stepCommands.create(turn, c);
      case Command.SignalStep c -> stepCommands.signal(turn, c);
      case Command.AttachStep c -> stepCommands.attach(turn, c);
      case Command.StepsUsed c -> stepCommands.used(c);
      case Command.StepEnded c -> stepCommands.ended(turn, c);
      case Command.UpdateNodes c -> nodeCommands.update(turn, c);
      case Command.UpdatePartition c -> PartitionCommands.update(turn, c);
      case Command.CreatePartition c -> PartitionCommands.create(turn, c);
      case Command.DeletePartition c -> PartitionCommands.delete(turn, c);
      case Command.SaveReservation c -> reservationCommands.save(turn, c);
      case Command.DeleteReservation c -> reservationCommands.delete(turn, c);
      case Command.ChangeAccounting c -> AccountingCommands.change(turn, c);
      case Command.Reconfigure c -> reconfigure(turn, c);
      case Command.NodeRegistered c -> {
        Reply registered = nodeReports.registered(turn, c);
        stepCommands.compare(turn, c);
        yield registered;
      }
      case Command.NodeHeartbeat c -> nodeReports.heartbeat(turn, c);
      case Command.NodeLost c -> nodeReports.lost(turn, c);
      case Command.ScriptEnded c -> nodeReports.scriptEnded(turn, c);
      case Command.LaunchFailed c -> nodeReports.launchFailed(turn, c);
      case Command.ControllerScriptEnded c -> programs.ended(turn, c, runs);
      case Command.RunGone c -> nodeReports.runGone(turn, c);
    };
  }

  /** The state that would follow a submission; nothing is changed here. */
  Outcome tryOut(Command.TestOnly command, Instant now) {
    Turn turn = turn(now);
    try {
      Reply reply =
          jobCommands.submit(turn, new Command.Submit(command.by(), command.submission()));
      return new Outcome(reply, turn, turn.state());
    } catch (Refusal refusal) {
      return new Outcome(refusal.reply(), turn(now), state);
    }
  }

  /** What time alone brings about. */
  Outcome due(Instant now) {
    return silently(
        now,
        turn -> {
          timers.fire(turn, runs, userSignals);
          inactive.due(turn, runs);
          stepCommands.endOverdue(turn);
          UsagePeriods.endIfDue(turn, zone);
          nodeReports.checkSilence(turn);
          nodeCommands.due(turn);
          healthChecks.due(turn);
          power.due(turn);
          ReservationKeeper.keep(turn, runs);
          replaceTimes.tick(turn.now());
        });
  }

  /** Accepts the next decisions of a pass, at most {@code most}. */
  Outcome accept(Proposals.Open open, int most, Instant now) {
    Turn turn = turn(now);
    proposals.accept(turn, open, most);
    commit(turn);
    if (open.isDone()) {
      // What is still to be accepted holds of the reservations that the pass saw.
      replaceBusy(turn);
    }
    return new Outcome(null, turn, state);
  }

  /** Silence of nodes before this moment does not count. */
  void listenFrom(Instant now) {
    nodeReports.listenFrom(now);
  }

  /**
   * What a controller does first: what the file may have changed since it last ran takes effect, as
   * at a reconfigure, and nodes that no daemon serves are as the file says.
   */
  Outcome takeOver(Instant now) {
    nodeReports.listenFrom(now);
    return silently(
        now,
        turn -> {
          failOnRemovedNodes(turn);
          applyFileStates(turn);
          askAgain(turn);
          programs.prepareAgain(turn);
          UsagePeriods.endNow(turn, zone);
          turn.requestPass();
        });
  }

  /** Says again what nodes were told and may not have heard. */
  private void askAgain(Turn turn) {
    for (Job job : turn.state().jobs().values()) {
      if (job.has(JobFlag.COMPLETING)) {
        runs.terminate(turn, job, null);
        runs.settle(turn, job);
      }
    }
  }

  /** Does something that nobody asked for by a command. */
  Outcome silently(Instant now, Consumer<Turn> work) {
    Turn turn = turn(now);
    work.accept(turn);
    commit(turn);
    replaceBusy(turn);
    return new Outcome(null, turn, state);
  }

  private Turn turn(Instant now) {
    Instant monotone = now.isBefore(state.time()) ? state.time() : now;
    if (settingsOf != state.config()) {
      settingsOf = state.config();
      settings = Settings.of(settingsOf);
    }
    return new Turn(state, settings, monotone, index, usedJobId);
  }

  private void commit(Turn turn) {
    follow(turn, turn.events());
  }

  /** Goes on with a turn that the index knows already. */
  private void replaceBusy(Turn turn) {
    int known = turn.events().size();
    ReservationKeeper.replaceBusy(turn, replaceTimes);
    follow(turn, turn.events().subList(known, turn.events().size()));
  }

  private void follow(Turn turn, List<Event> events) {
    ClusterState before = state;
    state = turn.state();
    for (Event event : events) {
      replaceTimes.follow(event, before, state);
      index.follow(event, before, state);
      steps.follow(event);
      power.follow(event, before);
      timers.follow(event, state);
    }
  }

  private Reply reconfigure(Turn turn, Command.Reconfigure command) {
    if (!turn.settings().isAdministrator(command.by())) {
      throw new Refusal(SlurmError.INVALID_USER_ID, "\nonly an administrator may reconfigure");
    }
    if (!command.settings().isEmpty()) {
      return SettingCommands.change(turn, command.settings());
    }
    ClusterConfig config;
    try {
      config = configs.get();
    } catch (RuntimeException e) {
      throw new Refusal(SlurmError.CONFIGURATION, String.valueOf(e.getMessage()));
    }
    String refusal = ofAnotherCluster(turn.state(), config);
    if (refusal != null) {
      throw new Refusal(SlurmError.CONFIGURATION, "\n" + refusal);
    }
    turn.emit(new Event.ConfigApplied(turn.now(), config));
    failOnRemovedNodes(turn);
    applyFileStates(turn);
    nodeReports.reconfigured(turn);
    String fingerprint = ConfigFingerprint.of(config);
    for (NodeSpec spec : config.nodes()) {
      turn.effect(new Effect.Reconfigure(spec.name(), fingerprint, turn.now().getEpochSecond()));
    }
    UsagePeriods.endNow(turn, zone);
    turn.requestPass();
    return new Reply.Done(List.of());
  }

  /** Why a configuration cannot go with this state: it is of another cluster; null when it can. */
  static @Nullable String ofAnotherCluster(ClusterState state, ClusterConfig config) {
    String kept = state.config().clusterName();
    return kept.equalsIgnoreCase(config.clusterName())
        ? null
        : "ClusterName="
            + config.clusterName()
            + ": the state is that of cluster "
            + kept
            + "; write ClusterName="
            + kept
            + ", or start with another --state";
  }

  /** A job cannot go on where the file knows no node any more. */
  private void failOnRemovedNodes(Turn turn) {
    for (Job job : turn.state().jobs().values()) {
      Allocation held = job.holdsResources() ? job.allocation() : null;
      if (held != null) {
        held.shares().stream()
            .map(NodeShare::node)
            .filter(node -> turn.state().node(node) == null)
            .findFirst()
            .ifPresent(node -> runs.nodeFailed(turn, job, node));
      }
    }
  }

  /** State= and Reason= of a node that has never been anything else (slurm.conf(5)). */
  private void applyFileStates(Turn turn) {
    for (NodeSpec spec : turn.state().config().nodes()) {
      Node node = turn.state().node(spec.name());
      if (node == null || !node.status().equals(NodeStatus.unknown())) {
        continue;
      }
      NodeStatus status = node.status();
      NodeStatus next =
          switch (spec.state()) {
            case "DOWN", "ERROR" -> status.withBase(NodeBaseState.DOWN);
            case "DRAIN" -> status.withFlags(NodeCommands.including(status, NodeFlag.DRAIN));
            case "FAIL" -> status.withFlags(NodeCommands.including(status, NodeFlag.FAIL));
            case "FUTURE" -> status.withBase(NodeBaseState.FUTURE);
            case "EXTERNAL" ->
                status
                    .withBase(NodeBaseState.IDLE)
                    .withFlags(NodeCommands.including(status, NodeFlag.EXTERNAL));
            default -> status;
          };
      boolean said = !spec.reason().isEmpty();
      nodeCommands.change(
          turn,
          spec.name(),
          said
              ? next.with(s -> s.reason(spec.reason()).reasonUser(SLURM).reasonTime(turn.now()))
              : next,
          SLURM);
    }
  }
}
