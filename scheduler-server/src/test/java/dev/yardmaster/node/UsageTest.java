package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.cli.Cli;
import dev.yardmaster.cli.Io;
import dev.yardmaster.cli.Machine;
import dev.yardmaster.client.StepChannel;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.StepRecord;
import dev.yardmaster.model.StepUsage;
import dev.yardmaster.server.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What steps use, measured on real processes. */
class UsageTest {
  private static final long MIB = 1 << 20;

  /** Holds 40 MB and has used some tenths of a second. */
  private static final String BUSY =
      "x=$(head -c 40000000 /dev/zero | tr '\\0' a); i=0; while [ $i -lt 300000 ]; do i=$((i+1));"
          + " done; touch begun; while [ ! -e go ]; do sleep 0.1; done";

  @TempDir Path directory;
  private final Map<String, String> environment = new TreeMap<>();
  private final CompletableFuture<Event.StepUsed> ended = new CompletableFuture<>();
  private DaemonLab lab;
  private TestServer server;

  @BeforeEach
  void start() throws Exception {
    lab = new DaemonLab(TestCluster.config(2, Map.of("KillWait", "1")), directory);
    server = TestServer.of(lab.controller(), InstantSource.system(), ZoneOffset.UTC);
    Path conf = directory.resolve("client.conf");
    Files.writeString(
        conf, "SlurmctldHost=vm(127.0.0.1)\nSlurmctldPort=" + server.endpoint().port() + "\n");
    environment.putAll(Map.of("SLURM_CONF", conf.toString(), "PATH", "/usr/bin:/bin"));
    lab.controller()
        .follow(
            new Controller.Follower() {
              @Override
              public void start(ClusterState state, long sequence) {}

              @Override
              public void next(List<Event> events, ClusterState after, long sequence) {
                events.forEach(
                    event -> {
                      if (event instanceof Event.StepUsed used) {
                        ended.complete(used);
                      }
                    });
              }
            });
  }

  @AfterEach
  void stop() {
    server.close();
    lab.close();
  }

  private String run(String name, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream to = new PrintStream(out, true, StandardCharsets.UTF_8);
    Cli.run(
        name,
        List.of(arguments),
        new Io(
            InputStream.nullInputStream(),
            to,
            to,
            environment,
            directory,
            ZoneOffset.UTC,
            InstantSource.system(),
            () -> false,
            Machine.THIS));
    return out.toString(StandardCharsets.UTF_8);
  }

  /** The first line that sstat tells of a step with more memory than some; no event tells of it. */
  private String awaitMeasured(String step) throws Exception {
    String said = "";
    for (int i = 0; i < 300; i++) {
      said = run("sstat", "-n", "-P", "--noconvert", "-a", "-j", step, "-o", "JobID,MaxRSS,NTasks");
      String[] values = said.strip().split("\\|");
      if (values.length == 3 && Long.parseLong(values[1]) > 30 * MIB) {
        return said.strip();
      }
      Thread.sleep(100);
    }
    throw new AssertionError("never measured: " + said);
  }

  @Test
  void aBatchScriptIsMeasuredWhileItRunsAndWhatItUsedIsKept() throws Exception {
    int id = lab.submit(BUSY);
    lab.awaitFile("begun");
    assertThat(awaitMeasured(id + ".batch")).startsWith(id + ".batch|").endsWith("|1");
    Files.createFile(directory.resolve("go"));
    Event.StepUsed used = ended.get(30, TimeUnit.SECONDS);
    assertThat(used.jobId()).isEqualTo(id);
    assertThat(used.stepId()).isEqualTo(StepRecord.BATCH);
    StepUsage usage = used.usage();
    assertThat(usage.totalMicros()).isBetween(100_000L, 30_000_000L);
    assertThat(usage.resident().node()).isEqualTo("n1");
    assertThat(usage.resident().value()).isBetween(30 * MIB, 400 * MIB);
    assertThat(usage.read().value()).isGreaterThan(MIB);
  }

