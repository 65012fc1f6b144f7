package dev.yardmaster.replication;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.BatchCodec;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.Position;
import dev.yardmaster.journal.Replay;
import dev.yardmaster.journal.SqliteJournal;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * This controller's copy of the journal. All copies take the same entries in the same order and
 * decide alike which of them count: only those that go right behind what is there. So an entry of a
 * controller that has lost control since does nothing, wherever it comes late.
 */
final class Copy {
  private static final int SNAPSHOT_EVERY = 20_000;

  private final SqliteJournal store;
  private @Nullable Replay warm;
  private BatchCodec.@Nullable Entry pending;
  private long snapshotted;

  /** What became of an entry. */
  enum Outcome {
    WRITTEN,
    /** It goes behind something else than what is there. */
    LATE
  }

  Copy(SqliteJournal store) {
    this.store = store;
  }

  SqliteJournal store() {
    return store;
  }

  synchronized Position applied() {
    return store.applied();
  }

  /** Makes an entry that goes behind what is there; it is known again when it comes back. */
  synchronized BatchCodec.Entry propose(List<Journal.Batch> batches) {
    long base = store.lastSequence();
    BatchCodec.Entry entry =
        new BatchCodec.Entry(UUID.randomUUID(), base, store.fingerprint(base), batches);
    pending = entry;
    return entry;
  }

  /**
   * Takes an entry that most controllers have.
   *
   * @throws JournalException when this copy is not that of the others, or cannot be written
   */
  synchronized Outcome take(byte[] bytes, Position position) {
    BatchCodec.Entry own = pending;
    boolean isOwn = own != null && own.id().equals(BatchCodec.id(bytes));
    BatchCodec.Entry entry = isOwn && own != null ? own : BatchCodec.read(store.place(), bytes);
    long last = store.lastSequence();
    boolean alike = entry.base() <= last && store.fingerprint(entry.base()) == entry.fingerprint();
    if (!alike || entry.batches().isEmpty() && entry.base() != last) {
      throw new JournalException(
          store.place()
              + " is not the copy of what the other controllers have (event "
              + entry.base()
              + " of theirs, and this one ends with "
              + last
              + "); stop all, and begin with the same state directory on each, or with an empty one"
              + " here");
    }
    if (entry.base() != last) {
      return Outcome.LATE;
    }
    store.append(entry.batches(), position);
    if (isOwn) {
      pending = null;
      warm = null;
    } else {
      follow(entry, last);
    }
    return Outcome.WRITTEN;
  }

  /** Keeps the state at hand while another controller has control. */
  private void follow(BatchCodec.Entry entry, long base) {
    Replay replay = warm;
    if (replay == null) {
      replay = new Replay(store.place(), store.recover().orElse(null));
      warm = replay;
      snapshotted = base;
    } else {
      long sequence = base;
      for (Journal.Batch batch : entry.batches()) {
        for (Event event : batch.events()) {
          replay.accept(new Journal.Entry(++sequence, event));
        }
      }
    }
    Journal.Recovered now = replay.result();
    if (now != null && now.sequence() - snapshotted >= SNAPSHOT_EVERY) {
      store.snapshot(now.state(), now.sequence());
      snapshotted = now.sequence();
    }
  }

  /** Has all of it reach the disk; returns the last entry that has. */
  synchronized Position flush() {
    return store.flush();
  }

  synchronized Optional<Journal.Recovered> recover() {
    Replay replay = warm;
    return replay == null ? store.recover() : Optional.ofNullable(replay.result());
  }

  synchronized void snapshot(ClusterState state, long sequence) {
    store.snapshot(state, sequence);
  }

  synchronized void close() {
    store.close();
  }
}
