package dev.yardmaster.history;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.PrivateFile;
import dev.yardmaster.journal.Rows;
import dev.yardmaster.journal.StateImage;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.text.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.StatementContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * The history in one SQLite file {@code history.db} beside the journal: what each job showed when,
 * and whole states at some moments to rebuild others from. Nothing is lost with it: a file that is
 * damaged, of another form, or of another journal is made anew. One thread writes, any reads.
 */
final class HistoryFile implements AutoCloseable {
  static final String FILE = "history.db";

  private static final Logger LOG = LoggerFactory.getLogger(HistoryFile.class);
  private static final int FORM = 1;

  private static final String TABLES =
      """
      create table mark (one integer primary key check (one = 1), sequence integer not null,
        fingerprint integer not null);
      create table job (job_id integer primary key, array_job_id integer not null,
        task_id integer not null, het_job_id integer not null, het_offset integer not null,
        name text not null, uid integer not null, user text not null, account text not null,
        first integer not null, parent integer not null, forgotten integer);
      create index job_of_array on job (array_job_id, task_id) where array_job_id > 0;
      create index job_of_het on job (het_job_id, het_offset) where het_job_id > 0;
      create table change (job_id integer not null, sequence integer not null, at text not null,
        state text, completing integer not null, reason text not null, reason_text text not null,
        restarts integer not null, nodes text not null, by text not null, edit text not null,
        primary key (job_id, sequence)) without rowid;
      create table image (sequence integer primary key, body blob not null, crc integer not null);
      """;

  private static final String JOB =
      "insert into job values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, null) on conflict (job_id) do"
          + " update set task_id = excluded.task_id, name = excluded.name,"
          + " account = excluded.account";
  private static final String CHANGE =
      "insert or replace into change values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
  private static final String FORGOTTEN = "update job set forgotten = ? where job_id = ?";
  private static final String MARK = "insert or replace into mark values (1, ?, ?)";

  private final String place;
  private final Jdbi readers;
  private final Handle writer;
  private final Rows rows;

  private HistoryFile(Path file, Jdbi readers) {
    this.place = file.toString();
    this.readers = readers;
    this.writer = readers.open();
    this.rows = new Rows(writer, JOB, CHANGE, FORGOTTEN, MARK);
  }

  /**
   * Opens the history of a state directory, or begins a new one when there is none that goes with
   * the journal.
   *
   * @throws JournalException when no file can be made
   */
  static HistoryFile open(Path directory, Journal journal) {
    Path file = directory.resolve(FILE);
    try {
      HistoryFile found = new HistoryFile(file, source(file));
      if (found.goesWith(journal)) {
        return found;
      }
      found.close();
      LOG.warn("{} does not go with the journal; it is made anew", file);
    } catch (JdbiException e) {
      LOG.warn("{} is not usable ({}); it is made anew", file, e.getMessage());
    }
    try {
      for (String suffix : List.of("", "-wal", "-shm")) {
        Files.deleteIfExists(directory.resolve(FILE + suffix));
      }
      HistoryFile fresh = new HistoryFile(file, source(file));
      fresh.goesWith(journal);
      return fresh;
    } catch (IOException | JdbiException e) {
      throw new JournalException(file + " cannot be made: " + e.getMessage(), e);
    }
  }

