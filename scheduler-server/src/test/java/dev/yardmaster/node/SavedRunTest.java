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
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Preemption by QOS of a job that saves its work, with a real node daemon. */
class SavedRunTest {
  private static final Identity ROOT = new Identity("root", 0, "root", 0);

  private static final ClusterConfig CONFIG =
      TestCluster.config(
          1,
          Map.of(
              "KillWait", "1",
              "MessageTimeout", "1",
              "ReturnToService", "2",
              "AuthInfo", "cred_expire=0",
              "PreemptType", "preempt/qos",
              "PreemptMode", "REQUEUE",
              "PreemptParameters", "send_user_signal"));

  @TempDir Path directory;
  private final NodeLinks links = new NodeLinks();
  private final Identity me =
      new Identity(System.getProperty("user.name"), new Users().ownUid(), "", 0);
  private Controller controller;
  private NodeDaemon daemon;

  @BeforeEach
  void start() throws Exception {
    controller =
        DefaultController.start(
            new ControllerParts(
                SqliteJournal.open(directory.resolve("state")),
                Engine::step,
                new EngineAdmission(),
                links,
                () -> CONFIG,
                InstantSource.system(),
                ZoneOffset.UTC,
                ControllerParts.Tuning.DEFAULT));
    var spec = CONFIG.nodes().getFirst();
    daemon =
        new NodeDaemon(new NodeDaemon.Setup(spec, "lab", directory.resolve("spool"), false, "0.1"));
    links.attach(spec.name(), daemon);
    daemon.connected(controller::handle);
    for (String line :
        List.of(
            "add qos low",
            "add qos high",
            "modify qos high set Preempt=low",
            "modify qos low set GraceTime=60")) {
      handle(new Command.ChangeAccounting(ROOT, List.of(line.split(" ")), false));
    }
  }

  @AfterEach
  void stop() {
    controller.close();
    daemon.close();
  }

  private Reply handle(Command command) throws Exception {
    return controller.handle(command).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private int submit(String script, String... options) throws Exception {
    Reply reply =
        handle(
            new Command.Submit(
                me,
                TestCluster.submission(options)
                    .with(
                        s ->
                            s.script("#!/bin/sh\n" + script + "\n")
                                .workDir(directory.toString())
                                .environment(
                                    Immutable.sortedMap(Map.of("PATH", "/usr/bin:/bin"))))));
    assertThat(reply).isInstanceOf(Reply.Submitted.class);
    return ((Reply.Submitted) reply).jobId();
  }

  private Job awaitEnd(int id) throws Exception {
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
                if (job != null && job.state().isFinished() && !job.holdsResources()) {
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

  private void awaitFile(String name) throws InterruptedException {
    for (int i = 0; i < 600 && !Files.exists(directory.resolve(name)); i++) {
      Thread.sleep(50);
    }
    assertThat(directory.resolve(name)).exists();
  }

  @Test
  void aJobSavesItsWorkLeavesBeforeItsTimeIsOverAndGoesOnWhereItWas() throws Exception {
    int low =
        submit(
            """
            [ -e saved ] && { echo $SLURM_RESTART_COUNT > resumed; exit 0; }
            trap 'touch saved; exit 1' USR1
            touch ready
            while :; do sleep 0.05; done
            """,
            "qos=low",
            "signal=B:USR1@30",
            "exclusive");
    awaitFile("ready");
    int high = submit("[ -e saved ]", "qos=high", "exclusive");
    assertThat(awaitEnd(high).state()).isEqualTo(JobState.COMPLETED);
    Job resumed = awaitEnd(low);
    assertThat(resumed.state()).isEqualTo(JobState.COMPLETED);
    assertThat(resumed.restarts()).isEqualTo(1);
    assertThat(Files.readString(directory.resolve("resumed"))).isEqualTo("1\n");
  }
}
