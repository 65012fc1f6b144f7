package dev.yardmaster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Tls;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.server.ScriptedController;
import dev.yardmaster.server.TestServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who gets in where nobody is believed without proof, over real sockets and real TLS. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class ProofsTest {
  @TempDir private static Path folder;
  private static TestCertificates own;
  private static TestCertificates others;

  private final ScriptedController controller = new ScriptedController(Lab.sixNodes().state());

  @BeforeAll
  static void make() throws Exception {
    own = TestCertificates.in(folder.resolve("own"));
    others = TestCertificates.in(folder.resolve("others"));
  }

  private static Proofs proofs(Map<String, String> more) throws IOException {
    Map<String, String> all = new java.util.TreeMap<>(more);
    all.putIfAbsent("TLSType", "tls/s2n");
    all.putIfAbsent("AuthAltTypes", "auth/jwt");
    Function<String, Optional<String>> settings = key -> Optional.ofNullable(all.get(key));
    ServerTls tls =
        ServerTls.isWanted(settings, own.folder(), "ctl(127.0.0.1)", false)
            ? ServerTls.find(
                settings,
                "test",
                List.of("ctl(127.0.0.1)"),
                own.folder(),
                folder,
                true,
                Instant.now())
            : null;
    return Proofs.of(settings, tls, folder);
  }

  private TestServer serve() throws IOException {
    return TestServer.of(controller, Authenticator.none().with(proofs(Map.of())));
  }

  private static Endpoint at(TestServer server, @Nullable Tls tls) {
    return new Endpoint("127.0.0.1", server.endpoint().port(), tls);
  }

  private static Tls shown(TestCertificates by, String name) {
    return new Tls(
        own.file("ca_cert.pem"), by.file(name + "_cert.pem"), by.file(name + "_cert_key.pem"));
  }

  /** A user whom the local socket would not take, so that the call goes over the network. */
  private static Credential stranger(@Nullable String token) {
    return new Credential("nobody", 65534, "nogroup", 65534, token);
  }

  private static SchedulerClient client(TestServer server, @Nullable Tls tls, Credential who) {
    return DefaultSchedulerClient.of(at(server, tls), who);
  }

  /** A call that never takes the local socket. */
  private static void call(TestServer server, @Nullable Tls tls, @Nullable String token)
      throws Exception {
    try (SchedulerClient client = client(server, tls, stranger(token));
        var stream = client.submissions()) {
      stream
          .submit(
              new dev.yardmaster.model.JobSubmission(
                  dev.yardmaster.model.Immutable.sortedMap(Map.of("time", "1")),
                  "#!/bin/sh\n",
                  List.of(),
                  dev.yardmaster.model.Immutable.sortedMap(Map.of("A", "b")),
                  "j",
                  "sbatch j",
                  "/tmp",
                  "localhost"))
          .get(20, TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException e) {
      if (e.getCause() instanceof ClientException cause) {
        throw cause;
      }
      throw e;
    }
  }

  private String caller() {
    var command = (dev.yardmaster.controller.Command.Submit) controller.taken().getLast();
    return command.by().user();
  }

  private static void answerAll(ScriptedController controller) {
    controller.answer(c -> new dev.yardmaster.controller.Reply.Submitted(1, List.of()));
  }

  @Test
  void whoShowsACertificateOfTheClusterIsBelievedAndWhoShowsNothingIsNot() throws Exception {
    answerAll(controller);
    try (TestServer server = serve()) {
      call(server, shown(own, "slurmd"), null);
      assertThat(caller()).isEqualTo("nobody");
      assertThatThrownBy(() -> call(server, new Tls(own.file("ca_cert.pem"), null, null), null))
          .isInstanceOf(ClientException.NotAuthenticated.class)
          .hasMessageContaining("SLURM_JWT");
      assertThatThrownBy(() -> call(server, shown(others, "slurmd"), null))
          .isInstanceOf(ClientException.class);
      assertThat(controller.taken()).isEmpty();
    }
  }

  @Test
  void aTokenTellsWhoCallsWhateverTheCallSays() throws Exception {
    answerAll(controller);
    Tls plain = new Tls(own.file("ca_cert.pem"), null, null);
    try (TestServer server = serve()) {
      TokenKey key = TokenKey.in(folder);
      call(server, plain, key.sign("root", Instant.now(), 60));
      assertThat(caller()).isEqualTo("root");
      assertThatThrownBy(
              () -> call(server, plain, key.sign("root", Instant.now().minusSeconds(99), 60)))
          .isInstanceOf(ClientException.NotAuthenticated.class)
          .hasMessageContaining("it has ended");
      assertThatThrownBy(
              () -> call(server, plain, TokenKey.random().sign("root", Instant.now(), 60)))
          .hasMessageContaining("its signature is wrong");
      assertThatThrownBy(
              () -> call(server, plain, key.sign("no-such-user-here", Instant.now(), 60)))
          .hasMessageContaining("not known on this machine");
    }
  }

  @Test
  void aServerWithAnotherAuthoritysCertificateOrWithoutTlsIsNotTalkedTo() throws Exception {
    answerAll(controller);
    try (TestServer server = serve();
        TestServer open = TestServer.of(controller, Authenticator.none())) {
      Tls wrong = new Tls(others.file("ca_cert.pem"), null, null);
      assertThatThrownBy(() -> call(server, wrong, null)).isInstanceOf(ClientException.class);
      assertThatThrownBy(() -> call(server, null, null)).isInstanceOf(ClientException.class);
      assertThatThrownBy(() -> call(open, shown(own, "slurmd"), null))
          .isInstanceOf(ClientException.class);
      assertThat(controller.taken()).isEmpty();
    }
  }

  /** Garbage, half a handshake, silence and a flood of connections. */
  @Test
  void whoDoesNotSpeakProperlyKeepsNobodyElseFromBeingServed() throws Exception {
    answerAll(controller);
    List<Socket> sockets = new ArrayList<>();
    try (TestServer server = serve();
        TestServer open = TestServer.of(controller, Authenticator.none())) {
      for (int port : List.of(server.endpoint().port(), open.endpoint().port())) {
        for (int i = 0; i < 200; i++) {
          Socket socket = new Socket("127.0.0.1", port);
          sockets.add(socket);
          OutputStream out = socket.getOutputStream();
          switch (i % 4) {
            case 0 -> out.write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            case 1 -> out.write(new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc});
            case 2 ->
                out.write(
                    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\0\377\377\0\1" + "x".repeat(70_000))
                        .getBytes(StandardCharsets.ISO_8859_1));
            default -> {}
          }
        }
      }
      call(server, shown(own, "slurmd"), null);
      call(open, null, null);
      assertThat(controller.taken()).hasSize(2);
      // What is no HTTP/2 is shown the door.
      sockets.getFirst().setSoTimeout(20_000);
      InputStream in = sockets.getFirst().getInputStream();
      assertThat(in.readAllBytes().length).isLessThan(1_000);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void aMissingFileOrAKeyThatOthersMayReadKeepsTheServerFromStarting() throws Exception {
    assertThatThrownBy(() -> proofs(Map.of("TLSParameters", "ca_cert_file=/no/such.pem")))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "/no/such.pem cannot be read, and TLS needs it; yardmaster certificates makes it, or"
                + " TLSParameters=ca_cert_file=FILE names another");
    Path key = Files.copy(own.file("ctld_cert_key.pem"), folder.resolve("open.pem"));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> proofs(Map.of("TLSParameters", "ctld_cert_key_file=" + key)))
        .hasMessage(key + " may be read by everybody; chmod 600 it");
    assertThat(proofs(Map.of("TLSType", "tls/none")).tls()).isNull();
    assertThat(proofs(Map.of("AuthType", "auth/none")).strict()).isFalse();
  }
}
