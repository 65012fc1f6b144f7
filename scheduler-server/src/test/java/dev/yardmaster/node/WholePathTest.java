package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller and the daemons of two nodes, without a wire between them. */
class WholePathTest {
  private static final ClusterConfig CONFIG = config();

  @TempDir Path directory;
  private DaemonLab lab;

  @BeforeEach
  void start() throws Exception {
    lab = new DaemonLab(CONFIG, directory);
  }

  /** The partition other preempts main, whose jobs have time to save their work. */
  private static ClusterConfig config() {
    ClusterConfig config =
        TestCluster.config(
            2,
            Map.of(
                "KillWait", "1",
                "MessageTimeout", "1",
                "ReturnToService", "2",
                "PreemptType", "preempt/partition_prio",
                "PreemptMode", "CANCEL",
                "PreemptParameters", "send_user_signal"));
    return config.withPartitions(
        config.partitions().stream()
            .map(
                p ->
                    p.isDefault()
                        ? p.withOther(new TreeMap<>(Map.of("GraceTime", "2")))
                        : p.withPriorityTier(9))
            .toList());
  }

  @AfterEach
  void stop() {
    lab.close();
  }

  @Test
  void aScriptThatWasSubmittedRunsAndItsOutcomeIsKnown() throws Exception {
    int id =
        lab.submit("echo $SLURM_JOB_NODELIST $SLURM_JOB_GPUS; exit 3", "nodes=2", "gres=gpu:2");
    Job job = lab.awaitEnd(id);
    assertThat(job.state()).isEqualTo(JobState.FAILED);
    assertThat(job.exitCode()).isEqualTo(new ExitCode(3, 0));
    assertThat(Files.readString(directory.resolve("slurm-" + id + ".out")))
        .isEqualTo("n[1-2] 0,1\n");
  }

  @Test
  void anArrayRunsTaskByTask() throws Exception {
    int id =
        lab.submit(
            "echo $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT/$SLURM_ARRAY_TASK_MAX",
            "array=3,5,7",
            "output=%A-%a.txt");
    lab.await(id, j -> j.array() != null && j.array().taskId() != null);
    for (Job task : List.copyOf(lab.controller().state().jobs().values())) {
      assertThat(lab.awaitEnd(task.id()).state()).isEqualTo(JobState.COMPLETED);
    }
    assertThat(Files.readString(directory.resolve(id + "-5.txt"))).isEqualTo("5/3/7\n");
  }

  @Test
  void aCancelledJobLeavesNothingOnItsNode() throws Exception {
    int id = lab.submit("setsid sleep 600 & echo $! > child; sleep 600");
    lab.await(id, j -> j.state() == JobState.RUNNING);
    lab.awaitFile("child");
    lab.handle(new Command.CancelJobs(DaemonLab.ME, List.of("" + id), Immutable.sortedMap(), ""));
    assertThat(lab.awaitEnd(id).state()).isEqualTo(JobState.CANCELLED);
    long child = Long.parseLong(Files.readString(directory.resolve("child")).strip());
    assertThat(Jobs.isAlive(child)).isFalse();
  }

  @Test
  void jobsOutliveTheControllerAndTheDaemons() throws Exception {
    int id = lab.submit("touch begun; while [ ! -e go ]; do sleep 0.05; done; echo done; exit 7");
    lab.await(id, j -> j.state() == JobState.RUNNING);
    lab.awaitFile("begun");
    lab.stopAll();
    Files.createFile(directory.resolve("go"));
    lab.awaitFile("spool-n1/" + id + ".0/status");
    lab.startController();
    assertThat(Objects.requireNonNull(lab.controller().state().job(id)).state())
        .isEqualTo(JobState.RUNNING);
    lab.startDaemons();
    Job job = lab.awaitEnd(id);
    assertThat(job.exitCode()).isEqualTo(new ExitCode(7, 0));
    assertThat(job.restarts()).isZero();
    assertThat(Files.readString(directory.resolve("slurm-" + id + ".out"))).isEqualTo("done\n");
  }

  @Test
  void aJobThatCannotBeLaunchedIsHeldWithItsCause() throws Exception {
    Identity stranger = new Identity("stranger", 54_321, "x", 54_321);
    Reply reply = lab.handle(new Command.Submit(stranger, TestCluster.submission()));
    int id = ((Reply.Submitted) reply).jobId();
    Job job =
        lab.await(id, j -> j.reason() == Reason.JOB_LAUNCH_FAILURE && !j.reasonText().isEmpty());
    assertThat(job.reasonText()).contains("stranger");
    assertThat(job.state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void outputThatCannotBeOpenedIsTheReasonOfTheFailure() throws Exception {
    int id = lab.submit("true", "output=/nonexistent/x");
    Job job = lab.await(id, j -> j.state().isFinished() && !j.reasonText().isEmpty());
    assertThat(job.exitCode()).isEqualTo(new ExitCode(0, 53));
    assertThat(job.reasonText()).contains("/nonexistent/x");
  }

  @Test
  void aPreemptedJobSavesItsWorkAtTheSignalItAskedForAndLeaves() throws Exception {
    int low =
        lab.submit(
            "trap 'touch saved; exit 3' USR1; touch ready; while :; do sleep 0.05; done",
            "signal=B:USR1@5",
            "nodes=2-2",
            "exclusive");
    lab.awaitFile("ready");
    int high = lab.submit("touch went", "partition=other", "exclusive");
    lab.awaitFile("saved");
    assertThat(lab.awaitEnd(low).preemption()).isNotNull();
    assertThat(lab.awaitEnd(high).state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void aPreemptedJobThatGoesOnIsMadeToLeaveAfterItsGraceTime() throws Exception {
    int low =
        lab.submit(
            "trap 'touch told' USR1; touch ready; while :; do sleep 0.05; done",
            "signal=B:USR1",
            "nodes=2-2",
            "exclusive");
    lab.awaitFile("ready");
    int high = lab.submit("touch went", "partition=other", "exclusive");
    lab.awaitFile("told");
    assertThat(lab.awaitEnd(low).state()).isEqualTo(JobState.PREEMPTED);
    assertThat(lab.awaitEnd(high).state()).isEqualTo(JobState.COMPLETED);
  }
}