  @Test
  void theTaskThatStandsOutIsNamedAmongThoseOfAStep() throws Exception {
    String task =
        "if [ $SLURM_PROCID = 1 ]; then "
            + BUSY
            + "; else while [ ! -e go ]; do sleep 0.1; done; fi";
    CompletableFuture<String> step =
        CompletableFuture.supplyAsync(() -> run("srun", "-N2", "-n2", "sh", "-c", task));
    lab.awaitFile("begun");
    assertThat(awaitMeasured("1.0")).startsWith("1.0|").endsWith("|2");
    Files.createFile(directory.resolve("go"));
    StepUsage usage = ended.get(30, TimeUnit.SECONDS).usage();
    assertThat(usage.tasks()).isEqualTo(2);
    assertThat(usage.resident().task()).isEqualTo(1);
    assertThat(usage.resident().node()).isEqualTo("n2");
    assertThat(usage.cpu().task()).isZero();
    assertThat(usage.resident().sum()).isGreaterThan(usage.resident().value());
    assertThat(step.get(20, TimeUnit.SECONDS)).isEmpty();
  }

  @Test
  void whoAttachesHimselfSeesTheTasksAndTheirEnd() throws Exception {
    String task =
        "while [ ! -e go.$SLURM_PROCID ]; do sleep 0.1; done; echo from $SLURM_PROCID;"
            + " exit $SLURM_PROCID";
    CompletableFuture<String> step =
        CompletableFuture.supplyAsync(() -> run("srun", "-N2", "-n2", "sh", "-c", task));
    String layout = run("sattach", "--layout", "1.0");
    for (int i = 0; i < 300 && !layout.contains("Node 1"); i++) {
      Thread.sleep(50);
      layout = run("sattach", "--layout", "1.0");
    }
    assertThat(layout).contains("2 tasks, 2 nodes (n[1-2])", "Node 1 (n2), 1 task(s): 1");
    CompletableFuture<String> other =
        CompletableFuture.supplyAsync(
            () -> run("sattach", "-l", "1.0"), r -> Thread.ofPlatform().daemon().start(r));
    // No event tells of it.
    awaitAttached(2);
    Files.createFile(directory.resolve("go.0"));
    Files.createFile(directory.resolve("go.1"));
    assertThat(other.get(20, TimeUnit.SECONDS).lines())
        .containsExactlyInAnyOrder(
            "0: from 0", "1: from 1", "sattach: error: task 1 exited with exit code 1");
    assertThat(step.get(20, TimeUnit.SECONDS)).contains("from 0", "from 1");
    assertThat(run("sattach", "9.0"))
        .isEqualTo("sattach: error: Could not get job step info: Invalid job id specified\n");
  }

  @Test
  void aNodeWhereTheStepIsOverIsNotWaitedFor() throws Exception {
    String task = "while [ ! -e go.$SLURM_PROCID ]; do sleep 0.1; done; echo from $SLURM_PROCID";
    CompletableFuture<String> step =
        CompletableFuture.supplyAsync(() -> run("srun", "-N2", "-n2", "sh", "-c", task));
    // A node has a thread for each step that it runs; no event tells of it.
    awaitThreads(2);
    Files.createFile(directory.resolve("go.0"));
    awaitThreads(1);
    CompletableFuture<String> other =
        CompletableFuture.supplyAsync(
            () -> run("sattach", "-l", "1.0"), r -> Thread.ofPlatform().daemon().start(r));
    awaitAttached(1);
    Files.createFile(directory.resolve("go.1"));
    assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo("1: from 1\n");
    assertThat(step.get(20, TimeUnit.SECONDS)).contains("from 0", "from 1");
  }

  private static void awaitThreads(long count) throws InterruptedException {
    for (int i = 0; i < 300 && threads() != count; i++) {
      Thread.sleep(50);
    }
    assertThat(threads()).isEqualTo(count);
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().equals("step-1.0"))
        .count();
  }

  private static void awaitAttached(long count) throws InterruptedException {
    for (int i = 0; i < 300 && attached() < count; i++) {
      Thread.sleep(50);
    }
    assertThat(attached()).isEqualTo(count);
  }

  /** How many wait for what an attached sattach sends: their output is brought to it by then. */
  private static long attached() {
    return Thread.getAllStackTraces().values().stream()
        .filter(stack -> runs(stack, RunningStep.class, "attach"))
        .filter(stack -> runs(stack, StepChannel.class, "receive"))
        .count();
  }

  private static boolean runs(StackTraceElement[] stack, Class<?> type, String method) {
    return Arrays.stream(stack)
        .anyMatch(f -> f.getClassName().equals(type.getName()) && f.getMethodName().equals(method));
  }

  @Test
  void sstatSaysWhatIsWrong() {
    assertThat(run("sstat")).isEqualTo("You didn't give me any jobs to stat.\n");
    assertThat(run("sstat", "-n", "-j", "99"))
        .isEqualTo("sstat: error: couldn't get steps for job 99\n");
  }
}
