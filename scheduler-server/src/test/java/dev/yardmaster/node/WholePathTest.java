package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.ControllerParts;
import dev.yardmaster.controller.DefaultController;
import dev.yardmaster.controller.EngineAdmission;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A controller and the daemons of two nodes, without a wire between them. */
class WholePathTest {
  private static final ClusterConfig CONFIG = config();

  @TempDir Path directory;
  private final NodeLinks links = new NodeLinks();
  private final List<NodeDaemon> daemons = new ArrayList<>();
  private final Identity me =
      new Identity(System.getProperty("user.name"), new Users().ownUid(), "", 0);
  private Controller controller;

  @BeforeEach
  void start() throws Exception {
    controller = newController();
    startDaemons();
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

  private Controller newController() {
    return DefaultController.start(
        new ControllerParts(
            SqliteJournal.open(directory.resolve("state")),
            Engine::step,
            new EngineAdmission(),
            links,
            () -> CONFIG,
            InstantSource.system(),
            ZoneOffset.UTC,
            ControllerParts.Tuning.DEFAULT));
  }

  private void startDaemons() throws Exception {
    for (var spec : CONFIG.nodes()) {
      NodeDaemon daemon =
          new NodeDaemon(
              new NodeDaemon.Setup(
                  spec, "lab", directory.resolve("spool-" + spec.name()), false, "0.1"));
      daemons.add(daemon);
      links.attach(spec.name(), daemon);
      daemon.connected(controller::handle);
    }
  }

  @AfterEach
  void stop() {
    controller.close();
    daemons.forEach(NodeDaemon::close);
  }

  private int submit(String script, String... options) throws Exception {
    Reply reply =
        controller
            .handle(
                new Command.Submit(
                    me,
                    TestCluster.submission(options)
                        .with(
                            s ->
                                s.script("#!/bin/sh\n" + script + "\n")
                                    .workDir(directory.toString())
                                    .environment(
                                        Immutable.sortedMap(Map.of("PATH", "/usr/bin:/bin"))))))
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
    assertThat(reply).isInstanceOf(Reply.Submitted.class);
    return ((Reply.Submitted) reply).jobId();
  }

  private Job await(int id, Predicate<Job> wanted) throws Exception {
    CompletableFuture<Job> reached = new CompletableFuture<>();
    Runnable unfollow =
        controller.follow(
            new Controller.Follower() {
              @Override
              public void start(ClusterState state, long sequence) {
                look(state.job(id));
              }

              @Override
              public void next(List<Event> events, ClusterState after, long sequence) {
                look(after.job(id));
              }

              private void look(@Nullable Job job) {
                if (job != null && wanted.test(job)) {
                  reached.complete(job);
                }
              }
            });
    try {
      return reached.get(30, TimeUnit.SECONDS);
    } finally {
      unfollow.run();
    }
  }

  private Job awaitEnd(int id) throws Exception {
    return await(id, j -> j.state().isFinished() && !j.holdsResources());
  }

  private void awaitFile(String name) throws InterruptedException {
    for (int i = 0; i < 600 && !Files.exists(directory.resolve(name)); i++) {
      Thread.sleep(50);
    }
    assertThat(directory.resolve(name)).exists();
  }

  @Test
  void aScriptThatWasSubmittedRunsAndItsOutcomeIsKnown() throws Exception {
    int id = submit("echo $SLURM_JOB_NODELIST $SLURM_JOB_GPUS; exit 3", "nodes=2", "gres=gpu:2");
    Job job = awaitEnd(id);
    assertThat(job.state()).isEqualTo(JobState.FAILED);
    assertThat(job.exitCode()).isEqualTo(new ExitCode(3, 0));
    assertThat(Files.readString(directory.resolve("slurm-" + id + ".out")))
        .isEqualTo("n[1-2] 0,1\n");
  }

  @Test
  void anArrayRunsTaskByTask() throws Exception {
    int id =
        submit(
            "echo $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT/$SLURM_ARRAY_TASK_MAX",
            "array=3,5,7",
            "output=%A-%a.txt");
    await(id, j -> j.array() != null && j.array().taskId() != null);
    for (Job task : List.copyOf(controller.state().jobs().values())) {
      assertThat(awaitEnd(task.id()).state()).isEqualTo(JobState.COMPLETED);
    }
    assertThat(Files.readString(directory.resolve(id + "-5.txt"))).isEqualTo("5/3/7\n");
  }

  @Test
  void aCancelledJobLeavesNothingOnItsNode() throws Exception {
    int id = submit("setsid sleep 600 & echo $! > child; sleep 600");
    await(id, j -> j.state() == JobState.RUNNING);
    awaitFile("child");
    controller.handle(new Command.CancelJobs(me, List.of("" + id), Immutable.sortedMap(), ""));
    assertThat(awaitEnd(id).state()).isEqualTo(JobState.CANCELLED);
    long child = Long.parseLong(Files.readString(directory.resolve("child")).strip());
    assertThat(Jobs.isAlive(child)).isFalse();
  }

  @Test
  void jobsOutliveTheControllerAndTheDaemons() throws Exception {
    int id = submit("touch begun; while [ ! -e go ]; do sleep 0.05; done; echo done; exit 7");
    await(id, j -> j.state() == JobState.RUNNING);
    awaitFile("begun");
    controller.close();
    daemons.forEach(NodeDaemon::close);
    daemons.clear();
    Files.createFile(directory.resolve("go"));
    awaitFile("spool-n1/" + id + ".0/status");
    controller = newController();
    assertThat(Objects.requireNonNull(controller.state().job(id)).state())
        .isEqualTo(JobState.RUNNING);
    startDaemons();
    Job job = awaitEnd(id);
    assertThat(job.exitCode()).isEqualTo(new ExitCode(7, 0));
    assertThat(job.restarts()).isZero();
    assertThat(Files.readString(directory.resolve("slurm-" + id + ".out"))).isEqualTo("done\n");
  }

  @Test
  void aJobThatCannotBeLaunchedIsHeldWithItsCause() throws Exception {
    Identity stranger = new Identity("stranger", 54_321, "x", 54_321);
    Reply reply =
        controller
            .handle(new Command.Submit(stranger, TestCluster.submission()))
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
    int id = ((Reply.Submitted) reply).jobId();
    Job job = await(id, j -> j.reason() == Reason.JOB_LAUNCH_FAILURE && !j.reasonText().isEmpty());
    assertThat(job.reasonText()).contains("stranger");
    assertThat(job.state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void outputThatCannotBeOpenedIsTheReasonOfTheFailure() throws Exception {
    int id = submit("true", "output=/nonexistent/x");
    Job job = await(id, j -> j.state().isFinished() && !j.reasonText().isEmpty());
    assertThat(job.exitCode()).isEqualTo(new ExitCode(0, 53));
    assertThat(job.reasonText()).contains("/nonexistent/x");
  }

  @Test
  void aPreemptedJobSavesItsWorkAtTheSignalItAskedForAndLeaves() throws Exception {
    int low =
        submit(
            "trap 'touch saved; exit 3' USR1; touch ready; while :; do sleep 0.05; done",
            "signal=B:USR1@5",
            "nodes=2-2",
            "exclusive");
    awaitFile("ready");
    int high = submit("touch went", "partition=other", "exclusive");
    awaitFile("saved");
    assertThat(awaitEnd(low).preemption()).isNotNull();
    assertThat(awaitEnd(high).state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void aPreemptedJobThatGoesOnIsMadeToLeaveAfterItsGraceTime() throws Exception {
    int low =
        submit(
            "trap 'touch told' USR1; touch ready; while :; do sleep 0.05; done",
            "signal=B:USR1",
            "nodes=2-2",
            "exclusive");
    awaitFile("ready");
    int high = submit("touch went", "partition=other", "exclusive");
    awaitFile("told");
    assertThat(awaitEnd(low).state()).isEqualTo(JobState.PREEMPTED);
    assertThat(awaitEnd(high).state()).isEqualTo(JobState.COMPLETED);
  }
}