  private static Jdbi source(Path file) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
    config.setBusyTimeout(10_000);
    SQLiteDataSource source = new SQLiteDataSource(config);
    PrivateFile.database(file);
    source.setUrl("jdbc:sqlite:" + file);
    return Jdbi.create(source);
  }

  /** Whether it is of this form and of this journal; an empty one becomes so. */
  private boolean goesWith(Journal journal) {
    int form = writer.createQuery("pragma user_version").mapTo(Integer.class).one();
    if (form == 0) {
      writer.useTransaction(
          handle -> {
            for (String table : TABLES.split(";\n")) {
              handle.execute(table);
            }
            handle.execute("pragma user_version = " + FORM);
          });
      return true;
    }
    if (form != FORM) {
      return false;
    }
    Optional<Long> known =
        writer.createQuery("select fingerprint from mark").mapTo(Long.class).findFirst();
    return known.isEmpty() || journal.fingerprint(sequence()) == known.get();
  }

  /** The last event that the rows tell of; 0 for none. */
  long sequence() {
    return writer.createQuery("select sequence from mark").mapTo(Long.class).findFirst().orElse(0L);
  }

  /** Adds what was read, up to an event. */
  void write(ChangeReader read, long sequence, long fingerprint) {
    try {
      read.jobs().forEach(this::add);
      read.changes().forEach(this::add);
      read.forgotten().forEach(end -> rows.add(FORGOTTEN, end.sequence(), end.jobId()));
      rows.add(MARK, sequence, fingerprint);
      writer.useTransaction(handle -> rows.write());
    } catch (RuntimeException e) {
      rows.forget();
      throw e;
    }
  }

  private void add(KnownJob job) {
    rows.add(
        JOB,
        job.jobId(),
        job.arrayJobId(),
        job.taskId(),
        job.hetJobId(),
        job.hetOffset(),
        job.name(),
        job.uid(),
        job.user(),
        job.account(),
        job.first(),
        job.parent());
  }

  private void add(Change change) {
    Shown shown = change.shown();
    rows.add(
        CHANGE,
        change.jobId(),
        change.sequence(),
        change.at().toString(),
        shown == null ? null : shown.state().name(),
        shown != null && shown.completing() ? 1 : 0,
        shown == null ? Reason.NONE.name() : shown.reason().name(),
        shown == null ? "" : shown.reasonText(),
        shown == null ? 0 : shown.restarts(),
        shown == null ? "" : shown.nodes(),
        change.by(),
        change.edit());
  }

  /** The changes of a job before an event, in order. */
  List<Change> changes(int jobId, long before) {
    return readers.withHandle(
        handle ->
            handle
                .createQuery(
                    "select * from change where job_id = ? and sequence < ? order by sequence")
                .bind(0, jobId)
                .bind(1, before)
                .map(HistoryFile::change)
                .list());
  }

  private static Change change(ResultSet r, StatementContext context) throws SQLException {
    String state = r.getString("state");
    Shown shown =
        state == null
            ? null
            : new Shown(
                JobState.valueOf(state),
                r.getInt("completing") == 1,
                Reason.valueOf(r.getString("reason")),
                r.getString("reason_text"),
                r.getInt("restarts"),
                r.getString("nodes"));
    return new Change(
        r.getInt("job_id"),
        r.getLong("sequence"),
        Instant.parse(r.getString("at")),
        shown,
        r.getString("by"),
        r.getString("edit"));
  }

  /** The job that an id names: the first in the order of ids when it names several. */
  Optional<KnownJob> job(JobId id) {
    if (id.job() > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    int number = (int) id.job();
    if (id.het() >= 0) {
      return job("het_job_id = ? and het_offset = ?", number, id.het());
    }
    if (id.task() >= 0) {
      return job("array_job_id = ? and task_id = ?", number, id.task())
          .or(() -> job("array_job_id = ? and job_id = ?", number, number));
    }
    return job("job_id = ? and ? = 0", number, 0)
        .or(() -> job("array_job_id = ? and ? = 0", number, 0))
        .or(() -> job("het_job_id = ? and ? = 0", number, 0));
  }

  private Optional<KnownJob> job(String condition, int first, int second) {
    return readers.withHandle(
        handle ->
            handle
                .createQuery("select * from job where " + condition + " order by job_id limit 1")
                .bind(0, first)
                .bind(1, second)
                .map(HistoryFile::job)
                .findFirst());
  }

  private static KnownJob job(ResultSet r, StatementContext context) throws SQLException {
    long forgotten = r.getLong("forgotten");
    return new KnownJob(
        r.getInt("job_id"),
        r.getInt("array_job_id"),
        r.getInt("task_id"),
        r.getInt("het_job_id"),
        r.getInt("het_offset"),
        r.getString("name"),
        r.getInt("uid"),
        r.getString("user"),
        r.getString("account"),
        r.getLong("first"),
        r.getInt("parent"),
        forgotten == 0 ? null : forgotten);
  }

  /** Forgets jobs that were over by an event, and the states kept before it. */
  void forget(long sequence) {
    writer.useTransaction(
        handle -> {
          handle.execute("delete from image where sequence < ?", sequence);
          handle.execute(
              "delete from change where job_id in"
                  + " (select job_id from job where forgotten is not null and forgotten <= ?)",
              sequence);
          handle.execute(
              "delete from job where forgotten is not null and forgotten <= ?", sequence);
        });
  }

  /** Keeps a state to rebuild others from. */
  void image(ClusterState state, long sequence) {
    byte[] body = StateImage.write(state, sequence);
    writer.execute("insert or replace into image values (?, ?, ?)", sequence, body, crc(body));
  }

  /** The last state that was kept, of those after events between two numbers, both included. */
  Journal.@Nullable Recovered image(long from, long to) {
    return readers
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        "select body, crc, sequence from image where sequence between ? and ?"
                            + " order by sequence desc limit 1")
                    .bind(0, from)
                    .bind(1, to)
                    .map((r, c) -> read(r.getBytes(1), r.getLong(2), r.getLong(3)))
                    .findFirst())
        .orElse(null);
  }

  private Journal.Recovered read(byte[] body, long crc, long sequence) {
    if (crc(body) != crc) {
      throw new JournalException(place + ": the checksum of image " + sequence + " is wrong");
    }
    return StateImage.read(place, body);
  }

  private static long crc(byte[] body) {
    CRC32C crc = new CRC32C();
    crc.update(body);
    return crc.getValue();
  }

  @Override
  public void close() {
    writer.close();
  }
}
