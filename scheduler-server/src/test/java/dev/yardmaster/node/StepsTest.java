package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.cli.Terminal;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** srun and salloc before a controller and the daemons of two nodes, with real processes. */
class StepsTest extends StepsLab {
  @Test
  void tasksRunOnTheirNodesAndTheirOutputComesBackWithTheirNumbers() {
    Said said =
        run("srun", "-N2", "-n3", "-l", "sh", "-c", "echo $SLURMD_NODENAME of $SLURM_NTASKS");
    assertThat(said.err()).isEmpty();
    assertThat(said.exitCode()).isZero();
    assertThat(said.out().lines())
        .containsExactlyInAnyOrder("0: n1 of 3", "1: n1 of 3", "2: n2 of 3");
  }

  @Test
  void theWorstExitCodeIsThatOfSrunAndOfTheJob() {
    Said said = run("srun", "-n2", "sh", "-c", "echo gone >&2; exit $((SLURM_PROCID * 3))");
    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(said.err()).contains("gone\n", "srun: error: n1: task 1: Exited with exit code 3");
    assertThat(onlyJob().state()).isIn(JobState.FAILED);
    assertThat(onlyJob().exitCode().code()).isEqualTo(3);
  }

  @Test
  void withWaitTheOthersEndSomeTimeAfterTheFirst() {
    Said said = run("srun", "-n2", "--wait=1", "sh", "-c", "sleep $((SLURM_PROCID * 60))");
    assertThat(said.err())
        .contains("srun: First task exited 1s ago", " task 1: running", " task 0: exited");
    assertThat(said.exitCode()).isNotZero();
  }

  @Test
  void theStandardInputReachesEveryTask() {
    input = "one line\n";
    Said said = run("srun", "-n2", "cat");
    assertThat(said.exitCode()).isZero();
    assertThat(said.out()).isEqualTo("one line\none line\n");
  }

  @Test
  void aTaskThatReadsNothingOfALongInputEndsAllTheSame() {
    input = "a long line of input\n".repeat(20_000);
    Said said = run("srun", "sh", "-c", "exit 3");
    assertThat(said.exitCode()).isEqualTo(3);
  }

  @Test
  void aCommandThatIsNotThereFailsAsWithExec() {
    Said said = run("srun", "/nonexistent");
    assertThat(said.exitCode()).isEqualTo(2);
    assertThat(said.err())
        .contains("execve(): /nonexistent: No such file or directory")
        .contains("srun: error: n1: task 0: Exited with exit code 2");
  }

  @Test
  void aTaskThatASignalEndsIsSaidSo() {
    Said said = run("srun", "sh", "-c", "kill -SEGV $$");
    assertThat(said.exitCode()).isEqualTo(128 + 11);
    assertThat(said.err()).contains("srun: error: n1: task 0: Segmentation fault");
  }

  @Test
  void sallocRunsItsCommandInTheAllocationAndGivesItBack() throws Exception {
    Path seen = directory.resolve("seen");
    Said said = run("salloc", "-N2", "sh", "-c", "echo $SLURM_JOB_NODELIST > " + seen + "; exit 7");
    assertThat(said.exitCode()).isEqualTo(7);
    assertThat(said.err().lines())
        .containsExactly(
            "salloc: Granted job allocation 1",
            "salloc: Nodes n[1-2] are ready for job",
            "salloc: Relinquishing job allocation 1");
    assertThat(seen).hasContent("n[1-2]");
    assertThat(onlyJob().exitCode().code()).isEqualTo(7);
  }

