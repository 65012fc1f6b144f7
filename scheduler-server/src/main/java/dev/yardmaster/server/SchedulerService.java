package dev.yardmaster.server;

import dev.yardmaster.api.AccountingWire;
import dev.yardmaster.api.ClusterWire;
import dev.yardmaster.api.DiagnosticsWire;
import dev.yardmaster.api.ExplanationWire;
import dev.yardmaster.api.HistoryWire;
import dev.yardmaster.api.JobWire;
import dev.yardmaster.api.StepWire;
import dev.yardmaster.api.TopologyWire;
import dev.yardmaster.api.UsageWire;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.api.v1.WireAccounting;
import dev.yardmaster.api.v1.WireExplain;
import dev.yardmaster.api.v1.WireRecords;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Diagnostics;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.UsedStep;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import dev.yardmaster.security.Authenticator;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** The scheduler service: takes requests apart, asks the controller, and writes its answers. */
final class SchedulerService extends SchedulerGrpc.SchedulerImplBase {
  private final Controller controller;
  private final Explanations explanations;
  private final IntFunction<Optional<JobScript>> scripts;
  private final RecordAnswers records;
  private final TokenIssuer tokens;
  private final ServerCard card;
  private final RpcCounts counts;
  private final Runnable shutdown;
  private final CommandCalls commands;

  /**
   * @param scripts the script of a job by its id, or of an array by its array id
   * @param records what accounting keeps
   * @param tokens says who somebody is
   * @param auditor writes down what is changed
   * @param shutdown starts the end of the server, without waiting for it
   */
  SchedulerService(
      Controller controller,
      Explanations explanations,
      IntFunction<Optional<JobScript>> scripts,
      RecordAnswers records,
      TokenIssuer tokens,
      ServerCard card,
      RpcCounts counts,
      Auditor auditor,
      Runnable shutdown) {
    this.controller = controller;
    this.explanations = explanations;
    this.scripts = scripts;
    this.records = records;
    this.tokens = tokens;
    this.card = card;
    this.counts = counts;
    this.shutdown = shutdown;
    this.commands = new CommandCalls(controller, auditor);
  }

  @Override
  public void info(Rpc.InfoRequest request, StreamObserver<Rpc.ClusterInfo> answer) {
    answer.onNext(ClusterWire.write(card.of(controller.state())));
    answer.onCompleted();
  }

  @Override
  public void config(Rpc.ConfigRequest request, StreamObserver<Rpc.ConfigReply> answer) {
    answer.onNext(
        Rpc.ConfigReply.newBuilder()
            .putAllSettings(SettingsList.of(controller.state().config()))
            .addTopologies(TopologyWire.write(controller.state().config().topology()))
            .addAllTopologies(
                controller.state().config().otherTopologies().stream()
                    .map(TopologyWire::write)
                    .toList())
            .build());
    answer.onCompleted();
  }

  @Override
  public void diagnose(Rpc.DiagnoseRequest request, StreamObserver<Rpc.Diagnosis> answer) {
    answer.onNext(
        DiagnosticsWire.write(
            new Diagnostics(
                card.now(),
                controller.statistics().since(),
                records.figures(counts),
                counts.byType(),
                counts.byUser())));
    answer.onCompleted();
  }

  @Override
  public void resetStatistics(Rpc.ResetRequest request, StreamObserver<Rpc.Reply> answer) {
    boolean may = card.mayStop(Authenticator.caller(), controller.state());
    if (may) {
      controller.statistics().reset(card.now());
      counts.reset();
    }
    commands.permit("ResetStatistics", may, answer, () -> {});
  }

  @Override
  public void read(Rpc.Selection selection, StreamObserver<Rpc.Update> answer) {
    ClusterState state = controller.state();
    Optional<Chosen> chosen = chosen(selection, answer);
    if (chosen.isPresent()) {
      try {
        new Updates(chosen.get(), controller.measures(), new Paced<>(answer))
            .snapshot(state, 0, card.of(state), controller.figures());
        answer.onCompleted();
      } catch (StatusRuntimeException e) {
        answer.onError(e);
      }
    }
  }

