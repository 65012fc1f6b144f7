package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.api.Headers;
import dev.yardmaster.api.LocalFrames;
import dev.yardmaster.api.LocalFrames.Closing;
import dev.yardmaster.api.LocalFrames.Frame;
import dev.yardmaster.api.LocalFrames.Kind;
import dev.yardmaster.api.LocalFrames.Opening;
import dev.yardmaster.api.LocalSocket;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.security.Authenticator;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The local socket with real connections; answers of the service are written by hand. */
@Timeout(60)
class LocalServerTest {
  private static final int LONGEST = 1 << 24;
  private static final int SELF = LocalSocket.owner(Path.of("/proc/self"));
  private static final String READ = SchedulerGrpc.getReadMethod().getFullMethodName();
  private static final String INFO = SchedulerGrpc.getInfoMethod().getFullMethodName();

  private final Service service = new Service();
  private RpcServer server;

  /** Refuses Info by saying who called, never answers Config, and streams in Read. */
  private static final class Service extends SchedulerGrpc.SchedulerImplBase {
    private volatile int updates = 1;
    private volatile String text = "";

    @Override
    public void info(Rpc.InfoRequest request, StreamObserver<Rpc.ClusterInfo> answer) {
      Metadata trailers = new Metadata();
      trailers.put(Headers.ERROR_NUMBER, "2042");
      trailers.put(Headers.ERROR_DETAIL, "peer ñ".getBytes(StandardCharsets.UTF_8));
      throw Status.FAILED_PRECONDITION
          .withDescription("called by " + Authenticator.caller().user())
          .asRuntimeException(trailers);
    }

    @Override
    public void config(Rpc.ConfigRequest request, StreamObserver<Rpc.ConfigReply> answer) {
      // Left without an answer.
    }

    @Override
    public void readScript(Rpc.ScriptRequest request, StreamObserver<Wire.Script> answer) {
      answer.onNext(Wire.Script.newBuilder().setScript(text).build());
      answer.onCompleted();
    }

    @Override
    public void read(Rpc.Selection request, StreamObserver<Rpc.Update> answer) {
      Rpc.Update update = Rpc.Update.newBuilder().setSequence(7).build();
      // From another thread, as the controller answers.
      new Thread(
              () -> {
                for (int i = 0; i < updates; i++) {
                  answer.onNext(update);
                }
                answer.onCompleted();
              })
          .start();
    }
  }

  @BeforeEach
  void start() throws IOException {
    assumeTrue(SELF >= 0, "needs /proc");
    server = start(0);
  }

