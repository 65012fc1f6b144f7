package dev.yardmaster.accounting;

import dev.yardmaster.journal.Codec;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.PrivateFile;
import dev.yardmaster.journal.Rows;
import dev.yardmaster.journal.Schema;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.NodeSpan;
import dev.yardmaster.model.RecordQuery;
import dev.yardmaster.model.UsageReport;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.statement.Query;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * Records in one SQLite file beside the journal, with the number of the last event that they know.
 * Both change together, so that each event counts once whenever the process may end. One thread
 * writes; any may read.
 */
final class SqliteRecords implements JobRecords, AutoCloseable {
  /** Name of the file in the state directory. */
  static final String FILE = "accounting.db";

  /** Number of the last step of db/accounting. */
  private static final int SCHEMA = 4;

  private static final String SPANS = "select node, version, body from node_span";
  private static final String RECORD =
      "insert or replace into job_record(job_id, run, part, array_job_id, het_job_id, uid, account,"
          + " submitted, ended, version, body)"
          + " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, cast(? as text))";
  private static final String SPAN =
      "insert or replace into node_span(node, started, ended, version, body)"
          + " values (?, ?, ?, ?, cast(? as text))";
  private static final String PROGRESS =
      "update progress set sequence = ?, fingerprint = ? where id = 1";

  private final String place;
  private final Codec codec = new Codec();
  private final Jdbi readers;
  private final Handle writer;
  private final Rows rows;

  private SqliteRecords(String place, SQLiteDataSource source) {
    this.place = place;
    this.readers = Jdbi.create(source);
    this.writer = readers.open();
    this.rows = new Rows(writer, RECORD, SPAN, PROGRESS);
  }

