package dev.yardmaster.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteDataSource;

/** Tables are brought to their present form, and looked at once when they have it. */
class SchemaTest {
  @TempDir private Path directory;

  private SQLiteDataSource source() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + directory.resolve("test.db"));
    return source;
  }

  private static void execute(SQLiteDataSource source, String what) throws SQLException {
    try (Connection connection = source.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(what);
    }
  }

  /** A step that is added has to be counted where the database is opened. */
  @ParameterizedTest
  @CsvSource({"db/journal,journal.db", "db/accounting,accounting.db"})
  void theLastStepIsTheOneThatIsOpened(String folder, String file) throws Exception {
    URL steps = Objects.requireNonNull(getClass().getClassLoader().getResource(folder));
    long count;
    try (Stream<Path> all = Files.list(Path.of(steps.toURI()))) {
      count = all.count();
    }
    try (Journal journal = SqliteJournal.open(directory);
        var _ = dev.yardmaster.accounting.RecordKeeper.open(journal, directory)) {
      assertThat(journal.lastSequence()).isZero();
    }
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + directory.resolve(file));
    try (Connection connection = source.getConnection();
        var statement = connection.createStatement();
        var row = statement.executeQuery("select count(*) from flyway_schema_history")) {
      assertThat(row.getInt(1)).isEqualTo((int) count);
    }
    // Nothing is looked for where there is nothing to do: a folder that does not exist is no
    // matter.
    Schema.upgrade(source, directory, "db/nowhere", (int) count);
    assertThat(SqliteJournal.SCHEMA).isEqualTo(3);
  }

  @Test
  void anEarlierFormIsUpgradedAndALaterOneRefused() throws Exception {
    SQLiteDataSource source = source();
    Schema.upgrade(source, directory, "db/journal", SqliteJournal.SCHEMA);
    execute(source, "delete from flyway_schema_history where version = '3'");
    execute(source, "drop table beginning");
    Schema.upgrade(source, directory, "db/journal", SqliteJournal.SCHEMA);
    execute(source, "select * from beginning");
    execute(
        source,
        "insert into flyway_schema_history select 99, '99', 'later', type, 'V99__later.sql',"
            + " checksum, installed_by, installed_on, execution_time, success"
            + " from flyway_schema_history where version = '3'");
    assertThatThrownBy(() -> Schema.upgrade(source, directory, "db/journal", SqliteJournal.SCHEMA))
        .isInstanceOf(JournalException.class)
        .hasMessageContaining("has form 99 of a later release");
  }
}