  @Override
  public void follow(Rpc.Selection selection, StreamObserver<Rpc.Update> answer) {
    Optional<Chosen> chosen = chosen(selection, answer);
    if (chosen.isPresent() && answer instanceof ServerCallStreamObserver<Rpc.Update> reader) {
      FollowSession session =
          new FollowSession(controller, () -> card.of(controller.state()), chosen.get(), reader);
      Thread.ofVirtual().name("follow").start(session::run);
    }
  }

  private Optional<Chosen> chosen(Rpc.Selection selection, StreamObserver<?> answer) {
    try {
      Identity caller = Authenticator.caller();
      Chosen chosen = new Chosen(selection, () -> new Privacy(controller.state(), caller));
      if (chosen.isHidden()) {
        throw Refusals.exception(SlurmError.ACCESS_DENIED, null);
      }
      return Optional.of(chosen);
    } catch (StatusRuntimeException e) {
      answer.onError(e);
      return Optional.empty();
    } catch (NotationException e) {
      answer.onError(Refusals.exception(SlurmError.INVALID_JOB_ID, e.getMessage()));
      return Optional.empty();
    }
  }

  @Override
  public void explain(Rpc.ExplainRequest request, StreamObserver<WireExplain.Explanation> answer) {
    Instant at =
        request.hasAt()
            ? Instant.ofEpochSecond(request.getAt().getSeconds(), request.getAt().getNanos())
            : null;
    answer(
        "explain " + request.getJob(),
        answer,
        () ->
            ExplanationWire.write(
                explanations.explain(
                    request.getJob(), at, request.getMoment(), Authenticator.caller())));
  }

  @Override
  public void readHistory(
      Rpc.HistoryRequest request, StreamObserver<WireExplain.JobHistory> answer) {
    answer(
        "history of " + request.getJob(),
        answer,
        () -> HistoryWire.write(explanations.history(request.getJob(), Authenticator.caller())));
  }

  private static <T> void answer(String what, StreamObserver<T> answer, Supplier<T> work) {
    try {
      answer.onNext(work.get());
      answer.onCompleted();
    } catch (StatusRuntimeException e) {
      answer.onError(e);
    } catch (RuntimeException e) {
      answer.onError(CommandCalls.failure(what, e));
    }
  }

  @Override
  public void readScript(Rpc.ScriptRequest request, StreamObserver<Wire.Script> answer) {
    Optional<Job> job = job(controller.state(), request.getJob());
    if (job.isEmpty()) {
      answer.onError(Refusals.exception(SlurmError.INVALID_JOB_ID, request.getJob()));
      return;
    }
    Identity caller = Authenticator.caller();
    if (!caller.isRoot() && caller.uid() != job.get().owner().uid()) {
      answer.onError(Refusals.exception(SlurmError.ACCESS_DENIED, null));
      return;
    }
    int id = job.get().array() == null ? job.get().id() : job.get().array().arrayJobId();
    Optional<JobScript> script = scripts.apply(id);
    if (script.isEmpty()) {
      answer.onError(Refusals.exception(SlurmError.INVALID_JOB_ID, "it has no batch script"));
      return;
    }
    answer.onNext(ClusterWire.write(script.get()));
    answer.onCompleted();
  }

  @Override
  public void readAccounting(
      WireAccounting.AccountingQuery request, StreamObserver<WireAccounting.Accounting> answer) {
    ClusterState state = controller.state();
    Privacy privacy = new Privacy(state, Authenticator.caller());
    answer.onNext(AccountingWire.write(privacy.of(AccountingReports.of(state, card.now()))));
    answer.onCompleted();
  }

