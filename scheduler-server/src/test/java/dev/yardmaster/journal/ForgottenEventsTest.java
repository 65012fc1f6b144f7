package dev.yardmaster.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A journal that forgets its first events loses nothing else, whenever it is interrupted. */
class ForgottenEventsTest {
  private static final int EVENTS = 9_000;
  private static final int FORGOTTEN = 7_001;

  @TempDir private Path directory;

  /** The states after each event of a journal of one configuration and many ids that were used. */
  private static List<ClusterState> fill(SqliteJournal journal) {
    List<Event> events = new ArrayList<>(List.of(Samples.configured()));
    for (int i = 1; i < EVENTS; i++) {
      events.add(new Event.JobIdUsed(Samples.NOW.plusSeconds(i), i));
    }
    journal.append(List.of(new Journal.Batch(events, new TreeMap<>())));
    List<ClusterState> states = new ArrayList<>();
    journal.read(
        1,
        entry ->
            states.add(
                states.isEmpty()
                    ? ClusterState.initial(Samples.config(), Samples.NOW)
                    : states.getLast().apply(entry.event())));
    return states;
  }

  private static void check(Path place, List<ClusterState> states, long begin) {
    try (SqliteJournal journal = SqliteJournal.open(place)) {
      assertThat(journal.begin()).isEqualTo(begin);
      Journal.Recovered recovered = journal.recover().orElseThrow();
      assertThat(recovered.sequence()).isEqualTo(EVENTS);
      assertThat(recovered.state()).isEqualTo(states.getLast());
      List<Long> read = new ArrayList<>();
      journal.read(begin + 1, entry -> read.add(entry.sequence()));
      assertThat(read).hasSize((int) (EVENTS - begin)).last().isEqualTo((long) EVENTS);
      assertThat(journal.sequenceAt(Samples.NOW.plusSeconds(EVENTS))).isEqualTo(EVENTS);
      assertThat(journal.sequenceAt(Samples.NOW.plusSeconds(8_000))).isEqualTo(8_001);
      if (begin > 0) {
        assertThat(journal.kept(EVENTS).orElseThrow().state())
            .isEqualTo(states.get((int) begin - 1));
        assertThat(journal.sequenceAt(Samples.NOW.plusSeconds(begin - 1))).isEqualTo(begin);
        assertThat(journal.timeOf(begin)).contains(Samples.NOW.plusSeconds(begin - 1));
        assertThat(journal.sequenceAt(Samples.NOW.plusSeconds(begin - 2))).isZero();
        assertThatThrownBy(() -> journal.read(begin, entry -> {}))
            .isInstanceOf(JournalException.class)
            .hasMessageContaining("events up to " + begin + " were forgotten, and " + begin);
      }
      // It goes on, and may forget more, though it was interrupted.
      Event next = new Event.JobIdUsed(Samples.NOW.plusSeconds(EVENTS), EVENTS);
      journal.append(List.of(new Journal.Batch(List.of(next), new TreeMap<>())));
      journal.forget(states.get(8_499), 8_500);
      assertThat(count(place)).isEqualTo(501);
      assertThat(journal.recover().orElseThrow().state()).isEqualTo(states.getLast().apply(next));
    }
  }

  private static long count(Path place) {
    return org.jdbi.v3.core.Jdbi.create("jdbc:sqlite:" + place.resolve(SqliteJournal.FILE))
        .withHandle(
            handle -> handle.createQuery("select count(*) from event").mapTo(Long.class).one());
  }

  private static void copy(Path from, Path to) {
    try {
      Files.createDirectory(to);
      for (String name : List.of("journal.db", "journal.db-wal")) {
        Files.copy(from.resolve(name), to.resolve(name));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCrashAtAnyStepLosesNothingThatIsToBeKept() throws Exception {
    Path place = Files.createDirectory(directory.resolve("all"));
    AtomicInteger steps = new AtomicInteger();
    List<ClusterState> states;
    try (SqliteJournal journal = SqliteJournal.open(place)) {
      states = fill(journal);
      copy(place, directory.resolve("0"));
      journal.forget(
          states.get(FORGOTTEN - 1),
          FORGOTTEN,
          () -> copy(place, directory.resolve("" + steps.incrementAndGet())));
      assertThat(count(place)).isEqualTo(EVENTS - FORGOTTEN);
      assertThat(journal.fingerprint(FORGOTTEN)).isNotZero();
    }
    assertThat(steps.get()).as("steps of forgetting").isGreaterThan(4);
    check(directory.resolve("0"), states, 0);
    for (int step = 1; step <= steps.get(); step++) {
      check(directory.resolve("" + step), states, FORGOTTEN);
    }
  }

  @Test
  void othersAppendBetweenItsSteps() throws Exception {
    try (SqliteJournal journal = SqliteJournal.open(directory)) {
      List<ClusterState> states = fill(journal);
      AtomicInteger more = new AtomicInteger(EVENTS);
      journal.forget(
          states.get(FORGOTTEN - 1),
          FORGOTTEN,
          () -> {
            Event used = new Event.JobIdUsed(Samples.NOW.plusSeconds(EVENTS), more.get());
            long last = journal.append(List.of(new Journal.Batch(List.of(used), new TreeMap<>())));
            assertThat(last).isEqualTo(more.incrementAndGet());
          });
      assertThat(journal.recover().orElseThrow().sequence()).isEqualTo(more.get());
    }
  }

  @Test
  void aBeginningThatWasChangedStopsTheStart() throws Exception {
    try (SqliteJournal journal = SqliteJournal.open(directory)) {
      journal.forget(fill(journal).get(99), 100);
    }
    org.jdbi.v3.core.Jdbi.create("jdbc:sqlite:" + directory.resolve(SqliteJournal.FILE))
        .useHandle(handle -> handle.execute("update beginning set crc = crc + 1"));
    try (SqliteJournal journal = SqliteJournal.open(directory)) {
      assertThatThrownBy(journal::recover)
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("beginning");
    }
  }
}
