package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.api.v1.NodeRpc;
import dev.yardmaster.api.v1.NodeServiceGrpc;
import dev.yardmaster.client.ControllerChannel;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.node.NodeDaemon;
import dev.yardmaster.security.Authenticator;
import dev.yardmaster.security.LaunchKey;
import dev.yardmaster.security.LaunchTrust;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Node daemons and the controller over a real connection. */
class NodeServiceTest {
  private static final ClusterConfig CONFIG = TestCluster.config(2, Map.of());
  private static final Credential ROOT = new Credential("root", 0, "root", 0, null);
  private static final Credential ALICE = new Credential("alice", 1001, "alice", 1001, null);
  private static final Duration BEAT = Duration.ofMillis(100);

  @TempDir private Path directory;
  private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private final NodeLinks links = new NodeLinks();
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final ScriptedController controller =
      new ScriptedController(ClusterState.initial(CONFIG, TestCluster.NOW));
  private RpcServer server;
  private ControllerChannel channel;

  @BeforeEach
  void serve() throws Exception {
    controller.answer(
        command -> {
          commands.add(command);
          return new Reply.Done(List.of());
        });
    server = listen(0);
    channel = ControllerChannel.open(new Endpoint("127.0.0.1", server.port()), ROOT);
  }

  private RpcServer listen(int port) throws IOException {
    NodeService service =
        new NodeService(
            controller,
            links,
            caller -> caller.isRoot(),
            new OrderSeal(LaunchKey.of(directory, directory), InstantSource.system()));
    return RpcServer.start(
        InetAddress.getLoopbackAddress(),
        port,
        Authenticator.none(),
        new RpcCounts(),
        List.of(service));
  }

  @AfterEach
  void stop() {
    channel.close();
    server.close();
    thread.shutdownNow();
  }

  private NodeConnection connect(String node) throws IOException {
    NodeDaemon daemon =
        new NodeDaemon(
            new NodeDaemon.Setup(
                CONFIG.nodes().getFirst(), "lab", directory.resolve(node), false, "0.1"));
    NodeConnection connection =
        new NodeConnection(
            node,
            daemon,
            new OrderCheck(
                node,
                LaunchTrust.of(directory.resolve("slurm.conf"), directory.resolve(node), 0),
                InstantSource.system()),
            order -> {},
            List.of(channel),
            thread,
            BEAT);
    connection.start();
    return connection;
  }

  /** The next command of a kind; what comes before it is dropped. */
  private <T extends Command> T next(Class<T> kind, Predicate<T> wanted)
      throws InterruptedException {
    while (true) {
      Command command = commands.poll(20, TimeUnit.SECONDS);
      assertThat(command).as("a %s", kind.getSimpleName()).isNotNull();
      if (kind.isInstance(command) && wanted.test(kind.cast(command))) {
        return kind.cast(command);
      }
    }
  }

  @Test
  void aDaemonRegistersAndItsHeartBeats() throws Exception {
    try (NodeConnection _ = connect("n1")) {
      Command.NodeRegistered registered = next(Command.NodeRegistered.class, c -> true);
      assertThat(registered.node()).isEqualTo("n1");
      assertThat(registered.cpus()).isEqualTo(16);
      assertThat(links.isConnected("n1")).isTrue();
      assertThat(next(Command.NodeHeartbeat.class, c -> true).node()).isEqualTo("n1");
    }
  }

  @Test
  void theEndOfAConnectionIsToldAndTheNodeForgotten() throws Exception {
    NodeConnection connection = connect("n1");
    next(Command.NodeRegistered.class, c -> true);
    connection.close();
    assertThat(next(Command.NodeLost.class, c -> true).node()).isEqualTo("n1");
    assertThat(links.isConnected("n1")).isFalse();
  }

  @Test
  void aDaemonComesBackToAControllerThatWasAway() throws Exception {
    try (NodeConnection _ = connect("n1")) {
      next(Command.NodeRegistered.class, c -> true);
      int port = server.port();
      server.close();
      next(Command.NodeLost.class, c -> true);
      commands.clear();
      server = listen(port);
      assertThat(next(Command.NodeRegistered.class, c -> true).node()).isEqualTo("n1");
      assertThat(links.isConnected("n1")).isTrue();
    }
  }

