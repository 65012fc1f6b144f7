package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as processes of their own against a server: what scripts depend on. */
class ProcessesTest {
  @TempDir private static Path directory;
  private static RunningServer server;

  @BeforeAll
  static void serve() throws Exception {
    Path etc = Files.createDirectories(directory.resolve("etc"));
    Files.writeString(
        etc.resolve("slurm.conf"),
        """
        ClusterName=lab
        SlurmctldHost=localhost(127.0.0.1)
        NodeName=n[1-2] CPUs=4 RealMemory=4000
        PartitionName=main Nodes=ALL Default=YES
        """);
    server =
        RunningServer.start(
            new ServerSetup(etc, directory.resolve("state"), true, null, null, 0, false),
            InstantSource.system());
    Files.writeString(
        directory.resolve("client.conf"),
        "SlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort=" + server.port() + "\n");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private record Outcome(int exitCode, String out, String err) {}

  private static Outcome run(Path config, String... words)
      throws IOException, InterruptedException {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        List.of(
            "-XX:TieredStopAtLevel=1", "--enable-native-access=ALL-UNNAMED", "-cp", classPath()));
    line.add(Main.class.getName());
    line.addAll(List.of(words));
    Path out = Files.createTempFile(directory, "out", "");
    Path err = Files.createTempFile(directory, "err", "");
    ProcessBuilder builder =
        new ProcessBuilder(line)
            .directory(directory.toFile())
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("SLURM_CONF", config.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Outcome(
        process.exitValue(),
        Files.readString(out, StandardCharsets.UTF_8),
        Files.readString(err, StandardCharsets.UTF_8));
  }

  /** Of these tests, also where a launcher has loaded them by a loader of its own. */
  private static String classPath() {
    if (Thread.currentThread().getContextClassLoader() instanceof URLClassLoader loader) {
      return Arrays.stream(loader.getURLs())
          .map(URL::getPath)
          .collect(Collectors.joining(File.pathSeparator));
    }
    return System.getProperty("java.class.path");
  }

  private static Outcome run(String... words) throws IOException, InterruptedException {
    return run(directory.resolve("client.conf"), words);
  }

  @Test
  void aJobIsSubmittedSeenAndCancelled() throws Exception {
    Outcome submitted = run("sbatch", "--parsable", "-H", "-J", "x", "--wrap=sleep 60");
    assertThat(submitted.err()).isEmpty();
    assertThat(submitted.out()).matches("[0-9]+\n");
    assertThat(submitted.exitCode()).isZero();
    String id = submitted.out().strip();
    assertThat(run("squeue", "-h", "-j", id, "-o", "%i|%j|%t|%r"))
        .isEqualTo(new Outcome(0, id + "|x|PD|JobHeldUser\n", ""));
    assertThat(run("scancel", id)).isEqualTo(new Outcome(0, "", ""));
    assertThat(run("squeue", "-h", "-j", id)).isEqualTo(new Outcome(0, "", ""));
  }

  @Test
  void aRefusalIsOnStandardErrorAndNothingOnStandardOutput() throws Exception {
    assertThat(run("sbatch", "--mem=70000", "--wrap=true"))
        .isEqualTo(
            new Outcome(
                1,
                "",
                "sbatch: error: Memory specification can not be satisfied\n"
                    + "sbatch: error: Batch job submission failed: Requested node configuration is"
                    + " not available\n"));
    assertThat(run("sbatch", "--nodess=2", "--wrap=true"))
        .isEqualTo(
            new Outcome(
                255,
                "",
                "sbatch: unrecognized option '--nodess=2'\n"
                    + "Try \"sbatch --help\" for more information\n"));
    assertThat(run("scontrol", "show", "job", "99999").exitCode()).isEqualTo(1);
  }

  @Test
  void aControllerThatIsAwayIsNamed() throws Exception {
    Path away =
        Files.writeString(
            directory.resolve("away.conf"),
            "SlurmctldHost=localhost(127.0.0.1)\nSlurmctldPort=1\nMessageTimeout=1\n");
    Outcome outcome = run(away, "squeue");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("Unable to contact slurm controller (connect failure)");
  }

  @Test
  void aConfigurationThatIsNotThereOrBrokenIsNamed() throws Exception {
    Outcome none = run(directory.resolve("none.conf"), "sinfo");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err()).contains("none.conf does not exist; set SLURM_CONF");
    Path broken =
        Files.writeString(
            directory.resolve("broken.conf"), "SlurmctldHost=a\nSlurmctldPort=nonsense\n");
    Outcome outcome = run(broken, "sinfo");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).contains("broken.conf:2: SlurmctldPort=nonsense is not a port");
  }
}
