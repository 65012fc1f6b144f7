package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import dev.yardmaster.api.Headers;
import dev.yardmaster.api.LocalFrames;
import dev.yardmaster.api.LocalFrames.Frame;
import dev.yardmaster.api.LocalFrames.Kind;
import dev.yardmaster.api.LocalFrames.Opening;
import dev.yardmaster.api.LocalSocket;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.node.Jobs;
import dev.yardmaster.security.Authenticator;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who asks for much and does not read it costs a few parts of it, and others are served. */
@Timeout(120)
class SlowReadersTest {
  private static final int JOBS = 600;
  private static final String COMMENT = "x".repeat(100_000);
  private static final int SELF = LocalSocket.owner(Path.of("/proc/self"));
  private static final String ALL = "REQUEST_JOB_INFO";

  private TestServer server;

  @BeforeEach
  void serve() throws IOException {
    ClusterState state = ClusterState.initial(TestCluster.config(2, Map.of()), TestCluster.NOW);
    JobOwner owner = new JobOwner("root", 0, "root", 0, "", "", "");
    for (int id = 1; id <= JOBS; id++) {
      Job job = Jobs.running(id, owner, "/").with(j -> j.comment(COMMENT));
      state = state.apply(new Event.JobSubmitted(TestCluster.NOW, job));
    }
    server = TestServer.of(new ScriptedController(state), InstantSource.system(), ZoneOffset.UTC);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** How many requests for all jobs have been dealt with, as another caller is told. */
  private long done() throws Exception {
    try (SchedulerClient client =
        DefaultSchedulerClient.of(
            server.endpoint(),
            new Credential("root", 0, "root", 0, null),
            Duration.ofSeconds(20))) {
      return client.diagnose().byType().stream()
          .filter(calls -> calls.name().equals(ALL))
          .mapToLong(calls -> calls.count())
          .sum();
    }
  }

  private void awaitDone() throws Exception {
    while (done() == 0) {
      Thread.sleep(20);
    }
  }

  private static Metadata headers() {
    Metadata headers = new Metadata();
    headers.put(Headers.CONTRACT, Headers.CONTRACT_VERSION);
    headers.put(Headers.IDENTITY, "root:0:root:0");
    return headers;
  }

  private static final Rpc.Selection EVERYTHING =
      Rpc.Selection.newBuilder().setJobs(Rpc.Selection.Jobs.ALL_JOBS).build();

  /** Counts what arrives. */
  private static final class Reader extends ClientCall.Listener<Rpc.Update> {
    private final AtomicInteger jobs = new AtomicInteger();
    private final CompletableFuture<Boolean> begun = new CompletableFuture<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();

    @Override
    public void onMessage(Rpc.Update update) {
      jobs.addAndGet(update.getJobsCount());
      begun.complete(true);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }
  }

  @Test
  void overThePortAPartWaitsForTheReader() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.endpoint().port())
            .usePlaintext()
            .maxInboundMessageSize(64 << 20)
            .build();
    try {
      ClientCall<Rpc.Selection, Rpc.Update> call =
          channel.newCall(SchedulerGrpc.getReadMethod(), CallOptions.DEFAULT);
      Reader reader = new Reader();
      call.start(reader, headers());
      call.sendMessage(EVERYTHING);
      call.halfClose();
      call.request(1);
      reader.begun.get(30, TimeUnit.SECONDS);
      // Time in which the whole answer would be made several times.
      for (int i = 0; i < 20; i++) {
        assertThat(done()).isZero();
        Thread.sleep(50);
      }
      call.request(Integer.MAX_VALUE);
      assertThat(reader.end.get(60, TimeUnit.SECONDS).getCode()).isEqualTo(Status.Code.OK);
      assertThat(reader.jobs).hasValue(JOBS);
      awaitDone();
    } finally {
      channel.shutdownNow();
    }
  }

  @Test
  void overTheLocalSocketAPartWaitsForTheReader() throws Exception {
    assumeTrue(SELF >= 0, "needs /proc");
    try (SocketChannel socket =
        Objects.requireNonNull(
            LocalSocket.connect("127.0.0.1", server.endpoint().port(), Set.of(SELF)))) {
      Metadata headers = new Metadata();
      headers.put(Headers.CONTRACT, Headers.CONTRACT_VERSION);
      headers.put(Headers.IDENTITY, "u:" + SELF + ":g:" + SELF);
      LocalFrames frames = new LocalFrames(socket, 64 << 20);
      frames.send(
          LocalFrames.open(new Opening(SchedulerGrpc.getReadMethod().getFullMethodName(), headers)),
          LocalFrames.frame(Kind.MESSAGE, EVERYTHING.toByteArray()),
          LocalFrames.frame(Kind.END, new byte[0]));
      Frame frame = frames.receive();
      for (int i = 0; i < 20; i++) {
        assertThat(done()).isZero();
        Thread.sleep(50);
      }
      int jobs = 0;
      while (frame != null && frame.kind() == Kind.MESSAGE) {
        jobs += Rpc.Update.parseFrom(ByteString.copyFrom(frame.content())).getJobsCount();
        frame = frames.receive();
      }
      assertThat(jobs).isEqualTo(JOBS);
      Frame last = Objects.requireNonNull(frame);
      assertThat(LocalFrames.closing(last.content()).status().isOk()).isTrue();
      awaitDone();
    }
  }

  @Test
  void whoGoesAwayOrTakesNothingIsGivenUp() throws Exception {
    CompletableFuture<Status> given = new CompletableFuture<>();
    SchedulerGrpc.SchedulerImplBase service =
        new SchedulerGrpc.SchedulerImplBase() {
          @Override
          public void read(Rpc.Selection request, StreamObserver<Rpc.Update> answer) {
            Rpc.Update part =
                Rpc.Update.newBuilder()
                    .setInfo(Rpc.ClusterInfo.newBuilder().setHost(COMMENT))
                    .build();
            ((ServerCallStreamObserver<Rpc.Update>) answer).setOnCancelHandler(() -> {});
            Paced<Rpc.Update> paced = new Paced<>(answer, Duration.ofMillis(300));
            try {
              while (true) {
                paced.accept(part);
              }
            } catch (StatusRuntimeException e) {
              given.complete(e.getStatus());
              answer.onError(e);
            }
          }
        };
    try (RpcServer other =
        RpcServer.start(
            InetAddress.getLoopbackAddress(),
            0,
            Authenticator.none(),
            new RpcCounts(),
            List.of(service))) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress(
                  new Endpoint("127.0.0.1", other.port()).host(), other.port())
              .usePlaintext()
              .build();
      try {
        ClientCall<Rpc.Selection, Rpc.Update> call =
            channel.newCall(SchedulerGrpc.getReadMethod(), CallOptions.DEFAULT);
        call.start(new Reader(), headers());
        call.sendMessage(EVERYTHING);
        call.halfClose();
        assertThat(given.get(30, TimeUnit.SECONDS).getCode())
            .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      } finally {
        channel.shutdownNow();
      }
    }
  }
}