  @Test
  void aReportThatIsRefusedIsAnsweredAndTheStreamGoesOn() throws Exception {
    controller.answer(command -> new Reply.Refused(SlurmError.UNSPECIFIED, "not now"));
    try (Spoken spoken = new Spoken(channel)) {
      spoken.say(registered("n1", 1));
      assertThat(spoken.order().getAck().getRefused()).contains("not now");
      controller.answer(command -> new Reply.Done(List.of()));
      spoken.say(heartbeat("n1", 2));
      NodeRpc.NodeOrder.Ack ack = spoken.order().getAck();
      assertThat(ack.getSequence()).isEqualTo(2);
      assertThat(ack.hasRefused()).isFalse();
    }
  }

  @Test
  void onlyNodesOfTheClusterAreServedAndOnlyAfterTheyHaveRegistered() throws Exception {
    try (Spoken spoken = new Spoken(channel)) {
      spoken.say(heartbeat("n1", 1));
      assertThat(spoken.order().getAck().getRefused())
          .isEqualTo("n1 has not registered on this stream");
      spoken.say(registered("n99", 2));
      assertThat(spoken.order().getAck().getRefused()).isEqualTo("no node is called n99");
      spoken.say(NodeRpc.NodeReport.newBuilder().setNode("n1").setSequence(3).build());
      assertThat(spoken.order().getAck().getRefused()).isNotEmpty();
    }
    assertThat(commands).isEmpty();
  }

  @Test
  void aPlainUserMayNotSpeakForANode() throws Exception {
    ControllerChannel users =
        ControllerChannel.open(new Endpoint("127.0.0.1", server.port()), ALICE);
    try (Spoken spoken = new Spoken(users)) {
      Status status = Status.fromThrowable(spoken.failure());
      assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(status.getDescription()).contains("alice may not serve nodes");
    } finally {
      users.close();
    }
    assertThat(commands).isEmpty();
  }

  @Test
  void aSecondDaemonTakesTheNodeOverAndTheFirstOnesEndIsNoLoss() throws Exception {
    try (Spoken second = new Spoken(channel)) {
      Spoken first = new Spoken(channel);
      first.say(registered("n1", 1));
      first.order();
      second.say(registered("n1", 1));
      // The answer, and what settings the controller works with.
      second.order();
      assertThat(second.order().hasSigned()).isTrue();
      commands.clear();
      first.close();
      second.say(heartbeat("n1", 2));
      second.order();
      assertThat(commands).hasSize(1).noneMatch(Command.NodeLost.class::isInstance);
      assertThat(links.isConnected("n1")).isTrue();
    }
  }

  private static NodeRpc.NodeReport registered(String node, long sequence) {
    return NodeRpc.NodeReport.newBuilder()
        .setNode(node)
        .setSequence(sequence)
        .setRegistered(NodeRpc.NodeReport.Registered.newBuilder().setCpus(16))
        .build();
  }

  private static NodeRpc.NodeReport heartbeat(String node, long sequence) {
    return NodeRpc.NodeReport.newBuilder()
        .setNode(node)
        .setSequence(sequence)
        .setHeartbeat(NodeRpc.NodeReport.Heartbeat.getDefaultInstance())
        .build();
  }

  /** A stream spoken by hand. */
  private static final class Spoken implements StreamObserver<NodeRpc.NodeOrder>, AutoCloseable {
    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();
    private final StreamObserver<NodeRpc.NodeReport> reports;

    Spoken(ControllerChannel channel) {
      reports = NodeServiceGrpc.newStub(channel.calls()).serve(this);
    }

    void say(NodeRpc.NodeReport report) {
      reports.onNext(report);
    }

    NodeRpc.NodeOrder order() throws InterruptedException {
      return (NodeRpc.NodeOrder) heard();
    }

    Throwable failure() throws InterruptedException {
      return (Throwable) heard();
    }

    private Object heard() throws InterruptedException {
      Object next = heard.poll(20, TimeUnit.SECONDS);
      if (next == null) {
        throw new AssertionError("nothing was heard");
      }
      return next;
    }

    @Override
    public void onNext(NodeRpc.NodeOrder order) {
      heard.add(order);
    }

    @Override
    public void onError(Throwable failure) {
      heard.add(failure);
    }

    @Override
    public void onCompleted() {}

    @Override
    public void close() {
      try {
        reports.onCompleted();
      } catch (IllegalStateException e) {
        // The stream has failed already.
      }
    }
  }
}
