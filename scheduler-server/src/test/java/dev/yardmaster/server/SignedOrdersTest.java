package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import dev.yardmaster.api.v1.NodeRpc;
import dev.yardmaster.api.v1.NodeServiceGrpc;
import dev.yardmaster.client.ControllerChannel;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.node.Jobs;
import dev.yardmaster.node.NodeDaemon;
import dev.yardmaster.security.Authenticator;
import dev.yardmaster.security.LaunchKey;
import dev.yardmaster.security.LaunchTrust;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node starts what its controller has signed, once, and nothing else. */
class SignedOrdersTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final JobOwner OWNER = new JobOwner("root", 0, "root", 0, "", "", "");

  @TempDir private Path directory;
  private LaunchKey key;

  @BeforeEach
  void make() throws IOException {
    key = LaunchKey.of(directory, directory);
  }

  private OrderCheck check(String node, Instant now, int unproven) throws IOException {
    return new OrderCheck(
        node,
        LaunchTrust.of(conf(), directory.resolve("spool-" + node), unproven),
        InstantSource.fixed(now));
  }

  private Path conf() throws IOException {
    return Files.createDirectories(directory.resolve("etc")).resolve("slurm.conf");
  }

  private Job job() {
    return Jobs.running(7, OWNER, directory.toString());
  }

  private NodeRpc.NodeOrder launch() {
    JobScript script = new JobScript("#!/bin/sh\ntouch ran\n", List.of(), new TreeMap<>());
    return NodeMessages.order(new NodeLink.Outgoing(new Effect.Launch("n1", job()), script));
  }

  private NodeRpc.NodeOrder signed() {
    return new OrderSeal(key, InstantSource.fixed(NOW)).on("n1", launch());
  }

  private static void refused(OrderCheck check, NodeRpc.NodeOrder order, String why) {
    assertThatThrownBy(() -> check.open(order))
        .isInstanceOf(OrderCheck.RefusedException.class)
        .hasMessageContaining(why);
  }

  @Test
  void whatIsSignedIsObeyedOnceAlsoByTheNextDaemon() throws Exception {
    NodeRpc.NodeOrder order = signed();
    OrderCheck check = check("n1", NOW, 0);
    assertThat(check.open(order)).isEqualTo(launch());
    refused(check, order, "obeyed before");
    refused(check("n1", NOW.plusSeconds(60), 0), order, "obeyed before");
    assertThat(check.open(signed())).isEqualTo(launch());
    // The list of what was obeyed does not grow for good.
    OrderSeal later = new OrderSeal(key, InstantSource.fixed(NOW.plusSeconds(600)));
    check("n1", NOW.plusSeconds(600), 0).open(later.on("n1", launch()));
    assertThat(Files.readAllLines(directory.resolve("spool-n1/launch_credentials"))).hasSize(1);
  }

  @Test
  void whatStartsSomethingAndIsNotSignedIsRefusedAndOtherOrdersNeedNoSignature() throws Exception {
    OrderCheck check = check("n1", NOW, 0);
    refused(check, launch(), "has not signed it");
    refused(
        check,
        NodeRpc.NodeOrder.newBuilder()
            .setReboot(NodeRpc.NodeOrder.Reboot.newBuilder().setProgram("/bin/evil"))
            .build(),
        "has not signed it");
    // It tells and makes nothing happen.
    NodeRpc.NodeOrder ack = NodeMessages.ack(3, null);
    assertThat(check.open(ack)).isEqualTo(ack);
    assertThat(new OrderSeal(key, InstantSource.fixed(NOW)).on("n1", ack)).isEqualTo(ack);
  }

  /** Also those kinds that are added to the protocol later. */
  @Test
  void everyKindOfOrderNeedsASignatureAndIsObeyedOnce() throws Exception {
    OrderCheck check = check("n1", NOW, 0);
    OrderSeal seal = new OrderSeal(key, InstantSource.fixed(NOW));
    List<String> seen = new ArrayList<>();
    for (FieldDescriptor kind : NodeRpc.NodeOrder.getDescriptor().getOneofs().get(0).getFields()) {
      if (kind.getName().equals("ack") || kind.getName().equals("signed")) {
        continue;
      }
      seen.add(kind.getName());
      NodeRpc.NodeOrder.Builder builder = NodeRpc.NodeOrder.newBuilder();
      NodeRpc.NodeOrder order =
          builder.setField(kind, builder.newBuilderForField(kind).build()).build();
      refused(check, order, "has not signed it");
      NodeRpc.NodeOrder signed = seal.on("n1", order);
      if (OrderSeal.job(order) == null) {
        assertThat(check.open(signed)).isEqualTo(order);
        refused(check, signed, "obeyed before");
      } else {
        refused(check, signed, "has nodes []");
      }
    }
    assertThat(seen).contains("attach_step", "site_script", "health_check", "terminate");
  }

  @Test
  void whoLooksOnAtAStepLooksAtThatOfTheCredential() throws Exception {
    NodeRpc.NodeOrder attach =
        NodeRpc.NodeOrder.newBuilder()
            .setAttachStep(
                NodeRpc.NodeOrder.AttachStep.newBuilder()
                    .setRun(NodeRpc.Run.newBuilder().setJobId(7)))
            .build();
    NodeRpc.NodeOrder signed = new OrderSeal(key, InstantSource.fixed(NOW)).on("n1", attach);
    NodeRpc.Credential good = NodeRpc.Credential.parseFrom(signed.getSigned().getCredential());
    assertThat(good.getRun().getJobId()).isEqualTo(7);
    refused(
        check("n1", NOW, 0),
        sign(good.toBuilder().setRun(NodeRpc.Run.newBuilder().setJobId(8)).build()),
        "not those of its credential");
  }

  @Test
  void whatSomebodyElseSignedOrChangedIsRefused() throws Exception {
    NodeRpc.SignedOrder good = signed().getSigned();
    NodeRpc.Credential other =
        NodeRpc.Credential.parseFrom(good.getCredential()).toBuilder()
            .setUid(0)
            .setNode("n2")
            .build();
    OrderCheck check = check("n1", NOW, 0);
    refused(
        check,
        wrap(good.toBuilder().setCredential(other.toByteString()).build()),
        "signature is wrong");
    check.open(signed());
    Path theirs = Files.createDirectories(directory.resolve("theirs"));
    OrderSeal forger = new OrderSeal(LaunchKey.of(theirs, theirs), InstantSource.fixed(NOW));
    refused(check, forger.on("n1", launch()), "another key than the first");
  }

  @Test
  void theKeysBesideTheConfigurationAreTheOnlyOnesThatCount() throws Exception {
    Path theirs = Files.createDirectories(directory.resolve("theirs"));
    OrderSeal forger = new OrderSeal(LaunchKey.of(theirs, theirs), InstantSource.fixed(NOW));
    Files.copy(
        directory.resolve("launch_key_pub.pem"), conf().resolveSibling("launch_key_pub.pem"));
    refused(check("n1", NOW, 0), forger.on("n1", launch()), "a key that is not in");
    assertThat(check("n1", NOW, 0).open(signed())).isEqualTo(launch());
  }

  @Test
  void whereConnectionsProveNothingTheFirstKeysAreKept() throws Exception {
    Path theirs = Files.createDirectories(directory.resolve("theirs"));
    OrderSeal forger = new OrderSeal(LaunchKey.of(theirs, theirs), InstantSource.fixed(NOW));
    check("n1", NOW, 1).open(signed());
    OrderCheck next = check("n1", NOW, 1);
    next.newConnection();
    refused(next, forger.on("n1", launch()), "another key than before");
    next.open(signed());
  }

  @Test
  void whatHasEndedOrIsForAnotherNodeJobOrUserIsRefused() throws Exception {
    refused(check("n1", NOW.plusSeconds(120), 0), signed(), "look at the clocks");
    refused(check("n1", NOW.minusSeconds(121), 0), signed(), "look at the clocks");
    refused(check("n2", NOW, 0), signed(), "it is for n1");
    NodeRpc.Credential good = NodeRpc.Credential.parseFrom(signed().getSigned().getCredential());
    OrderCheck check = check("n1", NOW, 0);
    refused(check, sign(good.toBuilder().setUid(99).build()), "not those of its credential");
    refused(
        check,
        sign(good.toBuilder().setRun(NodeRpc.Run.newBuilder().setJobId(8)).build()),
        "not those of its credential");
    refused(check, sign(good.toBuilder().clearNodes().addNodes("n2").build()), "has nodes [n2]");
  }

  private NodeRpc.NodeOrder sign(NodeRpc.Credential credential) {
    return wrap(
        NodeRpc.SignedOrder.newBuilder()
            .setCredential(credential.toByteString())
            .setSignature(ByteString.copyFrom(key.sign(credential.toByteArray())))
            .setKey(ByteString.copyFrom(key.publicKey()))
            .build());
  }

  private static NodeRpc.NodeOrder wrap(NodeRpc.SignedOrder order) {
    return NodeRpc.NodeOrder.newBuilder().setSigned(order).build();
  }

  @Test
  void aKeyThatDoesNotFitIsNamedAtTheStart() throws Exception {
    Path theirs = Files.createDirectories(directory.resolve("theirs"));
    LaunchKey.of(theirs, theirs);
    Files.delete(theirs.resolve("launch_key_pub.pem"));
    Files.copy(directory.resolve("launch_key_pub.pem"), theirs.resolve("launch_key_pub.pem"));
    assertThatThrownBy(() -> LaunchKey.of(theirs, directory))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("does not belong to launch_key_pub.pem");
  }

  /** Whoever can answer in the controller's place still starts nothing. */
  @Test
  void aDaemonStartsNothingForAControllerThatCannotSign() throws Exception {
    ClusterConfig config = TestCluster.config(1, Map.of());
    CompletableFuture<String> seen = new CompletableFuture<>();
    NodeRpc.NodeOrder forged = launch();
    OrderSeal seal = new OrderSeal(key, InstantSource.system());
    NodeServiceGrpc.NodeServiceImplBase impostor = impostor(forged, seal, seen);
    ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    NodeDaemon.Setup setup =
        new NodeDaemon.Setup(
            config.nodes().getFirst(), "lab", directory.resolve("spool"), false, "0.1");
    try (RpcServer server =
            RpcServer.start(
                InetAddress.getLoopbackAddress(),
                0,
                Authenticator.none(),
                new RpcCounts(),
                List.of(impostor));
        ControllerChannel channel =
            ControllerChannel.open(
                new Endpoint("127.0.0.1", server.port()),
                new Credential("root", 0, "root", 0, null));
        NodeDaemon daemon = new NodeDaemon(setup);
        NodeConnection connection =
            new NodeConnection(
                "n1",
                daemon,
                new OrderCheck(
                    "n1",
                    LaunchTrust.of(conf(), directory.resolve("spool"), 0),
                    InstantSource.system()),
                order -> {},
                List.of(channel),
                thread,
                Duration.ofMillis(50))) {
      connection.start();
      // The forged launch came first: the run of the signed one is the only one.
      assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo("[7.1]");
    } finally {
      thread.shutdownNow();
    }
  }

  private static NodeServiceGrpc.NodeServiceImplBase impostor(
      NodeRpc.NodeOrder forged, OrderSeal seal, CompletableFuture<String> seen) {
    return new NodeServiceGrpc.NodeServiceImplBase() {
      @Override
      public StreamObserver<NodeRpc.NodeReport> serve(StreamObserver<NodeRpc.NodeOrder> orders) {
        return new StreamObserver<>() {
          @Override
          public void onNext(NodeRpc.NodeReport report) {
            orders.onNext(NodeMessages.ack(report.getSequence(), null));
            if (report.hasRegistered()) {
              orders.onNext(forged);
              NodeRpc.NodeOrder.Builder good = forged.toBuilder();
              good.getLaunchBuilder().getJobBuilder().setRestarts(1);
              orders.onNext(seal.on("n1", good.build()));
            } else if (report.hasScriptEnded()) {
              NodeRpc.Run run = report.getScriptEnded().getRun();
              seen.complete("[" + run.getJobId() + "." + run.getRestarts() + "]");
            }
          }

          @Override
          public void onError(Throwable failure) {}

          @Override
          public void onCompleted() {
            orders.onCompleted();
          }
        };
      }
    };
  }
}
