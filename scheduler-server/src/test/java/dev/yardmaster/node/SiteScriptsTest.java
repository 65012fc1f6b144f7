package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Prolog and Epilog of jobs and tasks, with real programs on two nodes. */
class SiteScriptsTest {
  @TempDir Path directory;
  private @Nullable DaemonLab started;

  @AfterEach
  void stop() {
    if (started != null) {
      started.close();
    }
  }

  private void start(Map<String, String> settings) throws Exception {
    Map<String, String> all =
        new TreeMap<>(Map.of("KillWait", "1", "SchedulerParameters", "batch_sched_delay=0"));
    all.putAll(settings);
    ClusterConfig config = TestCluster.config(2, all);
    started = new DaemonLab(config, directory);
  }

  private DaemonLab lab() {
    return Objects.requireNonNull(started);
  }

  private String program(String name, String text) throws Exception {
    Path file = directory.resolve(name);
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    Files.writeString(file, "#!/bin/sh\ncd '" + directory + "'\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return file.toString();
  }

  private Node awaitNode(String name, NodeFlag flag) throws Exception {
    return lab().awaitNode(name, n -> n.status().has(flag));
  }

  private String text(String file) throws Exception {
    return Files.readString(directory.resolve(file));
  }

  @Test
  void prologRunsBeforeTheScriptAndEpilogAfterItWithWhatTheyNeedToKnow() throws Exception {
    start(
        Map.of(
            "Prolog",
            program(
                "prolog",
                "echo $SLURM_SCRIPT_CONTEXT $SLURM_JOB_USER $SLURM_JOB_NODELIST $SLURM_JOB_GPUS"
                    + " > said; sleep 0.3; echo ready >> said"),
            "Epilog",
            program(
                "epilog",
                "echo epilog $SLURM_JOB_EXIT_CODE2 $SLURMD_NODENAME >> said.$SLURMD_NODENAME")));
    int id = lab().submit("cat said; exit 3", "nodes=2", "gres=gpu:2");
    Job job = lab().awaitEnd(id);
    assertThat(job.exitCode()).isEqualTo(new ExitCode(3, 0));
    assertThat(text("slurm-" + id + ".out"))
        .isEqualTo("prolog_slurmd " + DaemonLab.ME.user() + " n[1-2] 0,1\nready\n");
    // Epilog runs on every node, also where nothing of the job ran, and before the node is free.
    assertThat(text("said.n1")).isEqualTo("epilog 3:0 n1\n");
    assertThat(text("said.n2")).isEqualTo("epilog 3:0 n2\n");
  }

  @Test
  void severalProgramsRunInReverseOrderUntilOneFails() throws Exception {
    program("prolog.d/10", "echo 10 >> order");
    program("prolog.d/20", "echo 20 >> order; exit 1");
    program("prolog.d/30", "echo 30 >> order");
    start(Map.of("Prolog", directory + "/prolog.d/*"));
    int id = lab().submit("true", "nodelist=n2");
    lab().await(id, j -> j.reason() == Reason.JOB_HELD_USER);
    assertThat(text("order")).isEqualTo("30\n20\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nohold_on_prolog_fail"})
  void aNodeWhosePrologFailsIsDrainedAndTheJobWaitsHeldUnlessTheSiteDoesNotWantThat(String wish)
      throws Exception {
    start(
        Map.of(
            "SchedulerParameters",
            "batch_sched_delay=0," + wish,
            "Prolog",
            program("prolog", "[ $SLURMD_NODENAME = n1 ] && exit 1; exit 0")));
    int id = lab().submit("echo $SLURMD_NODENAME $SLURM_RESTART_COUNT");
    Node n1 = awaitNode("n1", NodeFlag.DRAIN);
    assertThat(n1.status().reason()).isEqualTo("Prolog error");
    Job waits = lab().await(id, j -> j.restarts() == 1 && !j.holdsResources());
    if (wish.isEmpty()) {
      assertThat(waits.state()).isEqualTo(JobState.PENDING);
      assertThat(waits.reason()).isEqualTo(Reason.JOB_HELD_USER);
      assertThat(waits.reasonText()).isEqualTo("launch failed requeued held");
      assertThat(waits.priority()).isZero();
    } else {
      assertThat(waits.hold()).isEqualTo(Hold.NONE);
    }
  }

  @Test
  void aJobThatMayNotBeRequeuedIsCancelledWherePrologFailsUnlessTheFlagSaysOtherwise()
      throws Exception {
    start(Map.of("Prolog", program("prolog", "exit 7")));
    int id = lab().submit("true", "no-requeue");
    assertThat(lab().awaitEnd(id).state()).isEqualTo(JobState.CANCELLED);
    awaitNode("n1", NodeFlag.DRAIN);
  }

  @Test
  void aPrologThatHangsIsKilledAndCountsAsFailed() throws Exception {
    start(Map.of("PrologTimeout", "1", "Prolog", program("prolog", "echo $$ > pid; sleep 600")));
    int id = lab().submit("true");
    lab().await(id, j -> j.reason() == Reason.JOB_HELD_USER);
    awaitNode("n1", NodeFlag.DRAIN);
    assertThat(Jobs.isAlive(Long.parseLong(text("pid").strip()))).isFalse();
  }

  @Test
  void aJobThatIsCancelledDuringPrologNeverStartsAndStillGetsItsEpilog() throws Exception {
    start(
        Map.of(
            "Prolog",
            program("prolog", "touch begun; while [ ! -e go ]; do sleep 0.05; done; touch over"),
            "Epilog",
            program("epilog", "[ -e over ] && echo after > epilog")));
    int id = lab().submit("touch ran");
    lab().awaitFile("begun");
    lab().handle(new Command.CancelJobs(DaemonLab.ME, List.of("" + id), Immutable.sortedMap(), ""));
    assertThat(Objects.requireNonNull(lab().controller().state().job(id)).holdsResources())
        .isTrue();
    Files.createFile(directory.resolve("go"));
    lab().awaitEnd(id);
    assertThat(text("epilog")).isEqualTo("after\n");
    assertThat(directory.resolve("ran")).doesNotExist();
  }

  @Test
  void aNodeWhoseEpilogFailsOrHangsIsDrainedAndTheJobIsOver() throws Exception {
    start(
        Map.of(
            "EpilogTimeout",
            "1",
            "Epilog",
            program("epilog", "[ $SLURMD_NODENAME = n1 ] && exit 1; sleep 600")));
    int id = lab().submit("true", "nodes=2");
    assertThat(lab().awaitEnd(id).state()).isEqualTo(JobState.COMPLETED);
    for (String node : List.of("n1", "n2")) {
      assertThat(awaitNode(node, NodeFlag.DRAIN).status().reason()).isEqualTo("Epilog error");
    }
  }

  @Test
  void epilogThatADaemonLeftIsRunByTheNextOne() throws Exception {
    start(
        Map.of(
            "Epilog",
            program(
                "epilog", "echo x >> times; while [ ! -e go ]; do sleep 0.05; done; touch done")));
    int id = lab().submit("true");
    lab().awaitFile("times");
    lab().stopAll();
    lab().startController();
    lab().startDaemons();
    Files.createFile(directory.resolve("go"));
    lab().awaitEnd(id);
    lab().awaitFile("done");
    assertThat(text("times")).isEqualTo("x\nx\n");
  }

  @Test
  void withAllocPrologRunsOnEveryNodeWhenTheJobIsAllocated() throws Exception {
    start(
        Map.of(
            "PrologFlags", "Alloc", "Prolog", program("prolog", "touch prolog.$SLURMD_NODENAME")));
    int id = lab().submit("while [ ! -e prolog.n2 ]; do sleep 0.05; done", "nodes=2");
    assertThat(lab().awaitEnd(id).state()).isEqualTo(JobState.COMPLETED);
    assertThat(directory.resolve("prolog.n1")).exists();
  }

  @Test
  void taskPrologChangesTheEnvironmentAndTaskEpilogRunsAsTheUser() throws Exception {
    start(
        Map.of(
            "TaskProlog",
            program(
                "tp",
                "echo export A=1 2; echo print hello $SLURM_JOB_ID; echo unset B;"
                    + " echo 'export PID='$SLURM_TASK_PID"),
            "TaskEpilog",
            program("te", "echo $A over >> after")));
    int id = lab().submit("echo \"[$A][$B]\"; [ $PID = $$ ] && echo same; exit 4", "comment=x");
    assertThat(lab().awaitEnd(id).exitCode()).isEqualTo(new ExitCode(4, 0));
    assertThat(text("slurm-" + id + ".out")).isEqualTo("hello " + id + "\n[1 2][]\nsame\n");
    lab().awaitFile("after");
  }

  @Test
  void aTaskPrologThatFailsIsTheEndOfTheTask() throws Exception {
    start(Map.of("TaskProlog", program("tp", "exit 9")));
    int id = lab().submit("touch ran");
    assertThat(lab().awaitEnd(id).exitCode()).isEqualTo(new ExitCode(9, 0));
    assertThat(text("slurm-" + id + ".out")).contains("TaskProlog failed status=9");
    assertThat(directory.resolve("ran")).doesNotExist();
  }
}
