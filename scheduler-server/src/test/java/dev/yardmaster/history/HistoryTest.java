package dev.yardmaster.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.explain.JobHistory.Stage;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of the past is what was told when it was the present. */
class HistoryTest {
  private static final int SEEDS = Integer.getInteger("yardmaster.pasts", 12);

  @TempDir Path directory;

  @Test
  void aMomentIsExplainedLaterAsItWasThen() throws Exception {
    long first = Long.getLong("yardmaster.seed", 1);
    for (long seed = first; seed < first + SEEDS; seed++) {
      Path place = Files.createDirectory(directory.resolve("s" + seed));
      Random random = new Random(seed);
      AtomicReference<List<Explanation>> then = new AtomicReference<>(List.of());
      try (Past past =
          Past.of(
              place,
              40,
              present -> {
                new RandomPast(random, present).play();
                then.set(present.explanations);
              })) {
        check(past.history, then.get(), seed);
      }
      // A new controller goes on; the same is told, also in the reverse order and without images.
      try (Past past = Past.of(place, 40, present -> {})) {
        check(past.history, then.get().reversed(), seed);
        Rebuilder slow = new Rebuilder(past.journal, null);
        Explanation last = then.get().getLast();
        Moment moment = slow.at(past.journal.sequenceAt(last.at()));
        assertThat(Past.explain(moment.state(), last.jobId(), last.at())).isEqualTo(last);
      }
    }
  }

  private static void check(History history, List<Explanation> then, long seed)
      throws NoSuchMomentException {
    assertThat(then).as("seed %s", seed).isNotEmpty();
    for (Explanation known : then) {
      Moment moment = history.at(known.at());
      assertThat(Past.explain(moment.state(), known.jobId(), known.at()))
          .as("seed %s, job %s at %s", seed, known.jobId(), known.at())
          .isEqualTo(known);
    }
  }

  @Test
  void theConfigurationOfThatTimeApplies() throws Exception {
    AtomicReference<Instant> before = new AtomicReference<>(Instant.EPOCH);
    AtomicInteger id = new AtomicInteger();
    try (Past past =
        Past.of(
            directory,
            present -> {
              id.set(present.submit(TestCluster.ALICE, 60, "time=2000", "partition=main"));
              present.pass(60);
              before.set(present.now);
              present.config =
                  TestCluster.config(8, Map.of("MinJobAge", "600", "ClusterName", "lab"));
              present.command(new Command.Reconfigure(TestCluster.ROOT));
              present.pass(60);
            })) {
      Moment then = past.history.at(before.get());
      assertThat(then.state().config().nodes()).hasSize(6);
      Explanation why = Past.explain(then.state(), id.get(), before.get());
      assertThat(why.binding()).isEqualTo(Gate.PARTITION_TIME);
      assertThat(why.finding(Gate.NODES_IN_PARTITION).orElseThrow().evidence())
          .isInstanceOfSatisfying(
              Evidence.Nodes.class, nodes -> assertThat(nodes.remaining()).isEqualTo(6));
      assertThat(past.controller.state().config().nodes()).hasSize(8);
    }
  }

  @Test
  void whatIsKeptIsToldAsThenAfterTheRestIsForgotten() throws Exception {
    AtomicReference<List<Explanation>> then = new AtomicReference<>(List.of());
    AtomicReference<Instant> cut = new AtomicReference<>(Instant.EPOCH);
    long begin;
    try (Past past =
        Past.of(
            directory,
            40,
            present -> {
              new RandomPast(new Random(7), present).play();
              cut.set(present.now.minusSeconds(900));
              then.set(present.explanations);
            })) {
      tell(past, "1");
      assertThat(past.history.forgetBefore(cut.get(), 3)).isTrue();
      assertThat(past.journal.begin()).as("what is not recorded is kept").isEqualTo(3);
      assertThat(past.history.forgetBefore(cut.get(), Long.MAX_VALUE)).isTrue();
      assertThat(past.history.forgetBefore(cut.get(), Long.MAX_VALUE)).isFalse();
      begin = past.journal.begin();
      checkKept(past, then.get(), cut.get());
    }
    try (Past past = Past.of(directory, 40, present -> {})) {
      checkKept(past, then.get(), cut.get());
    }
    Files.delete(directory.resolve(HistoryFile.FILE));
    try (Past past = Past.of(directory, 40, present -> {})) {
      String last = Integer.toString(then.get().getLast().jobId());
      assertThat(tell(past, last).stages()).isNotEmpty();
      checkKept(past, then.get(), cut.get());
      assertThat(past.journal.begin()).isEqualTo(begin);
    }
  }

