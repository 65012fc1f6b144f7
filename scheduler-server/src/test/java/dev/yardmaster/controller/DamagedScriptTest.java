package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.node.SimulatedNodes;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One job's script is gone after a power cut; that is the trouble of this job alone. */
class DamagedScriptTest {
  @TempDir Path directory;
  private final NodeLinks links = new NodeLinks();

  private Controller start() {
    return DefaultController.start(
        new ControllerParts(
            SqliteJournal.open(directory),
            Engine::step,
            new EngineAdmission(),
            links,
            TestCluster::config,
            InstantSource.system(),
            ZoneOffset.UTC,
            ControllerParts.Tuning.DEFAULT));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delete from script where job_id = 2",
        "update script set body = cast('{}' as blob) where job_id = 2",
        "update script set crc = crc + 1 where job_id = 2"
      })
  void theJobIsSetAsideWithItsCauseAndAllOthersRun(String damage) throws Exception {
    try (Controller controller = start()) {
      for (int i = 0; i < 3; i++) {
        DefaultControllerTest.await(
            controller.handle(
                new Command.Submit(TestCluster.ALICE, TestCluster.submission("hold"))));
      }
    }
    try (Connection file =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteJournal.FILE));
        Statement statement = file.createStatement()) {
      statement.execute(damage);
    }
    SimulatedNodes nodes = new SimulatedNodes(TestCluster.config(), InstantSource.system(), 1);
    nodes.attachTo(links);
    try (Controller controller = start()) {
      nodes.goLive(controller, Duration.ofSeconds(30));
      for (String id : List.of("1", "2", "3")) {
        DefaultControllerTest.await(
            controller.handle(new Command.ReleaseJobs(TestCluster.ALICE, id)));
      }
      ClusterState state =
          DefaultControllerTest.awaitState(
              controller,
              s ->
                  DefaultControllerTest.job(s, 2).reason() == Reason.JOB_LAUNCH_FAILURE
                      && !DefaultControllerTest.job(s, 2).holdsResources()
                      && DefaultControllerTest.job(s, 1).state() != JobState.PENDING
                      && DefaultControllerTest.job(s, 3).state() != JobState.PENDING);
      Job broken = DefaultControllerTest.job(state, 2);
      assertThat(broken.state()).isEqualTo(JobState.PENDING);
      assertThat(broken.reasonText()).contains("job 2");
    } finally {
      nodes.close();
    }
  }
}
