package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.yardmaster.api.Headers;
import dev.yardmaster.api.LocalFrames;
import dev.yardmaster.api.LocalFrames.Kind;
import dev.yardmaster.api.LocalFrames.Opening;
import dev.yardmaster.api.LocalSocket;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests and frames that nobody would send, to a whole server: it answers each or ends its
 * connection, fails at none, and goes on serving. How many is the system property {@code
 * yardmaster.fuzz}, the beginning of the random numbers {@code yardmaster.seed}.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class FuzzTest {
  private static final int COUNT = Integer.getInteger("yardmaster.fuzz", 400);
  private static final long SEED = Long.getLong("yardmaster.seed", 1);
  private static final List<String> WORDS =
      List.of(
          "",
          "1",
          "0",
          "-1",
          "4294967295",
          "99999999999999999999",
          "1_1",
          "1_[1-3]",
          "n1",
          "n[1-2]",
          "n[2-1]",
          "n[1-",
          "main",
          "root",
          "all",
          "none",
          "yes",
          "time",
          "nodes",
          "ntasks",
          "array",
          "1-5%2",
          "dependency",
          "afterok:1",
          "gres",
          "gpu:2",
          "mem",
          "10G",
          "state",
          "drain",
          "reason",
          "reservationname",
          "starttime",
          "now",
          "now+1hour",
          "duration",
          "users",
          "partition",
          "priority",
          "nice",
          "KILL",
          "9",
          "a=b",
          "\u0000",
          "é\n\"'\\;%|",
          "\uD83D\uDE00",
          "../../etc/passwd",
          "x".repeat(3000));

  /** A call of the first never ends, one of the second ends the server. */
  private static final Set<String> LASTING = Set.of("Follow", "Shutdown");

  private static final Set<Status.Code> FAULTS =
      Set.of(
          Status.Code.UNKNOWN,
          Status.Code.INTERNAL,
          Status.Code.DEADLINE_EXCEEDED,
          Status.Code.UNAVAILABLE);

  @TempDir private Path directory;
  private final Random random = new Random(SEED);
  private RunningServer server;

  @BeforeEach
  void start() throws Exception {
    Path etc = Files.createDirectory(directory.resolve("etc"));
    Files.writeString(
        etc.resolve("slurm.conf"),
        """
        ClusterName=lab
        SlurmctldHost=localhost(127.0.0.1)
        AuthType=auth/none
        NodeName=n[1-2] CPUs=4 RealMemory=4000
        PartitionName=main Nodes=ALL Default=YES
        """);
    server =
        RunningServer.start(
            new ServerSetup(etc, directory.resolve("state"), true, null, null, 0, false),
            InstantSource.system());
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void stillServes() throws Exception {
    try (SchedulerClient client =
        DefaultSchedulerClient.of(
            new Endpoint("127.0.0.1", server.port()), new Credential("root", 0, "root", 0, null))) {
      assertThat(client.info().cluster()).isEqualTo("lab");
    }
  }

  @Test
  void everyRequestIsAnsweredWhateverItSays() throws Exception {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
    try {
      List<MethodDescriptor<?, ?>> methods =
          SchedulerGrpc.getServiceDescriptor().getMethods().stream()
              .filter(method -> method.getType().clientSendsOneMessage())
              .filter(method -> !LASTING.contains(method.getBareMethodName()))
              .<MethodDescriptor<?, ?>>map(method -> method)
              .toList();
      List<String> faults = new ArrayList<>();
      for (int i = 0; i < COUNT; i++) {
        MethodDescriptor<?, ?> method = methods.get(random.nextInt(methods.size()));
        byte[] request = request(method);
        Status status = call(channel, method.getFullMethodName(), request);
        if (FAULTS.contains(status.getCode())) {
          faults.add(status + " for " + method.getFullMethodName() + " " + text(method, request));
        }
      }
      assertThat(faults).as("faults of the server, not of the request").isEmpty();
      stillServes();
    } finally {
      channel.shutdownNow();
    }
  }

  /** A message with values of all kinds in all fields, one in four with changed bytes. */
  private byte[] request(MethodDescriptor<?, ?> method) {
    byte[] bytes = message(prototype(method).getDescriptorForType(), 0).toByteArray();
    return random.nextInt(4) == 0 ? changed(bytes) : bytes;
  }

  private static Message prototype(MethodDescriptor<?, ?> method) {
    if (method.getRequestMarshaller() instanceof MethodDescriptor.PrototypeMarshaller<?> marshaller
        && marshaller.getMessagePrototype() instanceof Message prototype) {
      return prototype;
    }
    throw new IllegalStateException(method + " takes no message");
  }

  private static String text(MethodDescriptor<?, ?> method, byte[] request) {
    try {
      return prototype(method).getParserForType().parseFrom(request).toString();
    } catch (IOException e) {
      return request.length + " bytes that are no message";
    }
  }

  private DynamicMessage message(Descriptor type, int depth) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      if (depth > 4 || random.nextInt(3) == 0) {
        continue;
      }
      if (field.isRepeated()) {
        for (int i = random.nextInt(4); i > 0; i--) {
          message.addRepeatedField(field, value(field, depth));
        }
      } else {
        message.setField(field, value(field, depth));
      }
    }
    return message.build();
  }

  private Object value(FieldDescriptor field, int depth) {
    return switch (field.getJavaType()) {
      case INT -> number().intValue();
      case LONG -> number();
      case FLOAT -> number().floatValue();
      case DOUBLE -> random.nextBoolean() ? Double.NaN : number().doubleValue();
      case BOOLEAN -> random.nextBoolean();
      case STRING -> WORDS.get(random.nextInt(WORDS.size()));
      case BYTE_STRING -> ByteString.copyFromUtf8(WORDS.get(random.nextInt(WORDS.size())));
      case ENUM ->
          field
              .getEnumType()
              .getValues()
              .get(random.nextInt(field.getEnumType().getValues().size()));
      case MESSAGE -> message(field.getMessageType(), depth + 1);
    };
  }

  private Long number() {
    return switch (random.nextInt(5)) {
      case 0 -> 0L;
      case 1 -> (long) random.nextInt(10);
      case 2 -> (long) random.nextInt();
      case 3 -> -1L;
      default -> random.nextLong();
    };
  }

  private byte[] changed(byte[] bytes) {
    byte[] changed = bytes.clone();
    if (changed.length == 0) {
      return new byte[] {(byte) random.nextInt()};
    }
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }
    return random.nextInt(4) == 0
        ? Arrays.copyOf(changed, random.nextInt(changed.length + 1))
        : changed;
  }

  private Status call(ManagedChannel channel, String method, byte[] request) throws Exception {
    MethodDescriptor<byte[], byte[]> raw =
        MethodDescriptor.<byte[], byte[]>newBuilder()
            .setType(MethodDescriptor.MethodType.SERVER_STREAMING)
            .setFullMethodName(method)
            .setRequestMarshaller(new Raw())
            .setResponseMarshaller(new Raw())
            .build();
    ClientCall<byte[], byte[]> call = channel.newCall(raw, CallOptions.DEFAULT);
    CompletableFuture<Status> ended = new CompletableFuture<>();
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onClose(Status status, Metadata trailers) {
            ended.complete(status);
          }
        },
        headers());
    call.request(Integer.MAX_VALUE);
    call.sendMessage(request);
    call.halfClose();
    try {
      return ended.get(30, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      call.cancel("no answer", null);
      return Status.DEADLINE_EXCEEDED;
    }
  }

  private static Metadata headers() {
    Metadata headers = new Metadata();
    headers.put(Headers.CONTRACT, Headers.CONTRACT_VERSION);
    headers.put(Headers.IDENTITY, "root:0:root:0");
    return headers;
  }

  /** Bytes as they are. */
  private static final class Raw implements MethodDescriptor.Marshaller<byte[]> {
    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      try {
        return stream.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Test
  void noFrameOnTheLocalSocketStopsIt() throws Exception {
    Path path =
        LocalSocket.candidates("127.0.0.1", server.port()).stream()
            .filter(Files::exists)
            .findFirst()
            .orElse(null);
    assumeTrue(path != null, "no local socket here");
    int before = Thread.activeCount();
    List<SocketChannel> left = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      SocketChannel socket = SocketChannel.open(StandardProtocolFamily.UNIX);
      socket.connect(UnixDomainSocketAddress.of(path));
      try {
        socket.write(ByteBuffer.wrap(frames()));
      } catch (IOException e) {
        // The server has ended the connection, as it may.
        assertThat(e).hasMessageMatching("(?i).*(broken pipe|reset).*");
      }
      if (random.nextInt(10) == 0) {
        left.add(socket);
      } else {
        socket.close();
      }
    }
    stillServes();
    for (SocketChannel socket : left) {
      socket.close();
    }
    stillServes();
    assertThat(Thread.activeCount()).as("threads").isLessThan(before + 50);
  }

  private byte[] frames() {
    String method =
        random.nextBoolean()
            ? SchedulerGrpc.getInfoMethod().getFullMethodName()
            : "yardmaster/None";
    byte[] opening = LocalFrames.open(new Opening(method, headers()));
    byte[] request =
        message(prototype(SchedulerGrpc.getSubmitMethod()).getDescriptorForType(), 0).toByteArray();
    byte[] run =
        String.join(
                "\0", List.of("1", "/tmp", "", "root", "0", "root", "0", "2", "squeue", "-l", ""))
            .getBytes(StandardCharsets.UTF_8);
    byte[] all =
        switch (random.nextInt(5)) {
          case 0 -> join(opening, LocalFrames.frame(Kind.MESSAGE, request), end());
          case 1 -> join(opening, end(), opening);
          case 2 -> LocalFrames.frame(Kind.RUN, run);
          case 3 -> LocalFrames.frame(Kind.RUN, changed(run));
          default -> {
            byte[] noise = new byte[random.nextInt(2000)];
            random.nextBytes(noise);
            yield noise;
          }
        };
    return random.nextBoolean() ? changed(all) : all;
  }

  private static byte[] end() {
    return LocalFrames.frame(Kind.END, new byte[0]);
  }

  private static byte[] join(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  @Test
  void noBytesOnThePortStopIt() throws Exception {
    byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < COUNT; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        OutputStream out = socket.getOutputStream();
        if (random.nextInt(4) > 0) {
          out.write(preface);
          out.write(new byte[] {0, 0, 0, 4, 0, 0, 0, 0, 0});
        }
        for (int frame = random.nextInt(5); frame >= 0; frame--) {
          byte[] body = new byte[random.nextInt(200)];
          random.nextBytes(body);
          int length = random.nextInt(4) == 0 ? random.nextInt(1 << 24) : body.length;
          out.write(new byte[] {(byte) (length >> 16), (byte) (length >> 8), (byte) length});
          out.write(random.nextInt(12));
          out.write(random.nextInt(256));
          out.write(new byte[] {0, 0, 0, (byte) random.nextInt(6)});
          out.write(body);
        }
        out.flush();
      } catch (IOException e) {
        // The server has ended the connection, as it may.
        assertThat(e).hasMessageMatching("(?i).*(broken pipe|reset|closed).*");
      }
    }
    stillServes();
  }
}
