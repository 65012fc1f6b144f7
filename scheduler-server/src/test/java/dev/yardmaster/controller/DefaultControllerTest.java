package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.node.SimulatedNodes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DefaultControllerTest {
  @TempDir Path directory;
  private final NodeLinks links = new NodeLinks();

  private ControllerParts parts() {
    return new ControllerParts(
        SqliteJournal.open(directory),
        Engine::step,
        AdmissionCheck.NONE,
        links,
        TestCluster::config,
        InstantSource.system(),
        ZoneOffset.UTC,
        ControllerParts.Tuning.DEFAULT);
  }

  static <T> T await(java.util.concurrent.CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** Waits until the durable state is as wanted, without polling. */
  static ClusterState awaitState(Controller controller, Predicate<ClusterState> wanted)
      throws Exception {
    CompletableFuture<ClusterState> reached = new CompletableFuture<>();
    Runnable unfollow =
        controller.follow(
            new Controller.Follower() {
              @Override
              public void start(ClusterState state, long sequence) {
                look(state);
              }

              @Override
              public void next(List<Event> events, ClusterState after, long sequence) {
                look(after);
              }

              private void look(ClusterState state) {
                if (wanted.test(state)) {
                  reached.complete(state);
                }
              }
            });
    try {
      return await(reached);
    } finally {
      unfollow.run();
    }
  }

  static Job job(ClusterState state, int id) {
    return Objects.requireNonNull(state.job(id));
  }

  @Test
  void aJobIsAcceptedStartedAndEnds() throws Exception {
    SimulatedNodes nodes = new SimulatedNodes(TestCluster.config(), InstantSource.system(), 1);
    nodes.attachTo(links);
    try (Controller controller = DefaultController.start(parts())) {
      nodes.goLive(controller, Duration.ofSeconds(30));
      Command submit =
          new Command.Submit(
              TestCluster.ALICE,
              TestCluster.submission("nodes=2", "gres=gpu:8"),
              Duration.ofSeconds(1));
      assertThat(await(controller.handle(submit))).isEqualTo(new Reply.Submitted(1, List.of()));
      ClusterState end =
          awaitState(
              controller,
              s -> {
                Job job = s.job(1);
                return job != null && job.state() == JobState.COMPLETED && !job.holdsResources();
              });
      Allocation allocation = Objects.requireNonNull(job(end, 1).allocation());
      assertThat(allocation.nodes()).hasToString("n[1-2]");
    } finally {
      nodes.close();
    }
  }
}
