package dev.yardmaster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.StepChannel;
import dev.yardmaster.client.StepListener;
import dev.yardmaster.client.StepTls;
import dev.yardmaster.client.Tls;
import dev.yardmaster.model.ExitCode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The streams of a step between a node and srun, over real sockets and real TLS. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class StepStreamsTest {
  @TempDir private Path folder;
  private Tls node;
  private Tls stranger;
  private final Heard heard = new Heard();

  @BeforeEach
  void issue() throws IOException {
    node = issued("own");
    stranger = issued("other");
    StepTls.show(node);
  }

  @AfterEach
  void forget() {
    StepTls.show(null);
  }

  private Tls issued(String name) throws IOException {
    Path to = Files.createDirectories(folder.resolve(name));
    Authority.in(to, name, Instant.now()).issue(to, "slurmd", "slurmd", List.of(), Instant.now());
    return new Tls(
        to.resolve("ca_cert.pem"),
        to.resolve("slurmd_cert.pem"),
        to.resolve("slurmd_cert_key.pem"));
  }

  /** Everything that srun hears, in the order in which it comes. */
  private static final class Heard implements StepListener.Output {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    String next() throws InterruptedException {
      return String.valueOf(lines.poll(20, TimeUnit.SECONDS));
    }

    @Override
    public void connected(String node) {
      lines.add("connected " + node);
    }

    @Override
    public void written(int task, boolean error, byte[] bytes) {
      lines.add(task + " " + new String(bytes, StandardCharsets.UTF_8));
    }

    @Override
    public void exited(String node, int task, ExitCode exit) {
      lines.add(task + " exited " + exit.code());
    }

    @Override
    public boolean lost(String node) {
      lines.add("lost " + node);
      return false;
    }
  }

  private StepListener srun() throws IOException {
    Tls user = new Tls(node.authority(), null, null);
    return new StepListener(heard, new Endpoint("127.0.0.1", 6817, user));
  }

  private static StepChannel connect(StepListener to) throws IOException {
    return StepChannel.connect(to.host(), to.port(), to.key(), "n1");
  }

  @Test
  void whatATaskWritesIsEncryptedAndComesWhole() throws Exception {
    try (StepListener srun = srun();
        Tap tap = new Tap(srun.port());
        StepChannel channel = StepChannel.connect(srun.host(), tap.port(), srun.key(), "n1")) {
      assertThat(heard.next()).isEqualTo("connected n1");
      channel.send(StepChannel.Kind.OUT, 3, "password".getBytes(StandardCharsets.UTF_8));
      assertThat(heard.next()).isEqualTo("3 password");
      srun.input(-1, "answer".getBytes(StandardCharsets.UTF_8), 6);
      assertThat(Objects.requireNonNull(channel.receive()).text()).isEqualTo("answer");
      channel.sendExit(3, 7, 0);
      channel.finish();
      assertThat(heard.next()).isEqualTo("3 exited 7");
      assertThat(heard.next()).isEqualTo("lost n1");
      assertThat(channel.receive()).isNull();
      assertThat(tap.seen())
          .doesNotContain("password", "answer", "n1", srun.key().substring(4, 20));
    }
  }

  @Test
  void aNodeOfAnotherAuthorityIsNotListenedTo() throws Exception {
    StepTls.show(stranger);
    try (StepListener srun = srun()) {
      assertThatThrownBy(() -> connect(srun)).isInstanceOf(IOException.class);
      StepTls.show(node);
      try (StepChannel good = connect(srun)) {
        assertThat(heard.next()).isEqualTo("connected n1");
        good.finish();
      }
    }
  }

  @Test
  void aNodeTalksToNobodyWhoDoesNotKnowTheSecret() throws Exception {
    try (StepListener other = srun();
        StepListener srun = srun()) {
      assertThatThrownBy(() -> StepChannel.connect(other.host(), other.port(), srun.key(), "n1"))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("is not the srun of the step");
    }
    assertThat(heard.lines).isEmpty();
  }

  @Test
  void withoutACertificateANodeCarriesNothingEncryptedAndWithOneNothingPlainToOtherMachines()
      throws Exception {
    try (StepListener srun = srun();
        StepListener plain = new StepListener(heard)) {
      try (StepChannel channel = connect(plain)) {
        assertThat(heard.next()).isEqualTo("connected n1");
        channel.finish();
      }
      try (ServerSocket elsewhere = new ServerSocket(0, 1, InetAddress.getByName("0.0.0.0"))) {
        String address = "0.0.0.0";
        assertThatThrownBy(
                () -> StepChannel.connect(address, elsewhere.getLocalPort(), "secret", "n1"))
            .hasMessageContaining("has no ca_cert.pem");
      }
      StepTls.show(null);
      assertThatThrownBy(() -> connect(srun)).hasMessageContaining("no slurmd_cert.pem");
    }
  }

  /** Passes everything on, and keeps what it saw. */
  private static final class Tap implements AutoCloseable {
    private final ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final StringBuffer seen = new StringBuffer();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    Tap(int to) throws IOException {
      Thread.ofVirtual().start(() -> serve(to));
    }

    int port() {
      return server.getLocalPort();
    }

    private void serve(int to) {
      try (Socket node = server.accept();
          Socket srun = new Socket(InetAddress.getLoopbackAddress(), to)) {
        Thread back = Thread.ofVirtual().start(() -> pass(srun, node));
        pass(node, srun);
        back.join();
      } catch (IOException | InterruptedException e) {
        seen.append(e);
      } finally {
        ended.complete(null);
      }
    }

    private void pass(Socket from, Socket to) {
      byte[] buffer = new byte[4096];
      try {
        OutputStream out = to.getOutputStream();
        for (int n = from.getInputStream().read(buffer);
            n >= 0;
            n = from.getInputStream().read(buffer)) {
          seen.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
          out.write(buffer, 0, n);
        }
        to.shutdownOutput();
      } catch (IOException e) {
        // One side has gone.
        return;
      }
    }

    String seen() throws Exception {
      ended.get(20, TimeUnit.SECONDS);
      return seen.toString();
    }

    @Override
    public void close() throws IOException {
      server.close();
    }
  }
}