  @Override
  public void readRecords(
      WireRecords.RecordQuery request, StreamObserver<WireRecords.Records> answer) {
    records.answer(request, answer);
  }

  @Override
  public void readUsage(
      WireRecords.UsageQuery request, StreamObserver<WireRecords.UsageReport> answer) {
    records.answer(request, answer);
  }

  @Override
  public void changeAccounting(
      WireAccounting.AccountingRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.ChangeAccounting(
            Authenticator.caller(), request.getWordsList(), request.getTryOut()),
        answer);
  }

  private static Optional<Job> job(ClusterState state, String id) {
    try {
      return Chosen.find(state, JobId.parse(id))
          .filter(new Privacy(state, Authenticator.caller())::shows);
    } catch (NotationException e) {
      return Optional.empty();
    }
  }

  @Override
  public void fetchToken(Rpc.TokenRequest request, StreamObserver<Rpc.Token> answer) {
    tokens.answer(request, controller.state(), card, commands::note, answer);
  }

  @Override
  public void submit(Wire.Submission request, StreamObserver<Rpc.Reply> answer) {
    handle(new Command.Submit(Authenticator.caller(), ClusterWire.read(request)), answer);
  }

  @Override
  public StreamObserver<Rpc.NumberedSubmission> submitMany(
      StreamObserver<Rpc.NumberedReply> answer) {
    return new SubmissionsCall(controller, Authenticator.caller(), answer);
  }

  @Override
  public void submitHet(Rpc.HetSubmission request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.SubmitHet(
            Authenticator.caller(),
            request.getComponentsList().stream().map(ClusterWire::read).toList()),
        answer);
  }

  @Override
  public void saveCrontab(Rpc.CrontabUpdate request, StreamObserver<Rpc.Reply> answer) {
    handle(CrontabCalls.command(Authenticator.caller(), request), answer);
  }

  @Override
  public void readCrontab(Rpc.CrontabRequest request, StreamObserver<Rpc.Crontab> answer) {
    CrontabCalls.read(controller.state(), Authenticator.caller(), request.getUser(), answer);
  }

  @Override
  public void testOnly(Wire.Submission request, StreamObserver<Rpc.Reply> answer) {
    handle(new Command.TestOnly(Authenticator.caller(), ClusterWire.read(request)), answer);
  }

  @Override
  public void updateJobs(Rpc.UpdateRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.UpdateJob(Authenticator.caller(), request.getTarget(), fields(request)),
        answer);
  }

  @Override
  public void holdJobs(Rpc.HoldRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.HoldJobs(Authenticator.caller(), request.getJobs(), request.getByOwner()),
        answer);
  }

  @Override
  public void releaseJobs(Rpc.JobsRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(new Command.ReleaseJobs(Authenticator.caller(), request.getJobs()), answer);
  }

  @Override
  public void requeueJobs(Rpc.RequeueRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.RequeueJobs(
            Authenticator.caller(),
            request.getJobs(),
            request.getHold(),
            request.getSpecial(),
            request.getIncomplete()),
        answer);
  }

  @Override
  public void topJobs(Rpc.JobsRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(new Command.TopJobs(Authenticator.caller(), request.getJobs()), answer);
  }

  @Override
  public void suspendJobs(Rpc.SuspendRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.SuspendJobs(Authenticator.caller(), request.getJobs(), request.getResume()),
        answer);
  }

  @Override
  public void cancelJobs(Rpc.CancelRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.CancelJobs(
            Authenticator.caller(),
            request.getJobsList(),
            Immutable.sortedMap(request.getFiltersMap()),
            request.getSignal()),
        answer);
  }

  @Override
  public void completeJob(Rpc.CompleteRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.CompleteJob(
            Authenticator.caller(), request.getJob(), JobWire.exitCode(request.getExitCode())),
        answer);
  }

  @Override
  public void createStep(Rpc.StepRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.CreateStep(
            Authenticator.caller(),
            request.getJob(),
            Immutable.sortedMap(request.getOptionsMap()),
            StepWire.read(request.getProgram())),
        answer);
  }

  @Override
  public void notifyJob(Rpc.NotifyRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.NotifyJob(Authenticator.caller(), request.getJob(), request.getText()), answer);
  }

  @Override
  public void readNotices(Rpc.NoticesRequest request, StreamObserver<Rpc.Notices> answer) {
    ClusterState state = controller.state();
    Job job = state.job(request.getJobId());
    Rpc.Notices.Builder notices = Rpc.Notices.newBuilder();
    Identity caller = Authenticator.caller();
    if (job != null && new Privacy(state, caller).shows(job)) {
      if (caller.uid() == job.owner().uid()) {
        controller.steps().heard(job.id());
      }
      notices.addAllTexts(controller.steps().told(job.id(), request.getAfter()));
    }
    answer.onNext(notices.build());
    answer.onCompleted();
  }

  @Override
  public void readSteps(Rpc.StepsRequest request, StreamObserver<Rpc.Steps> answer) {
    ClusterState state = controller.state();
    Privacy privacy = new Privacy(state, Authenticator.caller());
    Rpc.Steps.Builder steps = Rpc.Steps.newBuilder();
    for (JobStep step : controller.steps().all()) {
      Job job = state.job(step.jobId());
      if (job != null && privacy.shows(job)) {
        steps.addSteps(StepWire.write(step));
      }
    }
    for (UsedStep used : controller.steps().used()) {
      Job job = state.job(used.jobId());
      if (job != null && privacy.shows(job)) {
        steps.addUsed(UsageWire.write(used));
      }
    }
    answer.onNext(steps.build());
    answer.onCompleted();
  }

  @Override
  public void attachStep(Rpc.StepRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.AttachStep(
            Authenticator.caller(), request.getJob(), StepWire.read(request.getProgram())),
        answer);
  }

  @Override
  public void signalStep(Rpc.StepSignal request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.SignalStep(Authenticator.caller(), request.getStep(), request.getSignal()),
        answer);
  }

  @Override
  public void updateNodes(Rpc.UpdateRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.UpdateNodes(Authenticator.caller(), request.getTarget(), fields(request)),
        answer);
  }

  @Override
  public void updatePartition(Rpc.UpdateRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.UpdatePartition(Authenticator.caller(), request.getTarget(), fields(request)),
        answer);
  }

  @Override
  public void createPartition(Rpc.UpdateRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.CreatePartition(Authenticator.caller(), request.getTarget(), fields(request)),
        answer);
  }

  @Override
  public void deletePartition(Rpc.NameRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(new Command.DeletePartition(Authenticator.caller(), request.getName()), answer);
  }

  @Override
  public void saveReservation(Rpc.ReservationRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.SaveReservation(
            Authenticator.caller(),
            request.getCreate(),
            Immutable.sortedMap(request.getFieldsMap())),
        answer);
  }

  @Override
  public void deleteReservation(Rpc.NameRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(new Command.DeleteReservation(Authenticator.caller(), request.getName()), answer);
  }

  @Override
  public void reconfigure(Rpc.ReconfigureRequest request, StreamObserver<Rpc.Reply> answer) {
    handle(
        new Command.Reconfigure(
            Authenticator.caller(), Immutable.sortedMap(request.getSettingsMap())),
        answer);
  }

  @Override
  public void shutdown(Rpc.ShutdownRequest request, StreamObserver<Rpc.Reply> answer) {
    boolean may = card.mayStop(Authenticator.caller(), controller.state());
    commands.permit("Shutdown", may, answer, shutdown);
  }

  private static SortedMap<String, String> fields(Rpc.UpdateRequest request) {
    return Immutable.sortedMap(request.getFieldsMap());
  }

  private void handle(Command command, StreamObserver<Rpc.Reply> answer) {
    commands.handle(command, answer);
  }
}
