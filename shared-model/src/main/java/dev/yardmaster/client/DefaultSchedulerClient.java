package dev.yardmaster.client;

import com.google.protobuf.Timestamp;
import dev.yardmaster.api.AccountingWire;
import dev.yardmaster.api.ClusterWire;
import dev.yardmaster.api.CrontabWire;
import dev.yardmaster.api.DiagnosticsWire;
import dev.yardmaster.api.ExplanationWire;
import dev.yardmaster.api.HistoryWire;
import dev.yardmaster.api.JobWire;
import dev.yardmaster.api.Pool;
import dev.yardmaster.api.RecordWire;
import dev.yardmaster.api.StepWire;
import dev.yardmaster.api.TopologyWire;
import dev.yardmaster.api.UsageWire;
import dev.yardmaster.api.v1.ControlGrpc;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.api.v1.WireAccounting;
import dev.yardmaster.api.v1.WireRecords;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.CrontabUpdate;
import dev.yardmaster.model.Diagnostics;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.RunningSteps;
import dev.yardmaster.model.StepProgram;
import dev.yardmaster.model.Topology;
import dev.yardmaster.model.UsageReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A {@link SchedulerClient} over gRPC. Connects with the first call. */
public final class DefaultSchedulerClient implements SchedulerClient {
  /** How long a call may take when nothing else is said. */
  public static final Duration DEADLINE = Duration.ofSeconds(30);

  private final ControllerRoute route;

  private DefaultSchedulerClient(
      List<Endpoint> endpoints, Credential credential, Duration deadline, Duration patience) {
    this.route = new ControllerRoute(endpoints, credential, deadline, patience);
  }

  /** A client of the controller at an endpoint. */
  public static DefaultSchedulerClient of(Endpoint endpoint, Credential credential) {
    return of(endpoint, credential, DEADLINE);
  }

  /** A client whose calls may take this long each. */
  public static DefaultSchedulerClient of(
      Endpoint endpoint, Credential credential, Duration deadline) {
    return new DefaultSchedulerClient(List.of(endpoint), credential, deadline, Duration.ZERO);
  }

  /**
   * A client that tries again while nobody listens at the endpoint, as a controller does that just
   * starts.
   *
   * @param patience for how long
   */
  public static DefaultSchedulerClient patient(
      Endpoint endpoint, Credential credential, Duration patience) {
    return of(List.of(endpoint), credential, DEADLINE, patience);
  }

  /**
   * A client of the controllers of a cluster, of which one serves and any other may take over.
   *
   * @param endpoints first the one to ask first
   * @param deadline how long a call may take
   * @param patience for how long it looks for the one that serves
   */
  public static DefaultSchedulerClient of(
      List<Endpoint> endpoints, Credential credential, Duration deadline, Duration patience) {
    return new DefaultSchedulerClient(endpoints, credential, deadline, patience);
  }

  Endpoint endpoint() {
    return route.endpoint();
  }

  /** Turns to the next controller; whether there is another. */
  boolean turn() {
    route.turn();
    return route.isShared();
  }

  /** For calls without a deadline. */
  SchedulerGrpc.SchedulerStub streaming() {
    return SchedulerGrpc.newStub(route.channel().calls());
  }

  /** Makes a channel that waits after failures try at once. */
  void connectNow() {
    route.channel().connectNow();
  }

  /** A request that changes nothing, or that the controller knows when it comes again. */
  private <T> T call(Function<SchedulerGrpc.SchedulerBlockingStub, T> request)
      throws ClientException {
    return route.read(request);
  }

  /** A request that must not be made twice. */
  private Rpc.Reply change(Function<SchedulerGrpc.SchedulerBlockingStub, Rpc.Reply> request)
      throws ClientException {
    return route.ask(false, request);
  }

  /** Where another controller may take over, a submission gets an id that tells it from others. */
  private JobSubmission marked(JobSubmission submission) {
    if (!route.isShared()) {
      return submission;
    }
    TreeMap<String, String> options = new TreeMap<>(submission.options());
    options.put(JobSubmission.REQUEST_ID, UUID.randomUUID().toString());
    return submission.withOptions(Immutable.sortedMap(options));
  }

  @Override
  public ClusterInfo info() throws ClientException {
    return call(stub -> ClusterWire.read(stub.info(Rpc.InfoRequest.getDefaultInstance())));
  }

