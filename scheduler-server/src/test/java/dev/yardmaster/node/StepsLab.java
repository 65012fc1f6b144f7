package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.cli.Cli;
import dev.yardmaster.cli.Io;
import dev.yardmaster.cli.Machine;
import dev.yardmaster.cli.Terminal;
import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.server.TestServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A controller and the daemons of two nodes, before which srun and salloc run with real processes.
 */
abstract class StepsLab {
  private static final ClusterConfig CONFIG =
      config(Map.of("KillWait", "1", "ReturnToService", "2"));

  /** Backfill, which alone starts jobs of several components, comes each second. */
  private static ClusterConfig config(Map<String, String> settings) {
    return TestCluster.config(2, settings)
        .with(c -> c.scheduling(c.scheduling().with(p -> p.bfIntervalSeconds(1))));
  }

  @TempDir Path directory;
  ClusterConfig config = CONFIG;
  final Map<String, String> environment = new TreeMap<>();
  DaemonLab lab;
  TestServer server;
  String input = "";
  @Nullable Terminal terminal;

  record Said(int exitCode, String out, String err) {}

  @BeforeEach
  void start() throws Exception {
    lab = new DaemonLab(config, directory);
    server = TestServer.of(lab.controller(), InstantSource.system(), ZoneOffset.UTC);
    Path conf = directory.resolve("client.conf");
    Files.writeString(
        conf, "SlurmctldHost=vm(127.0.0.1)\nSlurmctldPort=" + server.endpoint().port() + "\n");
    environment.putAll(Map.of("SLURM_CONF", conf.toString(), "PATH", "/usr/bin:/bin"));
  }

  /** Begins to run something that is not over soon, as soon as a file tells that it has begun. */
  CompletableFuture<Said> begin(Path begun, String... words) throws InterruptedException {
    CompletableFuture<Said> said =
        CompletableFuture.supplyAsync(
            () -> run(words[0], Arrays.copyOfRange(words, 1, words.length)));
    // No event tells of files.
    for (int i = 0; i < 2000 && !Files.exists(begun); i++) {
      assertThat(said).isNotDone();
      Thread.sleep(10);
    }
    assertThat(begun).exists();
    return said;
  }

  @AfterEach
  void stop() {
    server.close();
    lab.close();
  }

  Said run(String name, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Cli.run(
            name,
            List.of(arguments),
            new Io(
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                environment,
                directory,
                ZoneOffset.UTC,
                InstantSource.system(),
                () -> false,
                machine()));
    return new Said(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private Machine machine() {
    return new Machine() {
      @Override
      public Credential caller(Function<String, @Nullable String> environment, Path config)
          throws ClientException.NotAuthenticated {
        return THIS.caller(environment, config);
      }

      @Override
      public boolean hasUser(String name) {
        return THIS.hasUser(name);
      }

      @Override
      public @Nullable Credential find(String name) {
        return THIS.find(name);
      }

      @Override
      public @Nullable Terminal terminal(int descriptor) {
        return terminal;
      }
    };
  }

  Job onlyJob() {
    assertThat(lab.controller().state().jobs()).hasSize(1);
    return lab.controller().state().jobs().values().iterator().next();
  }

  /** Begins anew with other settings. */
  final void configured(String... settings) throws Exception {
    server.close();
    lab.close();
    Map<String, String> all = new TreeMap<>(Map.of("KillWait", "1", "ReturnToService", "2"));
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    directory = Files.createDirectories(directory.resolve("again"));
    config = config(all);
    start();
  }
}
