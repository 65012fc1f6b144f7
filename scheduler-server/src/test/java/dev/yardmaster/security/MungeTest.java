package dev.yardmaster.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.Munge;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.server.ScriptedController;
import dev.yardmaster.server.TestServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** auth/munge against a munged of its own, where the package munge is installed. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class MungeTest {
  private static final Path DAEMON = Path.of("/usr/sbin/munged");

  @TempDir private static Path folder;
  private static @Nullable Process daemon;
  private static Munge munge;

  @BeforeAll
  static void start() throws Exception {
    assumeThat(Files.isExecutable(DAEMON)).as("the package munge is installed").isTrue();
    run("mungekey", "--create", "--keyfile=" + folder.resolve("key"));
    Path socket = folder.resolve("socket");
    munge = new Munge(socket.toString());
    daemon =
        new ProcessBuilder(
                DAEMON.toString(),
                "--foreground",
                "--force",
                "--socket=" + socket,
                "--key-file=" + folder.resolve("key"),
                "--pid-file=" + folder.resolve("pid"),
                "--log-file=" + folder.resolve("log"),
                "--seed-file=" + folder.resolve("seed"))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("out").toFile())
            .start();
    while (daemon.isAlive() && Files.notExists(socket)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    // Others than the owner of the folder are to reach the socket.
    run("chmod", "a+rx", folder.toString());
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (daemon != null) {
      daemon.destroy();
      daemon.waitFor();
    }
  }

  private static String run(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(command + ": " + said).isZero();
    return said.strip();
  }

  private static int self() throws IOException {
    return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
  }

  @Test
  void aCredentialIsItsUsersAndIsGoodOnce() throws Exception {
    String credential = munge.encode();
    assertThat(credential).startsWith(Munge.PREFIX);
    assertThat(munge.decode(credential).uid()).isEqualTo(self());
    assertThatThrownBy(() -> munge.decode(credential))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Replayed");
    String other = munge.encode();
    assertThatThrownBy(() -> munge.decode(other.substring(0, 40) + "AAAA" + other.substring(44)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("munge: ");
    assertThatThrownBy(() -> munge.decode("MUNGE:")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> new Munge(folder.resolve("nobody").toString()).encode())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("munge: ");
  }

  @Test
  void theProgramsSayTheSameAsTheLibrary() throws Exception {
    Munge.Ids ids = munge.decodeByProgram(munge.encodeByProgram());
    assertThat(ids).isEqualTo(munge.decode(munge.encode()));
    String credential = munge.encode();
    munge.decodeByProgram(credential);
    assertThatThrownBy(() -> munge.decodeByProgram(credential))
        .hasMessageContaining("unmunge: ")
        .hasMessageContaining("Replayed");
  }

  @Test
  void authTypeAndItsSocketAreReadFromTheConfiguration() {
    assertThat(Munge.of("auth/slurm", "")).isNull();
    assertThat(Munge.of("auth/munge", "")).isEqualTo(new Munge(null));
    assertThat(Munge.of("AUTH/munge", "cred_expire=60,socket=/run/m"))
        .isEqualTo(new Munge("/run/m"));
  }

  @Test
  void aCallOverTheNetworkIsItsUsersWhateverItSays() throws Exception {
    assumeThat(self()).as("run by root, who can be others").isZero();
    ScriptedController controller = new ScriptedController(Lab.sixNodes().state());
    controller.answer(c -> new Reply.Submitted(1, List.of()));
    Proofs proofs =
        Proofs.of(
            key ->
                Optional.ofNullable(
                    Map.of("AuthType", "auth/munge", "AuthInfo", "socket=" + munge.socket())
                        .get(key)),
            null,
            folder);
    assertThat(proofs.strict()).isTrue();
    try (TestServer server = TestServer.of(controller, Authenticator.none().with(proofs))) {
      int port = server.endpoint().port();
      Credential nobody = new Credential("nobody", 65534, "nogroup", 65534, null);
      Endpoint munged = new Endpoint("127.0.0.1", port, null, munge);
      // Root is believed to be another, on each of several calls.
      assertThat(caller(controller, munged, nobody).user()).isEqualTo("nobody");
      assertThat(caller(controller, munged, nobody).user()).isEqualTo("nobody");
      String own =
          run(
              "setpriv",
              "--reuid=65534",
              "--regid=65534",
              "--clear-groups",
              "munge",
              "--no-input",
              "--socket=" + munge.socket());
      Credential liar = new Credential("root", 65534, "root", 0, own);
      assertThat(caller(controller, new Endpoint("127.0.0.1", port), liar))
          .isEqualTo(new Identity("nobody", 65534, "nogroup", 65534));
      assertThatThrownBy(() -> caller(controller, new Endpoint("127.0.0.1", port), liar))
          .isInstanceOf(ClientException.NotAuthenticated.class)
          .hasMessageContaining("Replayed");
      assertThatThrownBy(() -> caller(controller, new Endpoint("127.0.0.1", port), nobody))
          .isInstanceOf(ClientException.NotAuthenticated.class)
          .hasMessageContaining("munge");
    }
  }

  /** Submits over the network, never over the local socket. */
  private static Identity caller(ScriptedController controller, Endpoint to, Credential who)
      throws Exception {
    try (SchedulerClient client = DefaultSchedulerClient.of(to, who);
        var stream = client.submissions()) {
      stream
          .submit(
              new JobSubmission(
                  Immutable.sortedMap(Map.of("time", "1")),
                  "#!/bin/sh\n",
                  List.of(),
                  Immutable.sortedMap(Map.of("A", "b")),
                  "j",
                  "sbatch j",
                  "/tmp",
                  "localhost"))
          .get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof ClientException cause ? cause : e;
    }
    return ((Command.Submit) controller.taken().getLast()).by();
  }
}