  @Override
  public SortedMap<String, String> config() throws ClientException {
    return call(
        stub ->
            Immutable.sortedMap(
                stub.config(Rpc.ConfigRequest.getDefaultInstance()).getSettingsMap()));
  }

  @Override
  public Diagnostics diagnose() throws ClientException {
    return call(
        stub -> DiagnosticsWire.read(stub.diagnose(Rpc.DiagnoseRequest.getDefaultInstance())));
  }

  @Override
  public List<String> resetStatistics() throws ClientException {
    return Replies.done(
        change(stub -> stub.resetStatistics(Rpc.ResetRequest.getDefaultInstance())));
  }

  @Override
  public List<Topology> topologies() throws ClientException {
    return call(
        stub ->
            stub.config(Rpc.ConfigRequest.getDefaultInstance()).getTopologiesList().stream()
                .map(TopologyWire::read)
                .toList());
  }

  @Override
  public ClusterView read(Selection selection) throws ClientException {
    return call(
        stub -> {
          ViewBuilder view = new ViewBuilder(Pool.none());
          Iterator<Rpc.Update> updates = stub.read(wire(selection));
          while (updates.hasNext()) {
            view.apply(updates.next());
          }
          return view.build(Instant.now(), new Connection.Live());
        });
  }

  static Rpc.Selection wire(Selection selection) {
    return Rpc.Selection.newBuilder()
        .setJobs(
            switch (selection.jobs()) {
              case NONE -> Rpc.Selection.Jobs.NO_JOBS;
              case ALL -> Rpc.Selection.Jobs.ALL_JOBS;
              case HOLDING -> Rpc.Selection.Jobs.HOLDING_JOBS;
              case LIVE -> Rpc.Selection.Jobs.LIVE_JOBS;
            })
        .setNodes(selection.nodes())
        .setPartitions(selection.partitions())
        .setReservations(selection.reservations())
        .addAllJobIds(selection.jobIds())
        .build();
  }

