package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.security.Authenticator;
import java.io.IOException;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service and the client over a real connection. */
class SchedulerServiceTest {
  private static final Credential ALICE = new Credential("alice", 1001, "users", 100, null);
  private static final Credential OWNER = new Credential("slurm", 64030, "slurm", 64030, null);

  private final Lab lab = Lab.sixNodes();
  private ScriptedController controller = new ScriptedController(lab.state());
  private TestServer server;
  private SchedulerClient client;

  @BeforeEach
  void serve() throws IOException {
    lab.submit(JobSpec.job("first").nodes(4));
    lab.submit(JobSpec.job("second").nodes(3).exclusive());
    lab.pass();
    controller = new ScriptedController(lab.state());
    server = TestServer.of(controller, Authenticator.none());
    client = DefaultSchedulerClient.of(server.endpoint(), ALICE);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  @Test
  void saysWhichControllerItIs() throws ClientException {
    assertThat(client.info().cluster()).isEqualTo("lab");
    assertThat(client.info().slurmVersion()).isEqualTo(Versions.SLURM);
    assertThat(client.info().configDigest()).hasSize(16);
    assertThat(client.config()).containsEntry("ClusterName", "lab");
  }

  @Test
  void readsWhatIsSelected() throws ClientException {
    ClusterView all = client.read(Selection.ALL);
    assertThat(all.jobs()).isEqualTo(lab.state().jobs());
    assertThat(all.nodes().keySet()).containsExactly("n1", "n2", "n3", "n4", "n5", "n6");
    assertThat(all.partitions().values()).isEqualTo(all.partitions().values());
    assertThat(all.figures().passes()).isEqualTo(42);
    ClusterView jobs = client.read(Selection.of(Selection.Jobs.LIVE));
    assertThat(jobs.nodes()).isEmpty();
    assertThat(jobs.jobs()).hasSize(2);
  }

  @Test
  void whoIsDeniedSomethingIsLogged() {
    controller.answer(
        command -> new Reply.Refused(SlurmError.ACCESS_DENIED, "\njob 1 belongs to bob"));
    assertThat(loggedWhenRefused(() -> client.holdJobs("1", false)))
        .containsExactly("HoldJobs by alice (uid 1001) was denied: job 1 belongs to bob");
  }

  @Test
  void whatIsWrongWithNewFilesIsLogged() {
    controller.answer(
        command ->
            new Reply.Refused(
                SlurmError.CONFIGURATION,
                "FATAL slurm.conf:7: NodeName=n1: no CPUs\nFATAL gres.conf:2: Name=gpu: no file"));
    assertThat(loggedWhenRefused(client::reconfigure))
        .containsExactly(
            "reconfigure by alice (uid 1001) failed, the configuration is as before:",
            "  FATAL slurm.conf:7: NodeName=n1: no CPUs",
            "  FATAL gres.conf:2: Name=gpu: no file");
  }

  private static List<String> loggedWhenRefused(ThrowingCallable call) {
    List<String> logged = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord entry) {
            logged.add(entry.getMessage());
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(CommandCalls.class.getName());
    logger.addHandler(handler);
    try {
      assertThatThrownBy(call).isInstanceOf(ClientException.Refused.class);
    } finally {
      logger.removeHandler(handler);
    }
    return logged;
  }

  @Test
  void readsOneJobByItsId() throws ClientException {
    assertThat(client.read(Selection.of(Selection.Jobs.ALL).onlyJobs(List.of("2"))).jobs())
        .containsOnlyKeys(2);
    assertThat(client.read(Selection.of(Selection.Jobs.ALL).onlyJobs(List.of("99"))).jobs())
        .isEmpty();
    assertThatThrownBy(() -> client.read(Selection.of(Selection.Jobs.ALL).onlyJobs(List.of("abc"))))
        .isInstanceOf(ClientException.Refused.class)
        .hasMessageContaining("Invalid job id specified");
  }

  @Test
  void explainsAJob() throws ClientException {
    Explanation explanation = client.explain("2");
    assertThat(explanation.jobName()).isEqualTo("second");
    assertThat(explanation.verdict()).isEqualTo(Verdict.SOON);
    assertThat(explanation.findings()).isNotEmpty();
  }

  @Test
  void refusesToExplainAJobThatIsNotThere() {
    ClientException.Refused refused =
        catchThrowableOfType(ClientException.Refused.class, () -> client.explain("77"));
    assertThat(refused.number()).isEqualTo(SlurmError.INVALID_JOB_ID.number());
    assertThat(refused.detail()).isEqualTo("77");
  }

  @Test
  void takesTheIdentityFromTheCredential() throws ClientException {
    controller.answer(command -> new Reply.Submitted(17, List.of("mind the gap")));
    SchedulerClient.Submitted submitted = client.submit(submission());
    assertThat(submitted.jobId()).isEqualTo(17);
    assertThat(submitted.notices()).containsExactly("mind the gap");
    assertThat(controller.taken())
        .containsExactly(
            new Command.Submit(new Identity("alice", 1001, "users", 100), submission()));
  }

  @Test
  void carriesEveryCommandAsItWasMeant() throws ClientException {
    Identity alice = new Identity("alice", 1001, "users", 100);
    client.updateJobs("1,2", Map.of("nice", "5"));
    client.holdJobs("1", true);
    client.releaseJobs("1");
    client.requeueJobs("1", true);
    client.cancelJobs(List.of("60_[6-7]"), Map.of("state", "PENDING"), "USR1");
    client.updateNodes("n[1-2]", Map.of("state", "drain", "reason", "fan | \"x\""));
    client.updatePartition("main", Map.of("state", "down"));
    client.saveReservation(true, Map.of("nodes", "n1"));
    client.deleteReservation("r1");
    client.reconfigure();
    assertThat(controller.taken())
        .containsExactly(
            new Command.UpdateJob(alice, "1,2", Immutable.sortedMap(Map.of("nice", "5"))),
            new Command.HoldJobs(alice, "1", true),
            new Command.ReleaseJobs(alice, "1"),
            new Command.RequeueJobs(alice, "1", true),
            new Command.CancelJobs(
                alice,
                List.of("60_[6-7]"),
                Immutable.sortedMap(Map.of("state", "PENDING")),
                "USR1"),
            new Command.UpdateNodes(
                alice,
                "n[1-2]",
                Immutable.sortedMap(Map.of("state", "drain", "reason", "fan | \"x\""))),
            new Command.UpdatePartition(
                alice, "main", Immutable.sortedMap(Map.of("state", "down"))),
            new Command.SaveReservation(alice, true, Immutable.sortedMap(Map.of("nodes", "n1"))),
            new Command.DeleteReservation(alice, "r1"),
            new Command.Reconfigure(alice));
  }

  @Test
  void aRefusalSaysSlurmsWordsAndMore() {
    controller.answer(
        command -> new Reply.Refused(SlurmError.INVALID_TIME_LIMIT, "TimeLimit=junk"));
    ClientException.Refused refused =
        catchThrowableOfType(ClientException.Refused.class, () -> client.updateJobs("1", Map.of()));
    assertThat(refused.name()).isEqualTo("INVALID_TIME_LIMIT");
    assertThat(refused.slurmText()).isEqualTo(SlurmError.INVALID_TIME_LIMIT.text());
    assertThat(refused.detail()).isEqualTo("TimeLimit=junk");
  }

  @Test
  void testOnlyTellsStartAndId() throws ClientException {
    Instant start = Instant.ofEpochSecond(1_800_000_000);
    controller.answer(command -> new Reply.WouldStart(start, 2, "n[1-2]", "main"));
    assertThat(client.testOnly(submission()))
        .isEqualTo(new SchedulerClient.WouldStart(3, start, 2, "n[1-2]", "main"));
  }

  @Test
  void aScriptIsForItsOwnerAlone() throws ClientException {
    SchedulerClient bob =
        DefaultSchedulerClient.of(
            server.endpoint(), new Credential("bob", 1002, "users", 100, null));
    int owner = lab.job(1).owner().uid();
    SchedulerClient ofOwner =
        DefaultSchedulerClient.of(
            server.endpoint(), new Credential("alice", owner, "users", 100, null));
    try (bob;
        ofOwner) {
      assertThat(ofOwner.script("1").script()).startsWith("#!/bin/sh");
      assertThatThrownBy(() -> bob.script("1"))
          .isInstanceOf(ClientException.Refused.class)
          .hasMessageContaining("Access/permission denied");
    }
  }

  @Test
  void onlyAnAdministratorEndsTheServer() throws Exception {
    assertThatThrownBy(client::shutdown).isInstanceOf(ClientException.Refused.class);
    assertThat(server.wasShutDown()).isFalse();
    try (SchedulerClient owner = DefaultSchedulerClient.of(server.endpoint(), OWNER)) {
      owner.shutdown();
    }
    assertThat(server.awaitShutdown()).isTrue();
  }

  @Test
  void aControllerThatIsNotThereIsUnreachableAndNamed() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    try (SchedulerClient nobody =
        DefaultSchedulerClient.of(new Endpoint("127.0.0.1", free), ALICE)) {
      assertThatThrownBy(nobody::info)
          .isInstanceOf(ClientException.Unreachable.class)
          .hasMessageContaining("127.0.0.1:" + free);
    }
  }

