package dev.yardmaster.journal;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.JobScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * The journal in one SQLite file {@code journal.db} of the state directory, in WAL mode with
 * synchronous=FULL: a commit has reached the disk when it returns.
 */
public final class SqliteJournal implements Journal {
  /** Name of the file in the state directory. */
  public static final String FILE = "journal.db";

  /** Number of the last step of db/journal. */
  static final int SCHEMA = 3;

  private static final Set<String> LOCAL_FILE_SYSTEMS =
      Set.of("btrfs", "ext2", "ext3", "ext4", "f2fs", "overlay", "tmpfs", "xfs", "zfs");

  private static final int ENDS = 4096;

  private final String place;
  private final AutoCloseable lock;
  private final Codec codec = new Codec();
  private final Handle writer;
  private final Jdbi readers;
  private final long epoch;
  private final EventRows rows;
  private final JournalTables tables;

  /** Checksums of the events with which recent batches ended: what those who follow ask for. */
  private final ConcurrentSkipListMap<Long, Long> ends = new ConcurrentSkipListMap<>();

  private volatile Beginning.Mark begin;
  private volatile Tail tail;
  private @Nullable ClusterState snapshotted;

  /**
   * The last event.
   *
   * @param crc 0 while it is not known
   */
  private record Tail(long sequence, long crc) {}

  /**
   * @param holder who takes control of a shared journal; null where there is nobody else
   */
  private SqliteJournal(
      String place, AutoCloseable lock, SQLiteDataSource source, @Nullable String holder) {
    this.place = place;
    this.lock = lock;
    this.readers = Jdbi.create(source);
    this.writer = readers.open();
    this.rows = new EventRows(writer, codec);
    this.tables = new JournalTables(place, codec, readers);
    this.epoch = holder == null ? 0 : ControlRow.claim(writer, holder);
    this.begin = Beginning.mark(writer);
    this.tail = new Tail(Math.max(begin.sequence(), scanLastSequence()), 0);
  }

  /**
   * Opens the journal of a state directory, creating both when they do not exist and upgrading the
   * file of an earlier release.
   *
   * @throws JournalException when another server has the directory or the file is not usable
   */
  public static SqliteJournal open(Path directory) {
    return open(directory, StateLock.take(directory), null);
  }

  /**
   * Opens the journal of a state directory that several controllers share, and takes control of it:
   * whoever had control can write no more, however late it tries.
   *
   * @param holder the name of this controller
   * @throws JournalException when the file is not usable, or another one is in the midst of a write
   */
  public static SqliteJournal openShared(Path directory, String holder) {
    return open(directory, () -> {}, holder);
  }

