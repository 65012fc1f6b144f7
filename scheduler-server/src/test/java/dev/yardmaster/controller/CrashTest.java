package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.accounting.JobRecords;
import dev.yardmaster.accounting.MemoryRecords;
import dev.yardmaster.accounting.RecordKeeper;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.RecordQuery;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed at any instant under load keeps everything it has acknowledged. The
 * number of kills is the system property {@code yardmaster.crashes}.
 */
class CrashTest {
  private static final int KILLS = Integer.getInteger("yardmaster.crashes", 4);

  @TempDir Path directory;
  private final Random random = new Random();
  private int highestId;
  private int mostRecords;

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void whatWasAcknowledgedSurvivesKillingTheServer() throws Exception {
    List<String> all = new ArrayList<>();
    for (int round = 0; round < KILLS; round++) {
      List<String> said = runAndKill(50 + random.nextInt(1500));
      all.addAll(said);
      assertThat(said).noneMatch(line -> line.startsWith("failed"));
      try (Journal journal = SqliteJournal.open(directory)) {
        Journal.Recovered recovered = journal.recover().orElseThrow();
        check(journal, recovered.state(), all);
        checkRecords(journal, recovered);
      }
    }
    assertThat(mostRecords).as("records of jobs").isPositive();
    assertThat(all).as("the server did something").hasSizeGreaterThan(KILLS * 5);
  }

  private List<String> runAndKill(int millis) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    try (CrashingProcess server = CrashingProcess.start(directory)) {
      Thread killer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      TimeUnit.MILLISECONDS.sleep(millis);
                    } catch (InterruptedException e) {
                      return;
                    }
                    server.kill();
                  });
      String line = server.line();
      while (line != null) {
        lines.add(line);
        line = server.line();
      }
      killer.join();
    }
    return lines;
  }

  private void check(Journal journal, ClusterState state, List<String> said) {
    for (String line : said) {
      String[] words = line.split(" ");
      int id = Integer.parseInt(words[1]);
      Job job = state.job(id);
      assertThat(job).as(line).isNotNull();
      if (job == null) {
        return;
      }
      switch (words[0]) {
        case "submitted" -> assertThat(journal.script(id)).as(line).isPresent();
        case "held" ->
            // A hold that met a running job said nothing about its next run.
            assertThat(
                    job.hold() == Hold.ADMIN
                        || job.state() != JobState.PENDING
                        || job.restarts() > 0)
                .as(line + " " + job)
                .isTrue();
        case "cancelled" -> assertThat(job.state()).as(line).isEqualTo(JobState.CANCELLED);
        case "updated" -> assertThat(job.comment()).as(line).isEqualTo(words[2]);
        default -> throw new AssertionError(line);
      }
      highestId = Math.max(highestId, id);
    }
    assertThat(state.nextJobId()).isGreaterThan(highestId);
    checkAllocations(state);
  }

  /** Each event counts once, whenever the process that recorded it was killed. */
  private void checkRecords(Journal journal, Journal.Recovered recovered) {
    List<Event> events = new ArrayList<>();
    journal.read(1, entry -> events.add(entry.event()));
    Event.ConfigApplied first = (Event.ConfigApplied) events.getFirst();
    MemoryRecords expected = new MemoryRecords(ClusterState.initial(first.config(), first.at()));
    expected.follow(events.subList(1, events.size()));
    try (RecordKeeper keeper = RecordKeeper.open(journal, directory)) {
      keeper.start(recovered.state(), recovered.sequence());
      List<JobRecord> kept = all(keeper);
      assertThat(kept).isEqualTo(all(expected));
      mostRecords = Math.max(mostRecords, kept.size());
    }
  }

  private static List<JobRecord> all(JobRecords records) {
    List<JobRecord> all = new ArrayList<>();
    Instant end = Instant.now().plusSeconds(86_400);
    RecordQuery query =
        RecordQuery.window(null, end)
            .withDuplicates(true)
            .withStates(Arrays.stream(JobState.values()).map(JobState::name).toList());
    records.find(query, end, all::add);
    return all;
  }

  /** No core and no GPU belongs to two jobs. */
  private static void checkAllocations(ClusterState state) {
    Map<String, IndexSet> cores = new HashMap<>();
    Map<String, IndexSet> gpus = new HashMap<>();
    for (Job job : state.jobs().values()) {
      Allocation allocation = job.allocation();
      if (!job.holdsResources() || allocation == null) {
        continue;
      }
      for (NodeShare share : allocation.shares()) {
        take(cores, share.node(), share.cores(), job);
        for (GresShare gres : share.gres()) {
          take(gpus, share.node(), gres.devices(), job);
        }
      }
    }
  }

  private static void take(Map<String, IndexSet> taken, String node, IndexSet some, Job job) {
    IndexSet before = taken.getOrDefault(node, IndexSet.EMPTY);
    assertThat(before.intersects(some))
        .as("%s of %s twice, job %s", some, node, job.id())
        .isFalse();
    taken.put(node, before.or(some));
  }
}