  @Override
  public Explanation explain(String job, @Nullable Instant at, long moment) throws ClientException {
    Rpc.ExplainRequest.Builder request =
        Rpc.ExplainRequest.newBuilder().setJob(job).setMoment(moment);
    if (at != null) {
      request.setAt(Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano()));
    }
    return call(stub -> ExplanationWire.read(stub.explain(request.build())));
  }

  @Override
  public JobHistory history(String job) throws ClientException {
    Rpc.HistoryRequest request = Rpc.HistoryRequest.newBuilder().setJob(job).build();
    return call(stub -> HistoryWire.read(stub.readHistory(request)));
  }

  @Override
  public JobScript script(String job) throws ClientException {
    return call(
        stub ->
            ClusterWire.read(stub.readScript(Rpc.ScriptRequest.newBuilder().setJob(job).build())));
  }

  @Override
  public AccountingReport accounting() throws ClientException {
    return call(
        stub ->
            AccountingWire.read(
                stub.readAccounting(WireAccounting.AccountingQuery.getDefaultInstance())));
  }

  @Override
  public List<JobRecord> records(RecordQuery query) throws ClientException {
    return call(
        stub -> {
          Pool pool = Pool.none();
          List<JobRecord> records = new ArrayList<>();
          Iterator<WireRecords.Records> parts = stub.readRecords(RecordWire.write(query));
          while (parts.hasNext()) {
            for (WireRecords.JobRecord record : parts.next().getRecordsList()) {
              records.add(RecordWire.read(record, pool));
            }
          }
          return records;
        });
  }

  @Override
  public List<String> changeAccounting(List<String> words, boolean tryOut) throws ClientException {
    WireAccounting.AccountingRequest request =
        WireAccounting.AccountingRequest.newBuilder().addAllWords(words).setTryOut(tryOut).build();
    return Replies.done(change(stub -> stub.changeAccounting(request)));
  }

  @Override
  public UsageReport usage(Instant start, Instant end) throws ClientException {
    WireRecords.UsageQuery query =
        WireRecords.UsageQuery.newBuilder()
            .setStart(start.getEpochSecond())
            .setEnd(end.getEpochSecond())
            .build();
    return call(stub -> RecordWire.read(stub.readUsage(query)));
  }

  @Override
  public String token(String user, int lifespanSeconds) throws ClientException {
    Rpc.TokenRequest request =
        Rpc.TokenRequest.newBuilder().setUser(user).setLifespanSeconds(lifespanSeconds).build();
    return call(stub -> stub.fetchToken(request).getToken());
  }

  @Override
  public Submitted submit(JobSubmission submission) throws ClientException {
    Wire.Submission request = ClusterWire.write(marked(submission));
    return Replies.submitted(route.ask(true, stub -> stub.submit(request)));
  }

  @Override
  public SubmissionStream submissions() {
    return new SubmissionStream(streaming(), endpoint(), this::marked);
  }

  @Override
  public Submitted submit(List<JobSubmission> components) throws ClientException {
    Rpc.HetSubmission.Builder request = Rpc.HetSubmission.newBuilder();
    components.forEach(component -> request.addComponents(ClusterWire.write(marked(component))));
    return Replies.submitted(route.ask(true, stub -> stub.submitHet(request.build())));
  }

  @Override
  public Crontab crontab(String user) throws ClientException {
    Rpc.CrontabRequest request = Rpc.CrontabRequest.newBuilder().setUser(user).build();
    return call(stub -> CrontabWire.read(stub.readCrontab(request)));
  }

  @Override
  public List<String> saveCrontab(CrontabUpdate update) throws ClientException {
    Rpc.CrontabUpdate request = CrontabWire.write(update);
    return Replies.done(change(stub -> stub.saveCrontab(request)));
  }

  @Override
  public WouldStart testOnly(JobSubmission submission) throws ClientException {
    return Replies.wouldStart(call(stub -> stub.testOnly(ClusterWire.write(submission))));
  }

  @Override
  public List<String> updateJobs(String jobs, Map<String, String> fields) throws ClientException {
    return Replies.done(change(stub -> stub.updateJobs(Calls.update(jobs, fields))));
  }

  @Override
  public List<String> holdJobs(String jobs, boolean byOwner) throws ClientException {
    Rpc.HoldRequest request =
        Rpc.HoldRequest.newBuilder().setJobs(jobs).setByOwner(byOwner).build();
    return Replies.done(change(stub -> stub.holdJobs(request)));
  }

  @Override
  public List<String> releaseJobs(String jobs) throws ClientException {
    Rpc.JobsRequest request = Rpc.JobsRequest.newBuilder().setJobs(jobs).build();
    return Replies.done(change(stub -> stub.releaseJobs(request)));
  }

  @Override
  public List<String> notifyJob(String job, String text) throws ClientException {
    Rpc.NotifyRequest request = Rpc.NotifyRequest.newBuilder().setJob(job).setText(text).build();
    return Replies.done(change(stub -> stub.notifyJob(request)));
  }

  @Override
  public List<String> notices(int jobId, int after) throws ClientException {
    Rpc.NoticesRequest request =
        Rpc.NoticesRequest.newBuilder().setJobId(jobId).setAfter(after).build();
    return List.copyOf(call(stub -> stub.readNotices(request)).getTextsList());
  }

  @Override
  public List<String> suspendJobs(String jobs, boolean resume) throws ClientException {
    Rpc.SuspendRequest request =
        Rpc.SuspendRequest.newBuilder().setJobs(jobs).setResume(resume).build();
    return Replies.done(change(stub -> stub.suspendJobs(request)));
  }

  @Override
  public List<String> topJobs(String jobs) throws ClientException {
    Rpc.JobsRequest request = Rpc.JobsRequest.newBuilder().setJobs(jobs).build();
    return Replies.done(change(stub -> stub.topJobs(request)));
  }

  @Override
  public List<String> requeueJobs(String jobs, boolean hold) throws ClientException {
    return requeueJobs(jobs, hold, false, false);
  }

  @Override
  public List<String> requeueJobs(String jobs, boolean hold, boolean special, boolean incomplete)
      throws ClientException {
    Rpc.RequeueRequest request =
        Rpc.RequeueRequest.newBuilder()
            .setJobs(jobs)
            .setHold(hold)
            .setSpecial(special)
            .setIncomplete(incomplete)
            .build();
    return Replies.done(change(stub -> stub.requeueJobs(request)));
  }

  @Override
  public List<String> cancelJobs(List<String> jobs, Map<String, String> filters, String signal)
      throws ClientException {
    Rpc.CancelRequest request =
        Rpc.CancelRequest.newBuilder()
            .addAllJobs(jobs)
            .putAllFilters(filters)
            .setSignal(signal)
            .build();
    return Replies.done(change(stub -> stub.cancelJobs(request)));
  }

  @Override
  public List<String> completeJob(String job, ExitCode exit) throws ClientException {
    Rpc.CompleteRequest request =
        Rpc.CompleteRequest.newBuilder().setJob(job).setExitCode(JobWire.exitCode(exit)).build();
    return Replies.done(change(stub -> stub.completeJob(request)));
  }

  @Override
  public JobStep createStep(String job, Map<String, String> options, StepProgram program)
      throws ClientException {
    Rpc.StepRequest request = StepWire.request(job, options, program);
    return Replies.step(change(stub -> stub.createStep(request)));
  }

  @Override
  public RunningSteps runningSteps() throws ClientException {
    return UsageWire.readSteps(call(stub -> stub.readSteps(Rpc.StepsRequest.getDefaultInstance())));
  }

  @Override
  public JobStep attachStep(String step, StepProgram to) throws ClientException {
    Rpc.StepRequest request = StepWire.request(step, Map.of(), to);
    return Replies.step(change(stub -> stub.attachStep(request)));
  }

  @Override
  public List<String> signalStep(String step, String signal) throws ClientException {
    Rpc.StepSignal request = Rpc.StepSignal.newBuilder().setStep(step).setSignal(signal).build();
    return Replies.done(change(stub -> stub.signalStep(request)));
  }

  @Override
  public List<String> updateNodes(String nodes, Map<String, String> fields) throws ClientException {
    return Replies.done(change(stub -> stub.updateNodes(Calls.update(nodes, fields))));
  }

  @Override
  public List<String> updatePartition(String partition, Map<String, String> fields)
      throws ClientException {
    return Replies.done(change(stub -> stub.updatePartition(Calls.update(partition, fields))));
  }

  @Override
  public List<String> createPartition(String partition, Map<String, String> fields)
      throws ClientException {
    return Replies.done(change(stub -> stub.createPartition(Calls.update(partition, fields))));
  }

  @Override
  public List<String> deletePartition(String partition) throws ClientException {
    Rpc.NameRequest request = Rpc.NameRequest.newBuilder().setName(partition).build();
    return Replies.done(change(stub -> stub.deletePartition(request)));
  }

  @Override
  public List<String> saveReservation(boolean create, Map<String, String> fields)
      throws ClientException {
    Rpc.ReservationRequest request =
        Rpc.ReservationRequest.newBuilder().setCreate(create).putAllFields(fields).build();
    return Replies.done(change(stub -> stub.saveReservation(request)));
  }

  @Override
  public List<String> deleteReservation(String name) throws ClientException {
    Rpc.NameRequest request = Rpc.NameRequest.newBuilder().setName(name).build();
    return Replies.done(change(stub -> stub.deleteReservation(request)));
  }

  @Override
  public List<String> change(Map<String, String> settings) throws ClientException {
    Rpc.ReconfigureRequest request =
        Rpc.ReconfigureRequest.newBuilder().putAllSettings(settings).build();
    return Replies.done(change(stub -> stub.reconfigure(request)));
  }

  @Override
  public List<String> triggers(String verb, Map<String, String> fields) throws ClientException {
    return Replies.done(change(stub -> Calls.triggers(stub).change(Calls.update(verb, fields))));
  }

  @Override
  public List<String> shutdown() throws ClientException {
    return Replies.done(change(stub -> stub.shutdown(Rpc.ShutdownRequest.getDefaultInstance())));
  }

  @Override
  public List<String> takeOver() throws ClientException {
    return Replies.done(
        change(
            stub ->
                ControlGrpc.newBlockingStub(stub.getChannel())
                    .withDeadline(stub.getCallOptions().getDeadline())
                    .takeOver(Rpc.TakeOverRequest.getDefaultInstance())));
  }

  /**
   * Asks a controller that serves to hand over to the one that asks.
   *
   * @param successor its place among SlurmctldHost, from 0
   */
  public void giveUp(int successor) throws ClientException {
    Rpc.GiveUpRequest request = Rpc.GiveUpRequest.newBuilder().setController(successor).build();
    Replies.done(
        change(
            stub ->
                ControlGrpc.newBlockingStub(stub.getChannel())
                    .withDeadline(stub.getCallOptions().getDeadline())
                    .giveUp(request)));
  }

  @Override
  public void close() {
    route.close();
  }
}