  private static void checkKept(Past past, List<Explanation> then, Instant cut) throws Exception {
    assertThat(past.history.begins()).isBeforeOrEqualTo(cut);
    int told = 0;
    for (Explanation was : then) {
      if (was.at().isBefore(past.history.begins())) {
        assertThatThrownBy(() -> past.history.at(was.at()))
            .isInstanceOf(NoSuchMomentException.class)
            .hasMessageStartingWith("the history begins ");
      } else {
        Moment moment = past.history.at(was.at());
        assertThat(Past.explain(moment.state(), was.jobId(), was.at())).isEqualTo(was);
        told++;
      }
    }
    assertThat(told).as("explanations that are kept").isPositive().isLessThan(then.size());
  }

  @Test
  void nothingIsToldOfWhatWasBeforeTheHistory() {
    try (Past past =
        Past.of(
            directory,
            present -> {
              present.pass(60);
              present.submit(TestCluster.ALICE, 60, "nodes=1");
            })) {
      assertThatThrownBy(() -> past.history.at(Past.BEGIN.minusSeconds(1)))
          .isInstanceOf(NoSuchMomentException.class)
          .hasMessage("the history begins 2026-12-01T08:00:00, 2026-12-01T07:59:59 is before it");
      assertThatThrownBy(() -> past.history.at(999_999, Past.NOW))
          .isInstanceOf(NoSuchMomentException.class)
          .hasMessageStartingWith("the history has no event 999999, its last one is ");
      assertThatThrownBy(() -> past.history.at(past.journal.lastSequence(), Past.BEGIN))
          .isInstanceOf(NoSuchMomentException.class)
          .hasMessageMatching(
              "event 13 and 2026-12-01T08:00:00 do not belong together, it happened (.*);"
                  + " the event names the moment \\1#13");
      assertThatThrownBy(() -> past.history.at(1, Past.NOW))
          .isInstanceOf(NoSuchMomentException.class)
          .hasMessageMatching(
              "event 1 and .* do not belong together, the next event happened .*;"
                  + " the event names the moment 2026-12-01T08:00:00#1");
    }
  }

  @Test
  void aHistoryTellsWhatHeldAJobWhen() throws Exception {
    try (Past past =
        Past.of(
            directory,
            present -> {
              present.submit(TestCluster.BOB, 600, "nodes=6", "exclusive", "time=20");
              int id = present.submit(TestCluster.ALICE, 60, "nodes=2", "time=5", "hold");
              present.pass(100);
              present.command(new Command.ReleaseJobs(TestCluster.ROOT, "" + id));
              present.pass(30);
              present.update(id, "nice", "7");
              present.pass(900);
            })) {
      JobHistory history = tell(past, "2");
      List<Stage> stages = history.stages();
      assertThat(stages).extracting(Stage::state).startsWith(JobState.PENDING, JobState.PENDING);
      assertThat(stages.getFirst().reason()).isEqualTo(Reason.JOB_HELD_USER);
      assertThat(stages.getFirst().until()).isEqualTo(stages.get(1).from());
      Stage waits = stages.stream().filter(s -> s.reason() == Reason.RESOURCES).toList().getLast();
      assertThat(stages.stream().flatMap(s -> s.edits().stream()))
          .extracting(JobHistory.Edit::by, JobHistory.Edit::change)
          .contains(tuple("root", "nice=7"));
      assertThat(waits.length(Past.NOW).toSeconds()).isBetween(440L, 500L);
      Stage runs = history.lastStart().orElseThrow();
      assertThat(runs.state()).isEqualTo(JobState.RUNNING);
      assertThat(runs.nodes()).isEqualTo("n[1-2]");
      assertThat(runs.from()).isEqualTo(waits.until());
      assertThat(history.end().orElseThrow().state()).isEqualTo(JobState.COMPLETED);
      for (int i = 1; i < stages.size(); i++) {
        assertThat(stages.get(i).from()).isEqualTo(stages.get(i - 1).until());
      }
      // The controller has forgotten it (MinJobAge), the history has not.
      assertThat(past.controller.state().job(2)).isNull();
      assertThat(stages.getLast().until()).isNotNull();
      Stage start = history.lastStart().orElseThrow();
      Moment before = past.history.at(start.moment() - 1, start.from());
      assertThat(Past.explain(before.state(), 2, start.from()).verdict())
          .isEqualTo(dev.yardmaster.explain.Verdict.NOW);
    }
  }

  @Test
  void aTaskOfAnArrayHasThePastOfItsArray() throws Exception {
    try (Past past =
        Past.of(
            directory,
            present -> {
              present.submit(TestCluster.BOB, 300, "nodes=6", "exclusive", "time=20");
              present.submit(TestCluster.ALICE, 60, "nodes=6", "exclusive", "array=0-2");
              present.pass(700);
            })) {
      JobHistory history = tell(past, "2_1");
      assertThat(history.displayId()).isEqualTo("2_1");
      assertThat(history.stages()).extracting(Stage::reason).contains(Reason.RESOURCES);
      assertThat(history.stages().getFirst().from()).isBefore(Past.BEGIN.plusSeconds(10));
      assertThat(history.lastStart()).isPresent();
    }
  }

