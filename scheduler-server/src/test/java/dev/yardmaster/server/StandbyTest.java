package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.security.Authenticator;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A controller that stands by, and clients that look for the one that serves. */
class StandbyTest {
  private static final Credential ROOT = new Credential("root", 0, "root", 0, null);
  private static final Credential ALICE = new Credential("alice", 1001, "alice", 1001, null);

  private final CompletableFuture<String> order = new CompletableFuture<>();
  private final ScriptedController controller = new ScriptedController(Lab.sixNodes().state());

  private Standby standby(int port) throws IOException {
    return Standby.start(
        InetAddress.getByName("127.0.0.2"),
        port,
        Authenticator.none(),
        who -> who.isRoot(),
        () -> order.complete("take over"),
        () -> order.complete("end"));
  }

  private static int free() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.2"))) {
      return socket.getLocalPort();
    }
  }

  private static SchedulerClient client(Credential who, Duration patience, Endpoint... endpoints) {
    return DefaultSchedulerClient.of(
        List.of(endpoints), who, DefaultSchedulerClient.DEADLINE, patience);
  }

  @Test
  void itSaysSoAndObeysOnlyWhoMayGiveOrders() throws Exception {
    int port = free();
    Endpoint here = new Endpoint("127.0.0.2", port);
    try (Standby _ = standby(port);
        SchedulerClient alice = client(ALICE, Duration.ZERO, here);
        SchedulerClient root = client(ROOT, Duration.ZERO, here)) {
      for (SchedulerClient who : List.of(alice, root)) {
        assertThatThrownBy(who::info)
            .isInstanceOf(ClientException.Refused.class)
            .hasMessage("Slurm backup controller in standby mode");
      }
      assertThatThrownBy(alice::takeOver).isInstanceOf(ClientException.Refused.class);
      assertThatThrownBy(alice::shutdown).isInstanceOf(ClientException.Refused.class);
      assertThat(order).isNotDone();
      root.takeOver();
      assertThat(order.get(10, TimeUnit.SECONDS)).isEqualTo("take over");
    }
  }

  @Test
  void aClientFindsTheOneThatServes() throws Exception {
    int port = free();
    try (Standby _ = standby(port);
        TestServer server = TestServer.of(controller, Authenticator.none());
        SchedulerClient client =
            client(
                ALICE,
                Duration.ofSeconds(20),
                new Endpoint("127.0.0.2", port),
                new Endpoint("127.0.0.2", free()),
                server.endpoint())) {
      assertThat(client.info().cluster()).isNotEmpty();
    }
  }

  @Test
  void aClientWaitsUntilOneHasTakenControl() throws Exception {
    int port = free();
    Standby standby = standby(port);
    try (SchedulerClient client =
        client(
            ALICE,
            Duration.ofSeconds(20),
            new Endpoint("127.0.0.1", port),
            new Endpoint("127.0.0.2", port))) {
      CompletableFuture<String> answer = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  answer.complete(client.info().cluster());
                } catch (ClientException e) {
                  answer.completeExceptionally(e);
                }
              });
      assertThatThrownBy(() -> answer.get(600, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
      try (TestServer _ = TestServer.on(port, controller)) {
        assertThat(answer.get(20, TimeUnit.SECONDS)).isNotEmpty();
      }
    } finally {
      standby.close();
    }
  }

  /** A controller may be stopped during any try, and not only during the first. */
  @Test
  void noTryWaitsForLongWhileAnotherControllerMayServe() throws Exception {
    CompletableFuture<Reply> never = new CompletableFuture<>();
    AtomicInteger tries = new AtomicInteger();
    ScriptedController hanging =
        new ScriptedController(controller.state()) {
          @Override
          public CompletionStage<Reply> handle(Command command) {
            return tries.incrementAndGet() < 3
                ? never
                : CompletableFuture.completedFuture(new Reply.Submitted(7, List.of()));
          }
        };
    try (TestServer server = TestServer.of(hanging, Authenticator.none());
        SchedulerClient client =
            client(
                ALICE,
                Duration.ofSeconds(60),
                server.endpoint(),
                new Endpoint("127.0.0.2", free()))) {
      long begin = System.nanoTime();
      assertThat(client.submit(TestCluster.submission()).jobId()).isEqualTo(7);
      assertThat(tries).hasValue(3);
      // Two seconds for the first try and four for the second; 30 s where only the first is short.
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(25));
    }
  }

  @Test
  void patienceEndsWithWhatIsKnown() throws Exception {
    int port = free();
    try (Standby _ = standby(port);
        SchedulerClient client =
            client(
                ALICE,
                Duration.ofMillis(300),
                new Endpoint("127.0.0.2", port),
                new Endpoint("127.0.0.2", free()))) {
      assertThatThrownBy(client::info).hasMessage("Slurm backup controller in standby mode");
    }
  }
}