  /**
   * Opens the records of a state directory, creating them when there are none.
   *
   * @throws JournalException when the file is not usable
   */
  static SqliteRecords open(Path directory) {
    Path file = directory.resolve(FILE);
    try {
      SQLiteConfig config = new SQLiteConfig();
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
      // What a loss of power takes is made again from the journal.
      config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
      config.setBusyTimeout(10_000);
      SQLiteDataSource source = new SQLiteDataSource(config);
      PrivateFile.database(file);
      source.setUrl("jdbc:sqlite:" + file);
      Schema.upgrade(source, file, "db/accounting", SCHEMA);
      return new SqliteRecords(file.toString(), source);
    } catch (FlywayException | JdbiException e) {
      throw new JournalException(file + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /** The number of the last event that the records know; 0 for none. */
  long sequence() {
    return guarded(
        () ->
            writer
                .createQuery("select sequence from progress where id = 1")
                .mapTo(Long.class)
                .one());
  }

  /** The highest id that any job was ever given; 0 when there was none. */
  int highestJobId() {
    return guarded(
        () ->
            writer
                .createQuery("select coalesce(max(job_id), 0) from job_record")
                .mapTo(Integer.class)
                .one());
  }

  /** The fingerprint of the last event that the records know; 0 where it was not noted. */
  long fingerprint() {
    return guarded(
        () ->
            writer
                .createQuery("select fingerprint from progress where id = 1")
                .mapTo(Long.class)
                .one());
  }

  /**
   * Begins to record another journal, with its first event. What was recorded stays; jobs and times
   * of nodes that had no end have it now, since nobody will tell of it.
   *
   * @return how many jobs were lost
   */
  int beginAnew(Instant at) {
    return guarded(
        () -> {
          List<JobRecord> lost =
              writer
                  .createQuery(
                      "select job_id, version, body from job_record where ended is null"
                          + " order by job_id, run, part")
                  .map((r, c) -> record(r.getInt(1), r.getInt(2), r.getBytes(3)))
                  .list();
          List<NodeSpan> open = spans(writer.createQuery(SPANS + " where ended is null"));
          save(
              lost.stream().map(record -> LostRecords.ended(record, at)).toList(),
              open.stream()
                  .map(s -> new NodeSpan(s.node(), s.started(), at, s.down(), s.tres()))
                  .toList(),
              0,
              0);
          return lost.size();
        });
  }

  /** Writes records, and up to which event they are complete, as one. */
  void write(
      Collection<JobRecord> records, Collection<NodeSpan> spans, long sequence, long fingerprint) {
    guarded(
        () -> {
          save(records, spans, sequence, fingerprint);
          return sequence;
        });
  }

  private void save(
      Collection<JobRecord> records, Collection<NodeSpan> spans, long sequence, long fingerprint) {
    try {
      records.forEach(this::add);
      spans.forEach(this::add);
      rows.add(PROGRESS, sequence, fingerprint);
      writer.useTransaction(handle -> rows.write());
    } catch (RuntimeException e) {
      rows.forget();
      throw e;
    }
  }

  private void add(JobRecord record) {
    rows.add(
        RECORD,
        record.key().jobId(),
        record.key().run(),
        record.key().part(),
        record.arrayJobId(),
        record.job().het() == null ? 0 : record.job().het().hetJobId(),
        record.job().owner().uid(),
        record.job().owner().account(),
        record.submitted().getEpochSecond(),
        record.ended() == null ? null : record.ended().getEpochSecond(),
        Codec.VERSION,
        codec.write(record));
  }

  private void add(NodeSpan span) {
    rows.add(
        SPAN,
        span.node(),
        span.started().getEpochSecond(),
        span.ended() == null ? null : span.ended().getEpochSecond(),
        Codec.VERSION,
        codec.write(span));
  }

  /** The present span of each node. */
  List<NodeSpan> presentSpans() {
    return guarded(() -> spans(writer.createQuery(SPANS + " where ended is null")));
  }

  private List<NodeSpan> spans(Query query) {
    return query
        .map(
            (r, c) ->
                codec.read(
                    place,
                    "span of node " + r.getString(1),
                    r.getInt(2),
                    NodeSpan.class,
                    r.getBytes(3)))
        .list();
  }

  @Override
  public UsageReport usage(Instant start, Instant end, Instant now) {
    List<JobRecord> records = new ArrayList<>();
    find(UsageReports.query(start, end), now, records::add);
    List<NodeSpan> spans =
        guarded(
            () ->
                readers.withHandle(
                    handle ->
                        spans(
                            handle
                                .createQuery(
                                    SPANS
                                        + " where started < :end"
                                        + " and (ended is null or ended > :start)")
                                .bind("start", start.getEpochSecond())
                                .bind("end", end.getEpochSecond()))));
    return UsageReports.of(start, end, records, spans, now);
  }

  /** The record of the latest run of a job; null when there is none. */
  @Nullable JobRecord latest(int jobId) {
    return one("job_id = ? order by run desc, part desc limit 1", jobId).orElse(null);
  }

  /** The record of one part of a run; null when there is none. */
  @Nullable JobRecord of(JobRecord.Key part) {
    return one("job_id = ? and run = ? and part = ?", part.jobId(), part.run(), part.part())
        .orElse(null);
  }

  private Optional<JobRecord> one(String where, Object... values) {
    return guarded(
        () -> {
          Query query =
              writer.createQuery("select job_id, version, body from job_record where " + where);
          for (int i = 0; i < values.length; i++) {
            query.bind(i, values[i]);
          }
          return query.map((r, c) -> record(r.getInt(1), r.getInt(2), r.getBytes(3))).findFirst();
        });
  }

  private JobRecord record(int jobId, int version, byte[] body) {
    return codec.read(place, "record of job " + jobId, version, JobRecord.class, body);
  }

  @Override
  public void find(RecordQuery query, Instant now, Consumer<JobRecord> reader) {
    List<JobRecord> candidates = new ArrayList<>();
    guarded(
        () -> {
          readers.useHandle(handle -> read(handle, query, candidates));
          return candidates;
        });
    new RecordFilter(query).of(candidates).forEach(reader);
  }

  /** What the columns say may be meant. */
  private void read(Handle handle, RecordQuery query, List<JobRecord> candidates) {
    StringBuilder where = new StringBuilder("submitted < :end");
    if (query.start() != null) {
      where.append(" and (ended is null or ended >= :start)");
    }
    if (!query.users().isEmpty()) {
      where.append(" and uid in (<users>)");
    }
    if (!query.accounts().isEmpty()) {
      where.append(" and account collate nocase in (<accounts>)");
    }
    TreeSet<Integer> ids = new TreeSet<>();
    query.jobs().forEach(wanted -> ids.add(wanted.id()));
    boolean byId = !ids.isEmpty() && !Boolean.TRUE.equals(query.wholeHet());
    if (byId) {
      where.append(" and (job_id in (<ids>) or array_job_id in (<ids>) or het_job_id in (<ids>))");
    }
    Query rows =
        handle
            .createQuery("select job_id, version, body from job_record where " + where)
            .bind("end", query.end().getEpochSecond());
    if (query.start() != null) {
      rows.bind("start", query.start().getEpochSecond());
    }
    if (!query.users().isEmpty()) {
      rows.bindList("users", query.users());
    }
    if (!query.accounts().isEmpty()) {
      rows.bindList("accounts", query.accounts());
    }
    if (byId) {
      rows.bindList("ids", new ArrayList<>(ids));
    }
    RecordFilter filter = new RecordFilter(query);
    rows.map((r, c) -> record(r.getInt(1), r.getInt(2), r.getBytes(3)))
        .forEach(
            record -> {
              if (filter.matches(record)) {
                candidates.add(record);
              }
            });
  }

  private interface Work<T> {
    T run();
  }

  private <T> T guarded(Work<T> work) {
    try {
      return work.run();
    } catch (JdbiException e) {
      throw new JournalException(place + " cannot be used: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    writer.close();
  }
}
