package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.Reason;
import dev.yardmaster.node.SimulatedNodes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadTest {
  private static final Path SAMPLE = Path.of("../sample");
  private static final InstantSource CLOCK = InstantSource.fixed(TestCluster.NOW);

  @TempDir Path directory;

  @Test
  void linesAreReadWithTheirTimesUsersAndOptions() {
    Workload workload =
        Workload.parse(
            "w",
            List.of(
                "# nothing",
                "",
                "-1h30m alice:nlp 90s -J \"a b\" -N2 --gres=gpu:1 -H --exclusive # why",
                "0 drain n[1-2] fan is dead",
                "+5m hold x"));
    assertThat(workload.steps())
        .containsExactly(
            new Workload.Submission(
                Duration.ofMinutes(-90),
                3,
                "alice",
                "nlp",
                Duration.ofSeconds(90),
                new TreeMap<>(
                    Map.of(
                        "job-name",
                        "a b",
                        "nodes",
                        "2",
                        "gres",
                        "gpu:1",
                        "hold",
                        "",
                        "exclusive",
                        "",
                        "account",
                        "nlp")),
                "-J a b -N2 --gres=gpu:1 -H --exclusive"),
            new Workload.Operation(
                Duration.ZERO, 4, "drain", List.of("n[1-2]", "fan", "is", "dead")),
            new Workload.Operation(Duration.ofMinutes(5), 5, "hold", List.of("x")));
  }

  @ParameterizedTest
  @CsvSource({
    "soon alice 1h, w:1: \"soon\" is not an offset",
    "-1h alice, w:1: write OFFSET USER",
    "-1h alice forever -n1, w:1: \"forever\" is not a run time",
    "-1h alice 1h nodes=2, w:1: \"nodes=2\" is no option",
    "-1h alice 1h -N, w:1: -N needs a value",
    "-1h alice 1h -J 'x, w:1: a quote"
  })
  void aWrongLineIsNamed(String line, String message) {
    assertThatThrownBy(() -> Workload.parse("w", List.of(line)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void stepsOutOfOrderAreNamed() {
    assertThatThrownBy(() -> Workload.parse("w", List.of("-1h alice 1h", "-2h alice 1h")))
        .hasMessageStartingWith("w:2: -2h comes after");
  }

  private ClusterState play(Workload workload, List<String> problems) throws IOException {
    AccountingFile accounting = AccountingFile.read(SAMPLE.resolve("accounting"), "root");
    ClusterConfig config =
        Objects.requireNonNull(ConfigReader.read(SAMPLE).config(), "the sample is readable");
    NodeLinks links = new NodeLinks();
    SimulatedNodes nodes = new SimulatedNodes(config, CLOCK, 1);
    nodes.attachTo(links);
    ControllerParts parts =
        new ControllerParts(
            SqliteJournal.open(directory),
            Engine::step,
            new EngineAdmission(),
            links,
            () -> config,
            CLOCK,
            ZoneOffset.UTC,
            ControllerParts.Tuning.DEFAULT);
    try (WorkloadPlayer player = new WorkloadPlayer(accounting, workload, List.of(nodes));
        Controller controller = DefaultController.start(parts, player)) {
      problems.addAll(player.problems());
      return controller.state();
    }
  }

  @Test
  void theSampleClusterHasAPastAndAQueueWithManyReasons() throws Exception {
    List<String> problems = new ArrayList<>();
    ClusterState state = play(Workload.read(SAMPLE.resolve("workload")), problems);
    assertThat(problems).isEmpty();
    Map<String, Job> jobs = new TreeMap<>();
    state.jobs().values().forEach(j -> jobs.put(j.name(), j));
    assertThat(state.jobs().values()).anyMatch(j -> j.state() == JobState.RUNNING);
    Map<String, Reason> waiting = new TreeMap<>();
    jobs.forEach(
        (name, job) -> {
          if (job.state() == JobState.PENDING) {
            waiting.put(name, job.reason());
          }
        });
    assertThat(waiting)
        .containsEntry("refine", Reason.DEPENDENCY)
        .containsEntry("nightly-report", Reason.BEGIN_TIME)
        .containsEntry("draft-run", Reason.JOB_HELD_USER)
        .containsEntry("crawler", Reason.JOB_HELD_ADMIN)
        .containsEntry("long-notebook", Reason.PARTITION_TIME_LIMIT);
    assertThat(Objects.requireNonNull(state.node("node04")).status().has(NodeFlag.DRAIN)).isTrue();
    assertThat(state.reservations()).containsKey("maint-node03");
    assertThat(state.time()).isBeforeOrEqualTo(TestCluster.NOW);
  }

  @Test
  void theSameWorkloadGivesTheSamePast() throws Exception {
    Workload workload = Workload.read(SAMPLE.resolve("workload"));
    ClusterState first = play(workload, new ArrayList<>());
    directory = directory.resolve("again");
    assertThat(play(workload, new ArrayList<>())).isEqualTo(first);
  }

  @Test
  void aRestartGoesOnWithTheClusterItFound() throws Exception {
    Workload workload = Workload.read(SAMPLE.resolve("workload"));
    ClusterState first = play(workload, new ArrayList<>());
    ClusterState second = play(workload, new ArrayList<>());
    assertThat(second.jobs().keySet()).isEqualTo(first.jobs().keySet());
  }
}