  /** The log that is quickest needs memory that all who have the file open share. */
  private static boolean isLocal(Path directory) {
    try {
      return LOCAL_FILE_SYSTEMS.contains(Files.getFileStore(directory).type());
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Opens one copy of a journal of which each controller has its own. What has not reached the disk
   * when the power goes is taken from the log of entries again.
   */
  public static SqliteJournal openReplica(Path directory) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
    return open(directory, StateLock.take(directory), null, config);
  }

  private static SqliteJournal open(Path directory, AutoCloseable lock, @Nullable String holder) {
    SQLiteConfig config = new SQLiteConfig();
    boolean log = holder == null || isLocal(directory);
    config.setJournalMode(log ? SQLiteConfig.JournalMode.WAL : SQLiteConfig.JournalMode.TRUNCATE);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    if (holder != null) {
      config.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
    }
    return open(directory, lock, holder, config);
  }

  private static SqliteJournal open(
      Path directory, AutoCloseable lock, @Nullable String holder, SQLiteConfig config) {
    Path file = directory.resolve(FILE);
    try {
      config.setBusyTimeout(10_000);
      SQLiteDataSource source = new SQLiteDataSource(config);
      PrivateFile.database(file);
      source.setUrl("jdbc:sqlite:" + file);
      Schema.upgrade(source, file, "db/journal", SCHEMA);
      return new SqliteJournal(file.toString(), lock, source, holder);
    } catch (FlywayException | JdbiException e) {
      unlock(lock);
      throw new JournalException(file + " cannot be opened: " + cause(e), e);
    } catch (RuntimeException e) {
      unlock(lock);
      throw e;
    }
  }

  private static void unlock(AutoCloseable lock) {
    try {
      lock.close();
    } catch (Exception e) {
      throw new JournalException("the lock of a state directory cannot be given back: " + e, e);
    }
  }

  /** The last entry of a replicated log that is in here. */
  public Position applied() {
    return ControlRow.applied(writer);
  }

  /**
   * Has all that was appended reach the disk, where commits of themselves do not.
   *
   * @return the last entry of a replicated log that has
   * @throws JournalException when it cannot, or readers are in the way
   */
  public synchronized Position flush() {
    Position last = applied();
    try {
      int busy = writer.createQuery("pragma wal_checkpoint(full)").map((r, c) -> r.getInt(1)).one();
      if (busy != 0) {
        throw new JournalException(place + " cannot be brought to the disk while others read it");
      }
    } catch (JdbiException e) {
      throw new JournalException(place + " cannot be written: " + cause(e), e);
    }
    return last;
  }

  /** Where it lies. */
  public String place() {
    return place;
  }

  /** The number by which this controller holds a shared journal; 0 for one that is not shared. */
  public long epoch() {
    return epoch;
  }

  /** To be asked within each transaction that writes. */
  private void checkControl() {
    if (epoch > 0) {
      ControlRow.check(writer, epoch);
    }
  }

  static String cause(Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage()).strip();
  }

  private long scanLastSequence() {
    return writer
        .createQuery("select coalesce(max(sequence), 0) from event")
        .mapTo(Long.class)
        .one();
  }

  @Override
  public long lastSequence() {
    return tail.sequence();
  }

  @Override
  public long append(List<Batch> batches) {
    return append(batches, null);
  }

  /**
   * Appends as {@link #append(List)} does, together with the place of the entry they came with.
   *
   * @param position null where there is no log of entries
   */
  public synchronized long append(List<Batch> batches, @Nullable Position position) {
    long sequence = tail.sequence();
    long last = tail.crc();
    List<Tail> written = new ArrayList<>(batches.size());
    try {
      writer.begin();
      checkControl();
      for (Batch batch : batches) {
        for (Event event : batch.events()) {
          last = rows.event(++sequence, event);
        }
        batch.scripts().forEach(rows::script);
        written.add(new Tail(sequence, last));
      }
      rows.write();
      if (position != null) {
        ControlRow.applied(writer, position);
      }
      writer.commit();
    } catch (JdbiException e) {
      rollback();
      throw new JournalException(place + " cannot be written: " + cause(e), e);
    } catch (RuntimeException e) {
      rollback();
      throw e;
    }
    tail = new Tail(sequence, last);
    written.forEach(end -> ends.put(end.sequence(), end.crc()));
    while (ends.size() > ENDS) {
      ends.pollFirstEntry();
    }
    return sequence;
  }

  private void rollback() {
    rows.forget();
    try {
      if (writer.isInTransaction()) {
        writer.rollback();
      }
    } catch (JdbiException e) {
      // SQLite has rolled back by itself, as it does when the disk is full.
      return;
    }
  }

  @Override
  public Optional<Recovered> recover() {
    Recovered snapshot = tables.snapshot();
    if (snapshot != null && snapshot.sequence() > tail.sequence()) {
      throw new DamagedRecordException(
          place,
          "event " + (tail.sequence() + 1),
          "it is missing, the snapshot was made after event " + snapshot.sequence());
    }
    snapshotted = snapshot == null ? null : snapshot.state();
    Recovered start =
        snapshot != null && snapshot.sequence() >= begin.sequence() ? snapshot : tables.beginning();
    Replay replay = new Replay(place, start);
    read(start == null ? 1 : start.sequence() + 1, replay);
    return Optional.ofNullable(replay.result());
  }