  private RpcServer start(int port) throws IOException {
    return RpcServer.start(
        InetAddress.getLoopbackAddress(),
        port,
        Authenticator.none(),
        new RpcCounts(),
        List.of(service));
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  private SocketChannel connect() {
    return Objects.requireNonNull(
        LocalSocket.connect("127.0.0.1", server.port(), Set.of(SELF)), "no local socket");
  }

  private SchedulerClient client(Duration deadline) throws ClientException {
    return DefaultSchedulerClient.of(
        new Endpoint("127.0.0.1", server.port()), Credential.ofProcess(null), deadline);
  }

  private List<Frame> answer(byte[]... frames) throws IOException {
    try (SocketChannel socket = connect()) {
      LocalFrames connection = new LocalFrames(socket, LONGEST);
      connection.send(frames);
      List<Frame> answer = new ArrayList<>();
      Frame frame = connection.receive();
      while (frame != null) {
        answer.add(frame);
        frame = connection.receive();
      }
      return answer;
    }
  }

  private static byte[] open(String method, String identity) {
    Metadata headers = new Metadata();
    headers.put(Headers.CONTRACT, Headers.CONTRACT_VERSION);
    headers.put(Headers.IDENTITY, identity);
    return LocalFrames.open(new Opening(method, headers));
  }

  private static final byte[] NOTHING = LocalFrames.frame(Kind.MESSAGE, new byte[0]);
  private static final byte[] END = LocalFrames.frame(Kind.END, new byte[0]);

  @Test
  void aRefusalArrivesWithItsNumberAndDetail() throws ClientException {
    try (SchedulerClient client = client(Duration.ofSeconds(20))) {
      assertThatThrownBy(client::info)
          .isInstanceOfSatisfying(
              ClientException.Refused.class,
              refused -> {
                assertThat(refused.number()).isEqualTo(2042);
                assertThat(refused.detail()).isEqualTo("peer ñ");
                assertThat(refused.getMessage()).contains("called by ");
              });
    }
  }

  @Test
  void anAnswerOfManyPartsArrivesWhole() throws IOException {
    service.updates = 5000;
    List<Frame> answer = answer(open(READ, "u:" + SELF + ":g:" + SELF), NOTHING, END);
    assertThat(answer).hasSize(5001);
    assertThat(answer.getLast().kind()).isEqualTo(Kind.CLOSE);
    assertThat(LocalFrames.closing(answer.getLast().content()).status().isOk()).isTrue();
  }

  @Test
  void aLargeAnswerArrivesWhole() throws ClientException {
    service.text = "#!/bin/sh\n" + "é".repeat(3 << 20);
    try (SchedulerClient client = client(Duration.ofSeconds(20))) {
      assertThat(client.script("1").script()).isEqualTo(service.text);
    }
  }

  @Test
  void aCallWithoutAnAnswerEndsAtItsDeadline() throws ClientException {
    try (SchedulerClient client = client(Duration.ofMillis(200))) {
      assertThatThrownBy(client::config)
          .isInstanceOfSatisfying(
              ClientException.Unreachable.class,
              late -> assertThat(late.isLate()).as("it may have had its effect").isTrue())
          .hasMessageContaining("did not answer in time");
    }
  }

  @Test
  void aMethodThatDoesNotExistIsRefused() throws IOException {
    List<Frame> answer = answer(open("yardmaster.Nothing/Here", "u:1:g:1"), NOTHING, END);
    Closing closing = LocalFrames.closing(answer.getLast().content());
    assertThat(closing.status().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  @Test
  void onlyRootActsAsAnother() throws IOException {
    List<Frame> answer = answer(open(INFO, "u:" + (SELF + 1) + ":g:1"), NOTHING, END);
    Closing closing = LocalFrames.closing(answer.getLast().content());
    assertThat(closing.status().getCode())
        .isEqualTo(SELF == 0 ? Status.Code.FAILED_PRECONDITION : Status.Code.UNAUTHENTICATED);
  }

  static Stream<byte[]> nonsense() {
    byte[] huge = ByteBuffer.allocate(5).put((byte) 0).putInt(Integer.MAX_VALUE).array();
    byte[] negative = ByteBuffer.allocate(5).put((byte) 0).putInt(-1).array();
    byte[] half = ByteBuffer.allocate(9).put((byte) 0).putInt(100).putInt(7).array();
    return Stream.of(
        new byte[0],
        "GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8),
        new byte[] {9, 0, 0, 0, 0},
        huge,
        negative,
        half,
        LocalFrames.frame(Kind.OPEN, new byte[0]),
        LocalFrames.frame(Kind.OPEN, new byte[] {0, 3, 'a', 'b', 'c', 0, 1, 'n', 127, 0, 0, 0}),
        LocalFrames.frame(Kind.OPEN, new byte[] {0, 1, 'a', 0, 2, '-', ' ', 0, 0, 0, 0, 0, 0}),
        NOTHING,
        END);
  }

  @ParameterizedTest
  @MethodSource("nonsense")
  void nonsenseEndsItsOwnConnectionOnly(byte[] bytes) throws IOException {
    try (SocketChannel socket = connect()) {
      socket.write(ByteBuffer.wrap(bytes));
      socket.shutdownOutput();
      assertThat(socket.read(ByteBuffer.allocate(100))).isLessThanOrEqualTo(0);
    }
    assertThat(answer(open(READ, "u:" + SELF + ":g:1"), NOTHING, END)).hasSize(2);
  }

  @Test
  void whoDoesNotReadHoldsUpNobody() throws IOException {
    service.updates = 500_000;
    try (SocketChannel slow = connect()) {
      new LocalFrames(slow, LONGEST).send(open(READ, "u:" + SELF + ":g:1"), NOTHING, END);
      service.updates = 1;
      assertThat(answer(open(READ, "u:" + SELF + ":g:1"), NOTHING, END)).hasSize(2);
    }
  }

  @Test
  void aSocketOfAnotherUserIsNotTrusted() {
    assertThat(LocalSocket.connect("127.0.0.1", server.port(), Set.of(SELF + 1))).isNull();
    assertThat(LocalSocket.connect("elsewhere", server.port(), Set.of(SELF))).isNull();
  }

  @Test
  void whereTheServerWasKilledThePortIsAsked() throws IOException, ClientException {
    Path path =
        LocalSocket.candidates("127.0.0.1", server.port()).stream()
            .filter(Files::exists)
            .findFirst()
            .get();
    int port = server.port();
    server.close();
    assertThat(path).doesNotExist();
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(path));
    }
    assertThat(path).exists();
    SocketChannel socket = LocalSocket.connect("127.0.0.1", port, Set.of(SELF));
    assertThat(socket).isNull();
    server = start(port);
    try (SchedulerClient client = client(Duration.ofSeconds(20))) {
      assertThatThrownBy(client::info).isInstanceOf(ClientException.Refused.class);
    }
  }
}