  @Test
  void aPatientClientWaitsForAControllerThatIsNotThereYet() throws Exception {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    Endpoint endpoint = new Endpoint("127.0.0.1", free);
    try (SchedulerClient early =
        DefaultSchedulerClient.patient(endpoint, ALICE, Duration.ofMinutes(1))) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  answer.complete(early.info().cluster());
                } catch (ClientException e) {
                  answer.completeExceptionally(e);
                }
              });
      assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      try (TestServer _ = TestServer.on(free, controller)) {
        assertThat(answer.get(30, TimeUnit.SECONDS)).isNotEmpty();
      }
    }
  }

  @Test
  @Timeout(20)
  void aControllerThatTakesACommandAndIsSilentIsGivenUpAfterMessageTimeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0);
        SchedulerClient client =
            DefaultSchedulerClient.patient(
                new Endpoint("127.0.0.1", silent.getLocalPort()), ALICE, Duration.ofSeconds(1))) {
      assertThatThrownBy(client::reconfigure)
          .isInstanceOfSatisfying(
              ClientException.Unreachable.class, late -> assertThat(late.isLate()).isTrue());
    }
  }

  @Test
  void patienceEndsWithTheReasonInPlainWords() throws IOException {
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    Endpoint endpoint = new Endpoint("127.0.0.1", free);
    try (SchedulerClient nobody =
        DefaultSchedulerClient.patient(endpoint, ALICE, Duration.ofMillis(300))) {
      assertThatThrownBy(nobody::info)
          .isInstanceOf(ClientException.Unreachable.class)
          .hasMessage("cannot reach the controller at 127.0.0.1:" + free + ": Connection refused");
    }
  }

  @Test
  void aPortThatIsTakenIsSaidWithWhatHelps() {
    assertThatThrownBy(() -> TestServer.on(server.endpoint().port(), controller))
        .hasMessage(
            "port "
                + server.endpoint().port()
                + " of 127.0.0.1 is taken by another process; SlurmctldPort or --port chooses"
                + " another");
  }

  @Test
  void aServerThatAcceptsAndNeverAnswersEndsAtTheDeadline() throws IOException {
    try (ServerSocket silent = new ServerSocket(0);
        SchedulerClient waiting =
            DefaultSchedulerClient.of(
                new Endpoint("127.0.0.1", silent.getLocalPort()), ALICE, Duration.ofMillis(300))) {
      assertThatThrownBy(waiting::info)
          .isInstanceOf(ClientException.Unreachable.class)
          .hasMessageContaining("did not answer in time");
    }
  }

  private static JobSubmission submission() {
    return new JobSubmission(
        Immutable.sortedMap(Map.of("nodes", "2", "comment", "a = b | \n ü")),
        "#!/bin/sh\necho \"$1\"\n",
        List.of("a b", ""),
        Immutable.sortedMap(Map.of("PATH", "/bin")),
        "/home/alice/job.sh",
        "sbatch -N2 job.sh",
        "/home/alice",
        "login1");
  }
}
