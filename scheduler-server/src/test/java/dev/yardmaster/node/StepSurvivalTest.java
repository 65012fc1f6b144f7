package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.cli.Terminal;
import dev.yardmaster.engine.state.JobSteps;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.server.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Steps go on while a node daemon or the controller is not there, and end as they would have. */
class StepSurvivalTest extends StepsLab {
  private static final String UNTIL = "; while [ ! -e go ]; do sleep 0.05; done; ";

  private Path begun() {
    return directory.resolve("begun");
  }

  private Path step(String file) {
    return directory.resolve("spool-n1/steps/1.0.0/" + file);
  }

  private Said end(CompletableFuture<Said> step) throws Exception {
    return step.get(40, TimeUnit.SECONDS);
  }

  @Test
  void aStepGoesOnWhileItsDaemonIsRestartedAndSrunHearsAllOfIt() throws Exception {
    CompletableFuture<Said> srun =
        begin(
            begun(),
            "srun",
            "-N2",
            "-n3",
            "-l",
            "sh",
            "-c",
            "echo one; touch begun" + UNTIL + "echo two; echo three >&2; exit $SLURM_PROCID");
    lab.stopDaemons();
    lab.startDaemons();
    Files.createFile(directory.resolve("go"));
    Said said = end(srun);
    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.out().lines())
        .containsExactlyInAnyOrder("0: one", "1: one", "2: one", "0: two", "1: two", "2: two");
    assertThat(said.err()).contains("0: three\n", "2: three\n").contains("Exited with exit code 2");
    assertThat(onlyJob().exitCode()).isEqualTo(new ExitCode(2, 0));
  }

  @Test
  void whatEndsWhileNoDaemonIsThereIsHeardFromTheNextOne() throws Exception {
    CompletableFuture<Said> srun =
        begin(
            begun(),
            "srun",
            "sh",
            "-c",
            "touch begun" + UNTIL + "head -c 50000 /dev/zero | tr '\\0' x; echo; kill -USR1 $$");
    lab.stopDaemons();
    Files.createFile(directory.resolve("go"));
    for (int i = 0; i < 2000 && !Files.exists(step("0.status")); i++) {
      Thread.sleep(10);
    }
    assertThat(step("0.status")).hasContent("0 10");
    assertThat(srun).isNotDone();
    lab.startDaemons();
    Said said = end(srun);
    assertThat(said.exitCode()).isEqualTo(128 + 10);
    assertThat(said.out()).isEqualTo("x".repeat(50_000) + "\n");
    for (int i = 0; i < 2000 && Files.exists(step("")); i++) {
      Thread.sleep(10);
    }
    assertThat(step("")).doesNotExist();
  }

  @Test
  void aTerminalOutlivesTheDaemon() throws Exception {
    terminal =
        new Terminal() {
          @Override
          public Size size() {
            return new Size(24, 80);
          }

          @Override
          public void raw() {}

          @Override
          public void restore() {}

          @Override
          public void onResize(Runnable then) {}
        };
    CompletableFuture<Said> srun =
        begin(
            begun(),
            "srun",
            "--pty",
            "sh",
            "-c",
            "trap 'echo hung up; exit 1' HUP; touch begun" + UNTIL + "stty size; exit 137");
    lab.stopDaemons();
    lab.startDaemons();
    Files.createFile(directory.resolve("go"));
    Said said = end(srun);
    assertThat(said.out()).endsWith("24 80\r\n");
    assertThat(said.exitCode()).isEqualTo(137);
    assertThat(said.err()).contains("Exited with exit code 137");
  }

  @ParameterizedTest
  @CsvSource({
    // Any signal counts more for srun than any exit code; for the step that of the first task.
    "-K0, '[ $SLURM_PROCID = 0 ] && exit 200; kill -9 $$', 137, 0:9, 0:9",
    "-K0, 'exit 137', 137, 137:0, 137:0",
    // Of exit codes the higher one of the first task that failed and of the last task counts.
    "-K0, '[ $SLURM_PROCID = 0 ] && { touch on; exit 3; }; until [ -e on ]; do sleep 0.05; done;"
        + " exit 2', 3, 3:0, 3:0",
    "-K1, '[ $SLURM_PROCID = 0 ] && { touch on; exec sleep 60; }; until [ -e on ]; do sleep 0.05;"
        + " done; exit 3', 143, 0:15, 3:0"
  })
  void theExitCodesOfTasksBecomeThoseOfSrunAndOfTheStep(
      String kill, String script, int srun, String job, String derived) throws Exception {
    assertThat(run("srun", "-n2", kill, "sh", "-c", script).exitCode()).isEqualTo(srun);
    assertThat(lab.awaitEnd(1).exitCode()).hasToString(job);
    assertThat(onlyJob().derivedExitCode()).hasToString(derived);
  }

  @ParameterizedTest
  @CsvSource({
    "exit 137, 137, Exited with exit code 137",
    "kill -9 $$, 137, Killed",
    "kill -INT $$, 130, Interrupt",
    "exit 7, 7, Exited with exit code 7"
  })
  void aSignalIsToldFromAnExitCode(String end, int code, String words) {
    Said said = run("srun", "sh", "-c", end);
    assertThat(said.exitCode()).isEqualTo(code);
    assertThat(said.err()).contains("srun: error: n1: task 0: " + words + "\n");
  }

  @Test
  void whoeverKillsTheKeeperOfAStepEndsIt() throws Exception {
    CompletableFuture<Said> srun =
        begin(begun(), "srun", "sh", "-c", "echo $$ > pid; touch begun; exec sleep 600");
    long task = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    String keeper = Files.readString(step("0.pid")).strip().split(" ")[0];
    Processes.signal(Integer.parseInt(keeper), Processes.SIGKILL);
    Said said = end(srun);
    assertThat(said.exitCode()).isEqualTo(128 + 9);
    assertThat(said.err()).contains("srun: error: n1: task 0: Killed\n");
    for (int i = 0; i < 1000 && Jobs.isAlive(task); i++) {
      Thread.sleep(10);
    }
    assertThat(Jobs.isAlive(task)).isFalse();
  }

  @Test
  void whatATaskLeavesInTheBackgroundDoesNotKeepItsStep() throws Exception {
    Said said =
        run("srun", "sh", "-c", "sleep 600 & echo $! > left; setsid sleep 600 & echo $! > far");
    assertThat(said.exitCode()).isZero();
    for (String file : List.of("left", "far")) {
      long pid = Long.parseLong(Files.readString(directory.resolve(file)).strip());
      for (int i = 0; i < 1000 && Jobs.isAlive(pid); i++) {
        Thread.sleep(10);
      }
      assertThat(Jobs.isAlive(pid)).isFalse();
    }
  }

  @Test
  void theControllerKnowsTheStepsThatRanBeforeItsRestart() throws Exception {
    assertThat(run("salloc", "-N2", "--no-shell").exitCode()).isZero();
    environment.put("SLURM_JOB_ID", "1");
    assertThat(run("srun", "-n1", "true").exitCode()).isZero();
    begin(
        begun(),
        "srun",
        "-N2",
        "-n2",
        "sh",
        "-c",
        "touch begun; [ $SLURM_PROCID = 0 ] && exit 3" + UNTIL);
    for (int i = 0; i < 1000 && !oneNodeIsDone(); i++) {
      Thread.sleep(10);
    }
    server.close();
    lab.stopAll();
    lab.startController();
    assertThat(lab.controller().steps().all())
        .extracting(JobStep::displayId)
        .containsExactly("1.1");
    lab.startDaemons();
    server = TestServer.of(lab.controller(), InstantSource.system(), ZoneOffset.UTC);
    Files.writeString(
        directory.resolve("client.conf"),
        "SlurmctldHost=vm(127.0.0.1)\nSlurmctldPort=" + server.endpoint().port() + "\n");
    assertThat(run("squeue", "-s").out()).containsPattern("1\\.1 +sh");
    Files.createFile(directory.resolve("go"));
    lab.await(1, job -> job.derivedExitCode().equals(new ExitCode(3, 0)));
    assertThat(run("squeue", "-sh").out()).isEmpty();
    assertThat(run("srun", "-n1", "sh", "-c", "echo $SLURM_STEP_ID").out()).isEqualTo("2\n");
  }

  private boolean oneNodeIsDone() {
    JobSteps steps = Objects.requireNonNull(lab.controller().state().steps().get(1));
    return !steps.running().getFirst().ended().isEmpty();
  }
}
