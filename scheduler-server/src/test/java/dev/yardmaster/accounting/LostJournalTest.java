package dev.yardmaster.accounting;

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
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.RecordQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose state was lost, and whose accounting was not. */
class LostJournalTest {
  @TempDir Path directory;

  /** A life of the server: opened, jobs submitted, closed; the ids they got. */
  private List<Integer> live(int jobs, Map<String, String> settings, List<JobRecord> seen)
      throws Exception {
    List<Integer> ids = new ArrayList<>();
    SqliteJournal journal = SqliteJournal.open(directory);
    try (RecordKeeper keeper = RecordKeeper.open(journal, directory);
        Controller controller =
            DefaultController.start(
                new ControllerParts(
                    journal,
                    Engine::step,
                    new EngineAdmission(),
                    new NodeLinks(),
                    () -> TestCluster.config(2, settings),
                    InstantSource.system(),
                    ZoneOffset.UTC,
                    ControllerParts.Tuning.DEFAULT.above(keeper.highestJobId())))) {
      controller.follow(keeper);
      for (int i = 0; i < jobs; i++) {
        Reply reply =
            controller
                .handle(new Command.Submit(TestCluster.ALICE, TestCluster.submission()))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        ids.add(((Reply.Submitted) reply).jobId());
      }
      Instant now = Instant.now();
      seen.clear();
      keeper.find(
          RecordQuery.window(null, now.plusSeconds(60))
              .withDuplicates(true)
              .withStates(Stream.of(JobState.values()).map(JobState::name).toList()),
          now,
          seen::add);
    }
    return ids;
  }

  private void lose() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith(SqliteJournal.FILE)) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void noIdIsGivenTwiceAndNoRecordIsLost() throws Exception {
    List<JobRecord> seen = new ArrayList<>();
    assertThat(live(3, Map.of(), seen)).containsExactly(1, 2, 3);
    lose();
    assertThat(live(1, Map.of(), seen)).containsExactly(4);
    assertThat(seen)
        .extracting(r -> r.job().id() + " " + r.state())
        .containsExactlyInAnyOrder("1 NODE_FAIL", "2 NODE_FAIL", "3 NODE_FAIL", "4 PENDING");
    assertThat(seen).filteredOn(r -> r.job().id() < 4).allMatch(r -> r.ended() != null);
    assertThat(live(1, Map.of(), seen)).containsExactly(5);
    assertThat(seen)
        .as("a restart on the same journal is no new life")
        .extracting(r -> r.job().id() + " " + r.state())
        .contains("3 NODE_FAIL", "4 PENDING", "5 PENDING");
  }

  @Test
  void firstJobIdCountsWhereItIsHigher() throws Exception {
    List<JobRecord> seen = new ArrayList<>();
    live(3, Map.of(), seen);
    lose();
    assertThat(live(1, Map.of("FirstJobId", "2"), seen)).containsExactly(4);
    assertThat(live(1, Map.of("FirstJobId", "5000"), seen)).containsExactly(5000);
  }
}
