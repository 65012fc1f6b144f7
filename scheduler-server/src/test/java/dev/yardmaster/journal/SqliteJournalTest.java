package dev.yardmaster.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.JobScript;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqliteJournalTest extends JournalContract {
  @Override
  Journal open(Path directory) {
    return SqliteJournal.open(directory);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update event set body = replace(body, 'job2', 'job9') where sequence = 3 | event 3",
        "update event set sequence = 99 where sequence = 3                     | event 3",
        "delete from event where sequence = 3                                  | event 3",
        "update event set type = 'JobEdited' where sequence = 3                | event 3",
        "update event set body = 'x', crc = 0 where sequence = 4               | event 4",
        "update script set body = x'00' where job_id = 1                       | script of job 1",
      })
  void aDamagedRecordStopsRecoveryWithItsName(String damage, String name) throws SQLException {
    try (Journal journal = open(directory)) {
      var script = new JobScript("x", List.of(), new TreeMap<>());
      journal.append(
          List.of(
              new Journal.Batch(
                  List.of(Samples.configured(), submitted(1), submitted(2), submitted(3)),
                  new TreeMap<>(Map.of(1, script)))));
    }
    damage(damage);
    try (Journal journal = open(directory)) {
      assertThatThrownBy(
              () -> {
                journal.recover();
                journal.script(1);
              })
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining(directory.resolve("journal.db").toString())
          .hasMessageContaining(name)
          .hasMessageContaining("damaged");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "update snapshot set body = replace(body, 'job2', 'job9') where kind = 'job' and key = '2'"
            + " | snapshot job 2",
        "delete from snapshot where kind = 'job' and key = '2'                                    "
            + " | snapshot head",
        "delete from snapshot where kind = 'head'                                 | snapshot head",
        "update snapshot set key = '7' where kind = 'job' and key = '2'                           "
            + " | snapshot job 7",
        "delete from event where sequence > 1                                     | event 2",
      })
  void aDamagedSnapshotStopsRecoveryWithItsName(String damage, String name) throws SQLException {
    try (Journal journal = open(directory)) {
      journal.append(List.of(batch(Samples.configured(), submitted(1), submitted(2))));
      journal.snapshot(journal.recover().orElseThrow().state(), 3);
    }
    damage(damage);
    try (Journal journal = open(directory)) {
      assertThatThrownBy(journal::recover)
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining(name);
    }
  }

  @Test
  void aBatchThatCannotBeWrittenLeavesNothingBehind() throws SQLException {
    try (Journal journal = open(directory)) {
      journal.append(List.of(batch(Samples.configured())));
      try (Connection connection = connect();
          Statement statement = connection.createStatement()) {
        statement.execute(
            "create trigger full before insert on event when new.body like '%job5%'"
                + " begin select raise(abort, 'disk full'); end");
      }
      assertThatThrownBy(() -> journal.append(List.of(batch(submitted(4)), batch(submitted(5)))))
          .isInstanceOf(JournalException.class)
          .hasMessageContaining("journal.db")
          .hasMessageContaining("disk full");
      assertThat(journal.lastSequence()).isEqualTo(1);
      journal.append(List.of(batch(submitted(4))));
      assertThat(journal.recover().orElseThrow().state().jobs().keySet()).containsExactly(4);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("journal.db"));
  }

  @Test
  void aFileThatIsNoDatabaseIsRefusedByName() throws Exception {
    Files.writeString(directory.resolve("journal.db"), "not a database".repeat(100));
    assertThatThrownBy(() -> open(directory))
        .isInstanceOf(JournalException.class)
        .hasMessageContaining("journal.db");
    assertThat(directory.resolve("journal.db")).exists();
  }

  @Test
  void whoeverHadControlOfASharedJournalCanWriteNothingMore() {
    try (SqliteJournal first = SqliteJournal.openShared(directory, "first")) {
      first.append(batches(Samples.configured(), submitted(1)));
      try (SqliteJournal second = SqliteJournal.openShared(directory, "second")) {
        assertThat(second.lastSequence()).isEqualTo(2);
        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThatThrownBy(() -> first.append(batches(submitted(2))))
            .isInstanceOf(LostControlException.class)
            .hasMessage("controller second has taken control");
        assertThatThrownBy(() -> first.snapshot(second.recover().orElseThrow().state(), 2))
            .isInstanceOf(LostControlException.class);
        second.append(batches(submitted(3)));
        assertThat(second.lastSequence()).isEqualTo(3);
      }
    }
    try (Journal alone = open(directory)) {
      assertThat(alone.recover().orElseThrow().sequence()).isEqualTo(3);
      alone.append(batches(submitted(4)));
    }
  }

  private static List<Journal.Batch> batches(Event... events) {
    return List.of(new Journal.Batch(List.of(events), new TreeMap<>()));
  }

  private void damage(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      assertThat(statement.executeUpdate(sql)).isPositive();
    }
  }
}