  @Test
  void stepsOfAnAllocationAreListedSignalledAndCounted() throws Exception {
    assertThat(run("salloc", "-N1", "-n2", "--no-shell").exitCode()).isZero();
    environment.put("SLURM_JOB_ID", "1");
    Path begun = directory.resolve("begun");
    CompletableFuture<Said> step =
        CompletableFuture.supplyAsync(
            () -> run("srun", "-n1", "-J", "lay", "sh", "-c", "touch " + begun + "; sleep 60"));
    while (!Files.exists(begun)) {
      assertThat(step).isNotDone();
      Thread.sleep(10);
    }
    assertThat(run("squeue", "-s").out()).containsPattern("1\\.0 +lay");
    assertThat(run("scontrol", "show", "step", "1.0").out()).contains("StepId=1.0", "Tasks=1");
    assertThat(run("srun", "-n9", "true").err())
        .startsWith("srun: error: Unable to create step for job 1: More processors requested");
    assertThat(run("scancel", "1.0").exitCode()).isZero();
    Said ended = step.get(20, TimeUnit.SECONDS);
    assertThat(ended.exitCode()).isEqualTo(128 + 15);
    assertThat(ended.err()).contains("srun: error: n1: task 0: Terminated");
    assertThat(run("srun", "-n1", "sh", "-c", "echo $SLURM_STEP_ID").out()).isEqualTo("1\n");
    assertThat(onlyJob().state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void whatAnInteractiveJobHasRunningEndsWithIt() throws Exception {
    Path begun = directory.resolve("begun");
    CompletableFuture<Said> step =
        CompletableFuture.supplyAsync(
            () -> run("srun", "sh", "-c", "touch " + begun + "; sleep 60"));
    while (!Files.exists(begun)) {
      assertThat(step).isNotDone();
      Thread.sleep(10);
    }
    assertThat(run("scancel", "1").exitCode()).isZero();
    assertThat(step.get(20, TimeUnit.SECONDS).exitCode()).isNotZero();
    assertThat(onlyJob().state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  void aSuspendedInteractiveJobStopsItsStepsUntilItIsResumed() throws Exception {
    assertThat(run("salloc", "-N1", "--no-shell").exitCode()).isZero();
    environment.put("SLURM_JOB_ID", "1");
    Path pid = directory.resolve("pid");
    Path end = directory.resolve("end");
    String loop = "echo $$ > %s.new; mv %s.new %s; while [ ! -e %s ]; do sleep 0.05; done";
    CompletableFuture<Said> step =
        CompletableFuture.supplyAsync(
            () -> run("srun", "sh", "-c", loop.formatted(pid, pid, pid, end)));
    while (!Files.exists(pid)) {
      assertThat(step).isNotDone();
      Thread.sleep(10);
    }
    long task = Long.parseLong(Files.readString(pid).strip());
    assertThat(run("scontrol", "suspend", "1").exitCode()).isZero();
    for (int i = 0; i < 800 && NodeDaemonTest.state(task) != 'T'; i++) {
      Thread.sleep(25);
    }
    assertThat(NodeDaemonTest.state(task)).isEqualTo('T');
    Files.createFile(end);
    assertThat(run("scontrol", "resume", "1").exitCode()).isZero();
    assertThat(step.get(20, TimeUnit.SECONDS).exitCode()).isZero();
  }

  @Test
  void tasksOfSeveralComponentsAreNumberedThroughAndSeeOneStep() {
    String line = "echo %s $SLURM_PROCID $SLURM_NTASKS $SLURM_NODEID $SLURM_JOB_ID";
    Said said =
        run(
            "srun",
            "-l",
            "-n1",
            "sh",
            "-c",
            line.formatted("a"),
            ":",
            "-n2",
            "sh",
            "-c",
            line.formatted("b") + " $SLURM_GTIDS $SLURM_JOB_NODELIST; exit 3");
    assertThat(said.out().lines())
        .hasSize(3)
        .contains("0: a 0 3 0 1")
        .anyMatch(l -> l.matches("1: b 1 3 1 1 1,2 n.*"))
        .anyMatch(l -> l.matches("2: b 2 3 1 1 1,2 n.*"));
    assertThat(said.err()).contains(": tasks 0-1: Exited with exit code 3");
    assertThat(said.exitCode()).isEqualTo(3);
    assertThat(lab.controller().state().jobs().values())
        .extracting(Job::displayId)
        .containsExactlyInAnyOrder("1+0", "1+1");
    assertThat(lab.controller().state().jobs().values()).allMatch(job -> job.state().isFinished());
  }

  @Test
  void aComponentWithoutACommandRunsThatOfTheNextAndTheLastMustHaveOne() {
    assertThat(run("srun", "-l", "-n1", ":", "-n1", "echo", "x").out().lines())
        .containsExactlyInAnyOrder("0: x", "1: x");
    assertThat(run("srun", "-n1", "echo", ":").err())
        .isEqualTo("srun: fatal: No command given to execute.\n");
  }

  @Test
  void sallocHoldsAllComponentsAndNamesTheirVariables() throws Exception {
    Path seen = directory.resolve("seen");
    Said said =
        run(
            "salloc",
            "-n1",
            ":",
            "-n2",
            "sh",
            "-c",
            "echo $SLURM_HET_SIZE $SLURM_JOB_ID $SLURM_JOB_ID_HET_GROUP_1 $SLURM_NTASKS"
                + " $SLURM_NTASKS_HET_GROUP_1 > "
                + seen);
    assertThat(said.exitCode()).isZero();
    assertThat(said.err())
        .contains("salloc: Granted job allocation 1\n", " are ready for job\nsalloc: Nodes ")
        .endsWith("salloc: Relinquishing job allocation 1\n");
    assertThat(seen).hasContent("2 1 2 3 2");
    assertThat(lab.controller().state().jobs().values()).hasSize(2);
  }

  @Test
  void hetGroupsChooseComponentsOfTheAllocation() {
    assertThat(run("salloc", "-n1", ":", "-n2", "--no-shell").exitCode()).isZero();
    environment.putAll(
        Map.of(
            "SLURM_JOB_ID",
            "1",
            "SLURM_HET_SIZE",
            "2",
            "SLURM_NTASKS",
            "3",
            "SLURM_NTASKS_HET_GROUP_0",
            "1",
            "SLURM_NTASKS_HET_GROUP_1",
            "2"));
    String[] say = {"sh", "-c", "echo $SLURM_PROCID $SLURM_JOB_ID"};
    assertThat(run("srun", say[0], say[1], say[2]).out()).isEqualTo("0 1\n");
    assertThat(run("srun", "--het-group=1", say[0], say[1], say[2]).out().lines())
        .containsExactlyInAnyOrder("0 1", "1 1");
    assertThat(run("srun", "--het-group=0-1", say[0], say[1], say[2]).out().lines())
        .containsExactlyInAnyOrder("0 1", "1 1", "2 1");
    assertThat(run("srun", "--het-group=2", "true").err())
        .isEqualTo(
            "srun: error: Requested het-group offset exceeds highest hetjob index (2 > 1)\n");
    assertThat(run("srun", "--het-group=x", "true").err())
        .contains("srun: error: Invalid --het-group value: x\n");
    assertThat(run("srun", "--het-group=1", "true", ":", "--het-group=1", "true").err())
        .isEqualTo("srun: fatal: Duplicate het groups in single srun not supported\n");
    environment.clear();
  }

  @Test
  void componentsInAnOrdinaryAllocationHaveNodesOfTheirOwn() {
    assertThat(run("salloc", "-N2", "--no-shell").exitCode()).isZero();
    environment.put("SLURM_JOB_ID", "1");
    assertThat(
            run(
                    "srun",
                    "-l",
                    "-n1",
                    "sh",
                    "-c",
                    "echo $SLURMD_NODENAME",
                    ":",
                    "-n1",
                    "sh",
                    "-c",
                    "echo $SLURMD_NODENAME")
                .out()
                .lines())
        .containsExactlyInAnyOrder("0: n1", "1: n2");
    assertThat(run("srun", "-N2", "true", ":", "-n1", "true").err())
        .endsWith(
            "srun: error: Allocation failure of 1 nodes: job size of 2, already allocated 2 nodes"
                + " to previous components.\n");
  }

  /** A terminal of 24 lines that becomes one of 50 when told so. */
  private static final class FakeTerminal implements Terminal {
    private final CompletableFuture<Runnable> onResize = new CompletableFuture<>();
    private volatile Size size = new Size(24, 80);
    private volatile boolean raw;

    @Override
    public Size size() {
      return size;
    }

    @Override
    public void raw() {
      raw = true;
    }

    @Override
    public void restore() {
      raw = false;
    }

    @Override
    public void onResize(Runnable then) {
      onResize.complete(then);
    }

    void resize() throws Exception {
      size = new Size(50, 132);
      onResize.get(20, TimeUnit.SECONDS).run();
    }
  }

  @Test
  void withPtyTheFirstTaskRunsOnATerminalThatChangesWithTheOneOfSrun() throws Exception {
    FakeTerminal typed = new FakeTerminal();
    terminal = typed;
    Path begun = directory.resolve("begun");
    String script =
        "test $SLURM_PROCID = 0 || exit 0; trap 'stty size; exit 5' WINCH; test -t 0 && test -t 1"
            + " && test -t 2 && tty; stty size; read word; echo got $word; touch "
            + begun
            + "; while :; do sleep 0.05; done";
    input = "hello\n";
    CompletableFuture<Said> step =
        CompletableFuture.supplyAsync(() -> run("srun", "-n2", "--pty", "sh", "-c", script));
    while (!Files.exists(begun)) {
      assertThat(step).isNotDone();
      Thread.sleep(10);
    }
    assertThat(typed.raw).isTrue();
    typed.resize();
    Said said = step.get(20, TimeUnit.SECONDS);
    assertThat(said.exitCode()).isEqualTo(5);
    assertThat(said.out())
        .containsPattern("/dev/pts/[0-9]+\r\n")
        .contains("24 80\r\n", "got hello\r\n")
        .endsWith("50 132\r\n");
    assertThat(said.err()).contains("srun: error: n1: task 0: Exited with exit code 5\r\n");
    assertThat(typed.raw).isFalse();
  }

  @Test
  void withoutATerminalPtyIsDisregarded() {
    Said said = run("srun", "--pty", "sh", "-c", "test -t 0 || echo none");
    assertThat(said.out()).isEqualTo("none\n");
    assertThat(said.err())
        .isEqualTo(
            "srun: error: ioctl(TIOCGWINSZ): Inappropriate ioctl for device\n"
                + "srun: error: Not using a pseudo-terminal, disregarding --pty option\n");
    assertThat(run("srun", "--pty=x", "true").err())
        .isEqualTo("srun: fatal: --pty=x must be numeric file descriptor\n");
  }

  @Test
  void whatScontrolNotifySaysIsHeardByTheOneWhoWaitsOrWrittenIntoTheOutput() throws Exception {
    Path end = directory.resolve("end");
    String loop = "touch %s; while [ ! -e " + end + " ]; do sleep 0.05; done";
    Path begun = directory.resolve("begun");
    CompletableFuture<Said> step =
        CompletableFuture.supplyAsync(() -> run("srun", "sh", "-c", loop.formatted(begun)));
    int batch = lab.submit(loop.formatted(directory.resolve("batch")), "output=out");
    while (!Files.exists(begun) || !Files.exists(directory.resolve("batch"))) {
      assertThat(step).isNotDone();
      Thread.sleep(10);
    }
    int interactive = batch == 1 ? 2 : 1;
    assertThat(run("scontrol", "notify", "" + interactive, "hello", "there").exitCode()).isZero();
    assertThat(run("scontrol", "notify", "" + batch, "mind the gap").exitCode()).isZero();
    Path out = directory.resolve("out");
    for (int i = 0; i < 600 && !Files.readString(out).contains("mind"); i++) {
      Thread.sleep(50);
    }
    // The one who waits asks each second; it is to have heard before it ends.
    Thread.sleep(1500);
    Files.createFile(end);
    assertThat(step.get(20, TimeUnit.SECONDS).err()).contains("srun: hello there\n");
    assertThat(out).content().containsPattern("^\\[[-0-9T:.]+] error: mind the gap\n");
    assertThat(run("scontrol", "notify", "99", "x").err())
        .startsWith("job notify failure: Invalid job id specified");
    assertThat(run("scontrol", "notify", "" + batch).err())
        .startsWith("too few arguments for keyword:notify");
  }
}
