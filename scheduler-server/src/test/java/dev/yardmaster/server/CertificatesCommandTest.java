package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.cli.Io;
import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that was given no certificates, from the first start to a node on another machine. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CertificatesCommandTest {
  @TempDir private Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... words) {
    out.reset();
    err.reset();
    Io io =
        new Io(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            Map.of(),
            directory,
            ZoneId.of("UTC"),
            InstantSource.system(),
            () -> false);
    return Main.run(List.of(words), io);
  }

  /** A call of a user whom the local socket would not take, which goes over the network. */
  private static void call(Path conf) throws Exception {
    Endpoint found = ControllerFinder.find(conf).getFirst().endpoint();
    Credential who = new Credential("nobody", 65534, "nogroup", 65534, null);
    try (SchedulerClient client = DefaultSchedulerClient.of(found, who);
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
  }

  @Test
  void aNodeWithAnIssuedCertificateIsServedAndNobodyWithoutOne() throws Exception {
    ServerSetup sample = SampleFiles.setup(directory);
    Path conf = directory.resolve("slurm.conf");
    Files.writeString(
        conf,
        Files.readString(conf)
                .replaceFirst("(?m)^SlurmctldHost=.*$", "SlurmctldHost=localhost(127.0.0.1)")
            + "\nTLSType=tls/s2n\n");
    Path state = directory.resolve("state");
    assertThat(run("certificates", "--state", state.toString())).isOne();
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("has made no certificates");
    ServerSetup setup = new ServerSetup(directory, state, true, null, null, sample.port(), false);
    try (RunningServer server = RunningServer.start(setup, InstantSource.system())) {
      assertThat(server.notices()).anyMatch(line -> line.contains("an authority of its own"));
      Path folder = directory.resolve("n1");
      assertThat(run("certificates", "--state", state.toString(), "--issue", folder + "", "n[1-2]"))
          .isZero();
      assertThat(out.toString(StandardCharsets.UTF_8))
          .contains("names        n1, n2")
          .containsPattern("fingerprint  ([0-9A-F]{2}:){31}[0-9A-F]{2}");
      Path moved = Files.copy(conf, folder.resolve("slurm.conf"));
      assertThatThrownBy(() -> call(moved)).isInstanceOf(ClientException.Refused.class);
      Files.delete(folder.resolve("slurmd_cert_key.pem"));
      assertThatThrownBy(() -> call(moved))
          .isInstanceOf(ClientException.NotAuthenticated.class)
          .hasMessageContaining("the key of its certificate");
      run("certificates", "--state", directory.resolve("other") + "", "--issue", folder + "");
      assertThatThrownBy(() -> call(moved))
          .isInstanceOf(ClientException.class)
          .isNotInstanceOf(ClientException.Refused.class);
      Files.copy(
          state.resolve("certificates/ca_cert.pem"),
          folder.resolve("ca_cert.pem"),
          StandardCopyOption.REPLACE_EXISTING);
      assertThatThrownBy(() -> call(moved))
          .isInstanceOf(ClientException.class)
          .isNotInstanceOf(ClientException.Refused.class);
    }
    assertThat(run("certificates", "--state", state.toString())).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("ca_cert.pem", "ctld_cert.pem", "names        127.0.0.1, localhost");
  }

  @Test
  void aNamedControllerOnAnotherMachineIsReachedWithTheAuthorityBesideTheConfiguration()
      throws Exception {
    Path conf = Files.writeString(directory.resolve("slurm.conf"), "SlurmctldHost=c(10.0.0.1)\n");
    Map<String, String> environment = Map.of("SLURM_CONF", conf.toString());
    Endpoint named = Endpoint.parse("10.0.0.9:7000");
    assertThat(ControllerFinder.secured(named, environment::get)).isEqualTo(named);
    Files.writeString(directory.resolve("ca_cert.pem"), "");
    assertThat(ControllerFinder.secured(named, environment::get).tls()).isNotNull();
    assertThat(ControllerFinder.secured(Endpoint.parse("localhost:7000"), environment::get).tls())
        .isNull();
    assertThat(
            ControllerFinder.secured(
                    Endpoint.parse("localhost:7000"),
                    Map.of("YARDMASTER_CA_FILE", "/x/ca.pem")::get)
                .tls())
        .isNotNull();
    assertThat(run("certificates", "--state", directory + "", "n1")).isOne();
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("add --issue FOLDER");
  }
}