  @Override
  public Optional<Recovered> kept(long atMost) {
    Recovered snapshot = tables.snapshot();
    Recovered nearest =
        snapshot != null && snapshot.sequence() <= atMost ? snapshot : tables.beginning();
    return Optional.ofNullable(nearest).filter(state -> state.sequence() <= atMost);
  }

  @Override
  public long begin() {
    return begin.sequence();
  }

  @Override
  public void forget(ClusterState state, long sequence) {
    forget(state, sequence, () -> {});
  }

  /**
   * @param step run after each transaction
   */
  void forget(ClusterState state, long sequence, Runnable step) {
    if (sequence <= begin.sequence() || sequence > tail.sequence()) {
      throw new IllegalArgumentException(
          "event %d is not between %d and %d"
              .formatted(sequence, begin.sequence() + 1, tail.sequence()));
    }
    Beginning.Mark mark = new Beginning.Mark(sequence, state.time(), fingerprint(sequence));
    transaction(handle -> Beginning.write(handle, mark, state));
    begin = mark;
    step.run();
    deleteForgotten(step);
  }

  /** In steps, between which others write. */
  private void deleteForgotten(Runnable step) {
    boolean[] more = {true};
    while (more[0]) {
      transaction(handle -> more[0] = Beginning.deleteSome(handle, begin));
      step.run();
    }
  }

  private synchronized void transaction(Consumer<Handle> work) {
    try {
      writer.useTransaction(
          handle -> {
            checkControl();
            work.accept(handle);
          });
    } catch (JdbiException e) {
      rollback();
      throw new JournalException(place + " cannot be written: " + cause(e), e);
    }
  }

  @Override
  public void read(long fromSequence, long toSequence, Consumer<Entry> reader) {
    long begins = begin.sequence();
    if (fromSequence <= begins) {
      throw new JournalException(
          "%s: events up to %d were forgotten, and %d is asked for"
              .formatted(place, begins, fromSequence));
    }
    tables.read(fromSequence, toSequence, reader);
  }

  @Override
  public long sequenceAt(Instant at) {
    Beginning.Mark first = begin;
    return first.at().isAfter(at) ? 0 : tables.sequenceAt(at, first.sequence(), tail.sequence());
  }

  @Override
  public Optional<Instant> timeOf(long sequence) {
    Beginning.Mark first = begin;
    return first.sequence() == sequence && sequence > 0
        ? Optional.of(first.at())
        : tables.timeOf(sequence);
  }

  @Override
  public long fingerprint(long sequence) {
    Tail end = tail;
    if (sequence == end.sequence() && end.crc() != 0) {
      return end.crc();
    }
    if (sequence == begin.sequence() && sequence > 0) {
      return begin.fingerprint();
    }
    Long recent = ends.get(sequence);
    if (recent != null) {
      return recent;
    }
    return tables.fingerprint(sequence);
  }

  @Override
  public Optional<JobScript> script(int jobId) {
    return tables.reading(
        handle ->
            handle
                .createQuery("select version, body, crc from script where job_id = ?")
                .bind(0, jobId)
                .map(
                    (r, c) -> {
                      int version = r.getInt(1);
                      byte[] body = r.getBytes(2);
                      if (Codec.checksum(EventRows.scriptKey(jobId), version, body)
                          != r.getLong(3)) {
                        throw new DamagedRecordException(
                            place, EventRows.scriptKey(jobId), "its checksum is wrong");
                      }
                      return codec.read(
                          place,
                          EventRows.scriptKey(jobId),
                          version,
                          JobScript.class,
                          Packing.inflate(body));
                    })
                .findFirst());
  }

  @Override
  public synchronized void snapshot(ClusterState state, long sequence) {
    Map<Snapshot.Key, @Nullable Object> changes = Snapshot.changes(snapshotted, state, sequence);
    transaction(
        handle -> {
          if (snapshotted == null) {
            handle.execute("delete from snapshot");
          }
          changes.forEach(rows::state);
          rows.write();
        });
    snapshotted = state;
  }

  @Override
  public void close() {
    try {
      rows.close();
      writer.close();
    } finally {
      unlock(lock);
    }
  }
}
