package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.NodeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeDaemonTest {
  private static final NodeSpec N1 = TestCluster.config().nodes().getFirst();
  private static final JobOwner ME = owner();

  @TempDir Path directory;
  private final BlockingQueue<Command> said = new LinkedBlockingQueue<>();
  private volatile boolean heard = true;
  private NodeDaemon daemon;

  private static JobOwner owner() {
    String user = System.getProperty("user.name");
    int uid = new Users().ownUid();
    return new JobOwner(user, uid, user, uid, "", "", "");
  }

  @BeforeEach
  void start() throws Exception {
    daemon = newDaemon();
    daemon.connected(this::hear);
    assertThat(next(Command.NodeRegistered.class).jobs()).isEmpty();
  }

  @AfterEach
  void stop() throws Exception {
    daemon.close();
    // What outlives its test would write into the folder while that is removed.
    for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
      if (process.info().commandLine().orElse("").contains(directory.toString())) {
        process.destroyForcibly();
        process.onExit().get(20, TimeUnit.SECONDS);
      }
    }
  }

  private NodeDaemon newDaemon() throws IOException {
    return new NodeDaemon(
        new NodeDaemon.Setup(N1, "lab", directory.resolve("spool"), false, "0.1"));
  }

  private CompletionStage<Reply> hear(Command command) {
    boolean answered = heard;
    said.add(command);
    return answered
        ? CompletableFuture.completedFuture(new Reply.Done(List.of()))
        : CompletableFuture.failedFuture(new IOException("connection lost"));
  }

  /** The next thing said of a kind, within a time that only a fault exceeds. */
  private <T extends Command> T next(Class<T> type) throws InterruptedException {
    while (true) {
      Command command = said.poll(20, TimeUnit.SECONDS);
      assertThat(command).as("a %s", type.getSimpleName()).isNotNull();
      if (type.isInstance(command)) {
        return type.cast(command);
      }
    }
  }

  private Job job(int id) {
    return Jobs.running(id, ME, directory.toString());
  }

  private void launch(Job job, String script) {
    JobScript text =
        new JobScript(
            "#!/bin/sh\n" + script + "\n",
            List.of("one", "two words"),
            Immutable.sortedMap(Map.of("GREETING", "it's\n$HOME", "PATH", "/usr/bin:/bin")));
    daemon.send(new NodeLink.Outgoing(new Effect.Launch("n1", job), text));
  }

  private void terminate(Job job, long killWait) {
    daemon.send(
        new NodeLink.Outgoing(
            new Effect.Terminate("n1", job.id(), job.restarts(), killWait, ""), null));
  }

  private String output(String name) throws IOException {
    return Files.readString(directory.resolve(name));
  }

  @Test
  void theRebootProgramFindsItsArgumentsAndTheNode() throws Exception {
    Path program = directory.resolve("boot.sh");
    Path told = directory.resolve("told");
    assertThat(new ProcessBuilder("mkfifo", told.toString()).start().waitFor()).isZero();
    Files.writeString(program, "#!/bin/sh\necho \"$SLURM_NODE_NAME $*\" > " + told + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    daemon.send(new NodeLink.Outgoing(new Effect.Reboot("n1", ""), null));
    daemon.send(new NodeLink.Outgoing(new Effect.Reboot("n1", "/nonexistent"), null));
    daemon.send(new NodeLink.Outgoing(new Effect.Reboot("n1", program + " now  -f"), null));
    String said =
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> Files.readString(told));
    assertThat(said).isEqualTo("n1 now -f\n");
  }

  @Test
  void aJobOfAnotherClusterWithTheSameNumberAndNodeNameIsLeftAlone() throws Exception {
    Path theirs = directory.resolve("theirs");
    BlockingQueue<Command> elsewhere = new LinkedBlockingQueue<>();
    try (NodeDaemon other =
        new NodeDaemon(new NodeDaemon.Setup(N1, "other", theirs, false, "0.1"))) {
      other.connected(
          command -> {
            elsewhere.add(command);
            return CompletableFuture.completedFuture(new Reply.Done(List.of()));
          });
      JobScript endless =
          new JobScript(
              "#!/bin/sh\nsleep 1000\n",
              List.of(),
              Immutable.sortedMap(Map.of("PATH", "/usr/bin:/bin")));
      other.send(new NodeLink.Outgoing(new Effect.Launch("n1", job(7)), endless));
      Path begun = directory.resolve("begun");
      assertThat(new ProcessBuilder("mkfifo", begun.toString()).start().waitFor()).isZero();
      launch(job(7), "echo yes > " + begun + "; sleep 1000");
      assertThat(Files.readString(begun)).isEqualTo("yes\n");
      other.send(new NodeLink.Outgoing(new Effect.Terminate("n1", 7, 0, 0, ""), null));
      Command last = null;
      while (!(last instanceof Command.RunGone)) {
        last = elsewhere.poll(20, TimeUnit.SECONDS);
        assertThat(last).isNotNull();
      }
      assertThat(Processes.ofRun(JobEnvironment.marker(7, 0, theirs), -1)).isEmpty();
      assertThat(Processes.ofRun(JobEnvironment.marker(7, 0, directory.resolve("spool")), -1))
          .isNotEmpty();
    }
    terminate(job(7), 0);
    next(Command.RunGone.class);
  }

  @Test
  void aScriptRunsWithItsArgumentsEnvironmentAndDirectory() throws Exception {
    launch(job(7), "echo \"$1|$2|$GREETING|$SLURM_JOB_ID|$PWD|$0\"; ps -o sid= -p $$ | tr -d ' '");
    Command.ScriptEnded end = next(Command.ScriptEnded.class);
    assertThat(end.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(end.jobId()).isEqualTo(7);
    assertThat(output("slurm-7.out"))
        .startsWith("one|two words|it's\n$HOME|7|" + directory + "|" + directory + "/spool/7.0/");
    terminate(job(7), 0);
    next(Command.RunGone.class);
    assertThat(directory.resolve("spool/7.0")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource({
    "exit 3, 3, 0",
    "exit 137, 137, 0",
    "kill -9 $$, 0, 9",
    "kill -SEGV $$, 0, 11",
    "kill -TERM $$, 0, 15",
    "exec /no/such/program, 127, 0",
    "true, 0, 0"
  })
  void theExitCodeOrTheSignalIsReported(String script, int code, int signal) throws Exception {
    launch(job(1), script);
    assertThat(next(Command.ScriptEnded.class).exitCode()).isEqualTo(new ExitCode(code, signal));
  }

  @Test
  void everythingLeftOfARunIsEndedBeforeItIsGone() throws Exception {
    Path pids = directory.resolve("pids");
    launch(
        job(2),
        """
        trap '' TERM
        setsid sh -c 'trap "" TERM; echo $$ >> pids; exec sleep 600' &
        (setsid nohup sh -c 'echo $$ >> pids; sleep 601' > /dev/null 2>&1 &)
        env -i setsid sleep 602 &
        echo $! >> pids
        echo $$ >> pids
        while [ "$(wc -l < pids)" -lt 4 ]; do sleep 0.05; done
        mv pids all
        wait\
        """);
    awaitFile(directory.resolve("all"));
    List<Long> all =
        Files.readAllLines(directory.resolve("all")).stream().map(Long::parseLong).toList();
    assertThat(all).hasSize(4).allMatch(pid -> ProcessHandle.of(pid).isPresent());
    terminate(job(2), 1);
    next(Command.RunGone.class);
    assertThat(all).noneMatch(Jobs::isAlive);
    assertThat(pids).doesNotExist();
    assertThat(output("slurm-2.out"))
        .containsPattern("error: \\*\\*\\* JOB 2 ON n1 CANCELLED AT .* DUE to SIGNAL Terminated");
  }

  private static void awaitFile(Path file) throws InterruptedException {
    for (int i = 0; i < 400 && !Files.exists(file); i++) {
      Thread.sleep(50);
    }
    assertThat(file).exists();
  }

  @Test
  void aRunThatIsNotThereIsGoneAtOnce() throws Exception {
    terminate(job(99), 30);
    assertThat(next(Command.RunGone.class).jobId()).isEqualTo(99);
  }

  @Test
  void aScriptThatSavesItsWorkOnTermMayEndByItself() throws Exception {
    launch(job(3), "trap 'echo saved > saved; exit 0' TERM; touch ready; sleep 600 & wait");
    awaitFile(directory.resolve("ready"));
    terminate(job(3), 30);
    next(Command.RunGone.class);
    assertThat(output("saved")).isEqualTo("saved\n");
  }

  @Test
  void aRestartedDaemonFindsItsJobsAndTheirEnds() throws Exception {
    launch(job(4), "touch here; while [ ! -e go ]; do sleep 0.05; done; exit 5");
    launch(job(5), "touch there; while [ ! -e go5 ]; do sleep 0.05; done; exit 6");
    awaitFile(directory.resolve("here"));
    awaitFile(directory.resolve("there"));
    daemon.close();
    said.clear();
    Files.createFile(directory.resolve("go5"));
    awaitFile(directory.resolve("spool/5.0/status"));
    daemon = newDaemon();
    daemon.connected(this::hear);
    assertThat(next(Command.NodeRegistered.class).jobs())
        .containsExactly(new Command.RunningJob(4, 0), new Command.RunningJob(5, 0));
    Command.ScriptEnded whileAway = next(Command.ScriptEnded.class);
    assertThat(whileAway.jobId()).isEqualTo(5);
    assertThat(whileAway.exitCode()).isEqualTo(new ExitCode(6, 0));
    Files.createFile(directory.resolve("go"));
    Command.ScriptEnded later = next(Command.ScriptEnded.class);
    assertThat(later.jobId()).isEqualTo(4);
    assertThat(later.exitCode()).isEqualTo(new ExitCode(5, 0));
    terminate(job(4), 0);
    assertThat(next(Command.RunGone.class).jobId()).isEqualTo(4);
  }

  @Test
  void aRestartedDaemonGoesOnWithAKillThatHadBegun() throws Exception {
    launch(job(6), "trap '' TERM; touch ready; sleep 600; sleep 600");
    awaitFile(directory.resolve("ready"));
    terminate(job(6), 1);
    awaitFile(directory.resolve("spool/6.0/termination"));
    daemon.close();
    daemon = newDaemon();
    daemon.connected(this::hear);
    assertThat(next(Command.RunGone.class).jobId()).isEqualTo(6);
  }

  @Test
  void anEndIsReportedUntilItIsHeard() throws Exception {
    heard = false;
    launch(job(8), "exit 4");
    next(Command.ScriptEnded.class);
    daemon.disconnected();
    heard = true;
    daemon.connected(this::hear);
    assertThat(next(Command.ScriptEnded.class).exitCode()).isEqualTo(new ExitCode(4, 0));
    awaitFile(directory.resolve("spool/8.0/acknowledged"));
    daemon.connected(this::hear);
    daemon.heartbeat();
    assertThat(next(Command.NodeHeartbeat.class).jobs())
        .containsExactly(new Command.RunningJob(8, 0));
    assertThat(said).noneMatch(Command.ScriptEnded.class::isInstance);
  }

  @Test
  void aRunWhoseShimWasKilledHasEndedByThatSignal() throws Exception {
    launch(job(9), "touch ready; exec sleep 600");
    awaitFile(directory.resolve("ready"));
    int shim = Processes.withArgument(directory.resolve("spool/9.0").toString());
    Processes.signal(shim, Processes.SIGKILL);
    assertThat(next(Command.ScriptEnded.class).exitCode()).isEqualTo(new ExitCode(0, 9));
    terminate(job(9), 0);
    next(Command.RunGone.class);
    assertThat(Processes.ofRun("9.0@n1", -1)).isEmpty();
  }

  @Test
  void aLaunchThatIsSaidTwiceRunsOnce() throws Exception {
    launch(job(10), "echo run >> runs");
    launch(job(10), "echo run >> runs");
    next(Command.ScriptEnded.class);
    daemon.heartbeat();
    next(Command.NodeHeartbeat.class);
    assertThat(output("runs")).isEqualTo("run\n");
  }

  @Test
  void outputThatCannotBeOpenedEndsTheJobWithItsCause() throws Exception {
    Job job = job(11).with(j -> j.batch(job(11).batch().withStdoutPattern("/nonexistent/%j.out")));
    launch(job, "touch never");
    Command.ScriptEnded end = next(Command.ScriptEnded.class);
    assertThat(end.exitCode()).isEqualTo(new ExitCode(0, 53));
    assertThat(end.message()).contains("/nonexistent/11.out").doesNotContain("launch");
    assertThat(directory.resolve("never")).doesNotExist();
  }

  @Test
  void aMissingWorkingDirectoryIsReplacedAndSaid() throws Exception {
    Job job =
        job(12)
            .with(
                j ->
                    j.batch(
                        job(12)
                            .batch()
                            .with(
                                b ->
                                    b.workDir("/nonexistent/dir")
                                        .stdoutPattern(directory + "/%x-%3j.txt"))));
    launch(job, "pwd");
    assertThat(next(Command.ScriptEnded.class).exitCode()).isEqualTo(ExitCode.OK);
    assertThat(output("job-012.txt"))
        .contains("couldn't chdir to `/nonexistent/dir'")
        .endsWith("/tmp\n");
  }

  @Test
  void outputIsTruncatedUnlessAppendingWasAsked() throws Exception {
    Files.writeString(directory.resolve("slurm-13.out"), "old\n");
    Files.writeString(directory.resolve("slurm-14.out"), "old\n");
    launch(job(13), "echo new; echo bad >&2");
    next(Command.ScriptEnded.class);
    launch(job(14).with(j -> j.batch(job(14).batch().withOpenMode("a"))), "echo new");
    next(Command.ScriptEnded.class);
    assertThat(output("slurm-13.out")).isEqualTo("new\nbad\n");
    assertThat(output("slurm-14.out")).isEqualTo("old\nnew\n");
  }

  @Test
  void aSignalReachesTheProcessesOrTheScriptAlone() throws Exception {
    launch(
        job(15),
        """
        trap 'echo got >> got' USR1
        sh -c 'trap "echo child >> got" USR1; touch ready; while :; do sleep 0.05; done' &
        while [ ! -e end ]; do sleep 0.05; done
        kill -9 $!\
        """);
    awaitFile(directory.resolve("ready"));
    daemon.send(new NodeLink.Outgoing(new Effect.Signal("n1", 15, 0, 10, true), null));
    awaitFile(directory.resolve("got"));
    assertThat(output("got")).isEqualTo("got\n");
    daemon.send(new NodeLink.Outgoing(new Effect.Signal("n1", 15, 3, 9, false), null));
    Files.createFile(directory.resolve("end"));
    assertThat(next(Command.ScriptEnded.class).exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void aPausedRunStopsAndGoesOn() throws Exception {
    launch(job(17), "touch ready; while [ ! -e end ]; do sleep 0.05; done; ps -o stat= -p $$");
    awaitFile(directory.resolve("ready"));
    daemon.send(new NodeLink.Outgoing(new Effect.Pause("n1", 17, 0, 0), null));
    awaitStopped("spool/17.0");
    Files.createFile(directory.resolve("end"));
    daemon.send(new NodeLink.Outgoing(new Effect.Signal("n1", 17, 0, 18, false), null));
    assertThat(next(Command.ScriptEnded.class).exitCode()).isEqualTo(ExitCode.OK);
  }

  /** Waits until a process of a run is stopped by a signal. */
  private static void awaitStopped(String argument) throws Exception {
    for (int i = 0; i < 400; i++) {
      for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
        boolean script =
            process.info().commandLine().orElse("").contains(argument)
                && process.parent().isPresent();
        if (script && state(process.pid()) == 'T') {
          return;
        }
      }
      Thread.sleep(25);
    }
    throw new AssertionError("nothing of " + argument + " stops");
  }

  static char state(long pid) throws IOException {
    Path stat = Path.of("/proc", Long.toString(pid), "stat");
    if (!Files.exists(stat)) {
      return ' ';
    }
    String text = Files.readString(stat);
    return text.charAt(text.lastIndexOf(')') + 2);
  }

  @Test
  void aJobOfAnUnknownUserIsRefusedWithTheReason() throws Exception {
    JobOwner stranger = new JobOwner("stranger", 54_321, "x", 54_321, "", "", "");
    launch(Jobs.running(16, stranger, directory.toString()), "true");
    assertThat(next(Command.LaunchFailed.class).message()).contains("stranger (54321)");
  }
}