  @Test
  void aHistoryThatIsDamagedOrOfAnotherJournalIsMadeAnew() throws Exception {
    JobHistory told;
    try (Past past =
        Past.of(directory, present -> present.submit(TestCluster.ALICE, 60, "nodes=1"))) {
      told = tell(past, "1");
    }
    Path file = directory.resolve(HistoryFile.FILE);
    Files.writeString(file, "no database at all, but long enough to be taken for one".repeat(99));
    try (Past past = Past.of(directory, present -> {})) {
      assertThat(tell(past, "1")).isEqualTo(told);
    }
    Path other = Files.createDirectory(directory.resolve("other"));
    try (Past past =
        Past.of(
            other,
            present -> {
              present.submit(TestCluster.BOB, 60, "nodes=2");
              present.submit(TestCluster.BOB, 60, "nodes=3");
            })) {
      assertThat(tell(past, "1").user()).isEqualTo("bob");
    }
    copy(other.resolve(HistoryFile.FILE), file);
    try (Past past = Past.of(directory, present -> {})) {
      assertThat(tell(past, "1")).isEqualTo(told);
    }
  }

  private void copy(Path from, Path to) throws IOException {
    Files.deleteIfExists(directory.resolve(HistoryFile.FILE + "-wal"));
    Files.deleteIfExists(directory.resolve(HistoryFile.FILE + "-shm"));
    Files.copy(from, to, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  private static JobHistory tell(Past past, String id) throws NoSuchMomentException {
    long present = past.controller.present().sequence();
    KnownJob job = past.history.job(JobId.parse(id), present).orElseThrow();
    return past.history.of(job, present);
  }

  /** Half an hour of commands of every kind, explained now and then. */
  private record RandomPast(Random random, Past.Present present) {
    void play() {
      for (int i = 0; i < 60; i++) {
        command();
        present.pass(random.nextInt(40));
        if (random.nextInt(3) == 0) {
          present.explain(6);
        }
      }
      present.pass(700);
      present.explain(6);
    }

    private void command() {
      int last = Math.max(1, present.run().state().nextJobId() - 1);
      int id = 1 + random.nextInt(last);
      Identity by = random.nextBoolean() ? TestCluster.ALICE : TestCluster.BOB;
      switch (random.nextInt(14)) {
        case 0, 1, 2, 3, 4, 5 -> submit(by);
        case 6 -> present.command(new Command.HoldJobs(TestCluster.ROOT, "" + id, false));
        case 7 -> present.command(new Command.ReleaseJobs(TestCluster.ROOT, "" + id));
        case 8 -> present.update(id, "nice", "" + random.nextInt(50));
        case 9 -> present.update(id, "timelimit", "" + (1 + random.nextInt(100)));
        case 10 -> node(random.nextBoolean() ? "drain" : "resume");
        case 11 -> reserve();
        case 12 ->
            present.command(
                new Command.CancelJobs(TestCluster.ROOT, List.of("" + id), fields(), ""));
        default -> {
          present.config =
              TestCluster.config(
                  5 + random.nextInt(3),
                  Map.of("MinJobAge", "600", "PriorityType", "priority/multifactor"));
          present.command(new Command.Reconfigure(TestCluster.ROOT));
        }
      }
    }

    private void submit(Identity by) {
      String size = random.nextBoolean() ? "nodes=" + (1 + random.nextInt(6)) : "ntasks=5";
      String extra =
          List.of("exclusive", "array=0-3", "gres=gpu:2", "hold", "constraint=fast", "begin=now+90")
              .get(random.nextInt(6));
      present.submit(by, 30 + random.nextInt(900), size, extra, "time=" + (1 + random.nextInt(40)));
    }

    private void node(String state) {
      present.command(
          new Command.UpdateNodes(
              TestCluster.ROOT,
              "n" + (1 + random.nextInt(5)),
              fields("state", state, "reason", "check")));
    }

    private void reserve() {
      present.command(
          new Command.SaveReservation(
              TestCluster.ROOT,
              true,
              fields(
                  "starttime",
                  "now+" + random.nextInt(20) + "minutes",
                  "duration",
                  "" + (5 + random.nextInt(30)),
                  "nodes",
                  "n" + (1 + random.nextInt(5)),
                  "users",
                  "bob",
                  "flags",
                  "ignore_jobs")));
    }

    private static java.util.SortedMap<String, String> fields(String... words) {
      TreeMap<String, String> fields = new TreeMap<>();
      for (int i = 0; i < words.length; i += 2) {
        fields.put(words[i], words[i + 1]);
      }
      return Immutable.sortedMap(fields);
    }
  }
}
