package dev.yardmaster.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Reservation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every journal must do; each implementation's test extends this. */
abstract class JournalContract {
  @TempDir Path directory;

  abstract Journal open(Path directory);

  static Journal.Batch batch(Event... events) {
    return new Journal.Batch(List.of(events), Immutable.sortedMap());
  }

  static Event submitted(int id) {
    return new Event.JobSubmitted(Samples.NOW, Samples.job(id));
  }

  @Test
  void anEmptyJournalHasNothingToRecover() {
    try (Journal journal = open(directory)) {
      assertThat(journal.lastSequence()).isZero();
      assertThat(journal.recover()).isEmpty();
    }
  }

  @Test
  void eventsAreReadInOrderWithNumbersWithoutGaps() {
    try (Journal journal = open(directory)) {
      assertThat(journal.append(List.of(batch(Samples.configured()), batch(submitted(1)))))
          .isEqualTo(2);
      assertThat(journal.append(List.of(batch(submitted(2), submitted(3))))).isEqualTo(4);
      List<Journal.Entry> read = new ArrayList<>();
      journal.read(3, read::add);
      assertThat(read)
          .containsExactly(new Journal.Entry(3, submitted(2)), new Journal.Entry(4, submitted(3)));
    }
  }

  @Test
  void theStateIsRecoveredWithAndWithoutASnapshot() {
    List<Event> history = history();
    ClusterState expected = ClusterState.initial(Samples.config(), Samples.NOW);
    for (int snapshotAfter = 0; snapshotAfter <= history.size(); snapshotAfter++) {
      Path place = directory.resolve("s" + snapshotAfter);
      ClusterState state = expected;
      try (Journal journal = open(place)) {
        journal.append(List.of(batch(Samples.configured())));
        journal.recover();
        for (int i = 0; i < history.size(); i++) {
          state = state.apply(history.get(i));
          long sequence = journal.append(List.of(batch(history.get(i))));
          if (i < snapshotAfter) {
            journal.snapshot(state, sequence);
          }
        }
      }
      try (Journal journal = open(place)) {
        assertThat(journal.recover()).contains(new Journal.Recovered(state, history.size() + 1L));
      }
    }
  }

  private static List<Event> history() {
    NodeStatus up = Samples.idle();
    return List.of(
        submitted(1),
        submitted(2),
        new Event.NodeChanged(Samples.NOW, "n1", up, "root"),
        Samples.started(1, "n1"),
        new Event.ReservationSaved(
            Samples.NOW,
            new Reservation(
                "r",
                Samples.NOW,
                Samples.NOW.plusSeconds(60),
                List.of("n2"),
                java.util.Set.of(),
                List.of("alice"),
                List.of()),
            "root"),
        new Event.JobCompleting(
            Samples.NOW, 1, 0, JobState.FAILED, new ExitCode(3, 0), Reason.NON_ZERO_EXIT_CODE),
        new Event.JobReleased(Samples.NOW, 1, 0),
        new Event.JobPurged(Samples.NOW, 1),
        new Event.ReservationDeleted(Samples.NOW, "r", "root"));
  }

  @Test
  void anIdIsNotReusedAfterTheJobWasPurged() {
    try (Journal journal = open(directory)) {
      journal.append(List.of(batch(Samples.configured(), submitted(41))));
      journal.append(List.of(batch(new Event.JobPurged(Samples.NOW, 41))));
      ClusterState state = journal.recover().orElseThrow().state();
      journal.snapshot(state, 3);
    }
    try (Journal journal = open(directory)) {
      assertThat(journal.recover().orElseThrow().state().nextJobId()).isEqualTo(42);
    }
  }

  @Test
  void aScriptLivesAsLongAsItsJob() {
    JobScript script =
        new JobScript(
            "#!/bin/sh\nécho ☃\n",
            List.of("a b", ""),
            new TreeMap<>(java.util.Map.of("K", "v\nw")));
    SortedMap<Integer, JobScript> scripts = new TreeMap<>(java.util.Map.of(1, script));
    try (Journal journal = open(directory)) {
      journal.append(List.of(batch(Samples.configured())));
      journal.append(List.of(new Journal.Batch(List.of(submitted(1)), scripts)));
    }
    try (Journal journal = open(directory)) {
      assertThat(journal.script(1)).contains(script);
      assertThat(journal.script(2)).isEmpty();
      journal.append(List.of(batch(new Event.JobPurged(Samples.NOW, 1))));
      assertThat(journal.script(1)).isEmpty();
    }
  }

  @Test
  void aSecondServerIsKeptOut() {
    try (Journal journal = open(directory)) {
      assertThat(journal.lastSequence()).isZero();
      assertThatThrownBy(() -> open(directory))
          .isInstanceOf(JournalException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining(
              "in use by another server (process " + ProcessHandle.current().pid());
    }
    try (Journal journal = open(directory)) {
      assertThat(journal.lastSequence()).isZero();
    }
  }
}
