package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.cli.Cli;
import dev.yardmaster.cli.Io;
import dev.yardmaster.cli.Machine;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Controller and node daemon are killed (SIGKILL) while a job and a step of it run. */
class KilledDaemonTest {
  @TempDir Path directory;

  private record Said(int exitCode, String out, String err) {}

  private Said run(Site site, InputStream input, String name, String... words) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Cli.run(
            name,
            List.of(words),
            new Io(
                input,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                new TreeMap<>(
                    Map.of("SLURM_CONF", site.conf().toString(), "PATH", "/usr/bin:/bin")),
                directory,
                ZoneOffset.UTC,
                InstantSource.system(),
                () -> false,
                Machine.THIS));
    return new Said(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private void awaitFile(String name, CompletableFuture<?> unless) throws Exception {
    // No event tells of files.
    for (int i = 0; i < 4000 && !Files.exists(directory.resolve(name)); i++) {
      assertThat(unless.isDone()).isFalse();
      Thread.sleep(10);
    }
    assertThat(directory.resolve(name)).exists();
  }

  @Test
  void aStepHasItsInputItsOutputAndItsExitCodeOverAKillOfTheNodeDaemonAndTheController()
      throws Exception {
    PipedOutputStream typed = new PipedOutputStream();
    PipedInputStream input = new PipedInputStream(typed);
    try (Site site = new Site(directory, "SlurmdTimeout=300")) {
      Process server = site.server();
      Process node = site.node();
      site.awaitNode();
      CompletableFuture<Said> srun = new CompletableFuture<>();
      Thread.ofPlatform()
          .daemon()
          .start(
              () -> {
                try {
                  srun.complete(
                      run(
                          site,
                          input,
                          "srun",
                          "sh",
                          "-c",
                          "read a; touch begun; while [ ! -e go ]; do sleep 0.05; done; read b;"
                              + " echo got $a $b; cat; touch end; kill -9 $$"));
                } catch (Exception e) {
                  srun.completeExceptionally(e);
                }
              });
      typed.write("one\n".getBytes(StandardCharsets.UTF_8));
      typed.flush();
      awaitFile("begun", srun);
      node.destroyForcibly().onExit().get(20, TimeUnit.SECONDS);
      typed.write("two\nthree\n".getBytes(StandardCharsets.UTF_8));
      typed.close();
      Files.createFile(directory.resolve("go"));
      node = site.node();
      awaitFile("end", srun);
      Said said = srun.get(60, TimeUnit.SECONDS);
      assertThat(said.out()).isEqualTo("got one two\nthree\n");
      assertThat(said.err()).contains("srun: error: n1: task 0: Killed");
      assertThat(said.exitCode()).isEqualTo(128 + 9);
      server.destroyForcibly().onExit().get(20, TimeUnit.SECONDS);
      site.server();
      site.awaitNode();
      InputStream none = InputStream.nullInputStream();
      String records = "";
      // The daemon connects again by itself, and says then what nobody has heard.
      for (int i = 0; i < 600 && !records.contains("1.0|CANCELLED|0:9"); i++) {
        Thread.sleep(100);
        records = run(site, none, "sacct", "-nP", "-o", "JobID,State,ExitCode").out();
      }
      assertThat(records).contains("1.0|CANCELLED|0:9");
    }
  }
}
