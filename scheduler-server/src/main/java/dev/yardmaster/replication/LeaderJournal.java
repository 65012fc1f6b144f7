package dev.yardmaster.replication;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.LostControlException;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.JobScript;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The journal of the controller that leads, for as long as it does. */
final class LeaderJournal implements Journal {
  private final Replica replica;
  private final Copy copy;
  private final SqliteJournal store;
  private boolean isFounded;
  private boolean isOver;

  LeaderJournal(Replica replica, Copy copy) {
    this.replica = replica;
    this.copy = copy;
    this.store = copy.store();
    this.isFounded = copy.applied().index() >= 0;
  }

  @Override
  public long append(List<Batch> batches) {
    if (isOver) {
      throw new LostControlException("this controller leads no more");
    }
    try {
      if (!isFounded) {
        replica.write(copy.propose(List.of()));
        isFounded = true;
      }
      replica.write(copy.propose(batches));
      return store.lastSequence();
    } catch (LostControlException e) {
      isOver = true;
      throw e;
    }
  }

  @Override
  public long lastSequence() {
    return store.lastSequence();
  }

  @Override
  public Optional<Recovered> recover() {
    return copy.recover();
  }

  @Override
  public void read(long fromSequence, long toSequence, Consumer<Entry> reader) {
    store.read(fromSequence, toSequence, reader);
  }

  @Override
  public long begin() {
    return store.begin();
  }

  @Override
  public Optional<Recovered> kept(long atMost) {
    return store.kept(atMost);
  }

  @Override
  public void forget(ClusterState state, long sequence) {
    store.forget(state, sequence);
  }

  @Override
  public long sequenceAt(Instant at) {
    return store.sequenceAt(at);
  }

  @Override
  public Optional<Instant> timeOf(long sequence) {
    return store.timeOf(sequence);
  }

  @Override
  public long fingerprint(long sequence) {
    return store.fingerprint(sequence);
  }

  @Override
  public Optional<JobScript> script(int jobId) {
    return store.script(jobId);
  }

  @Override
  public void snapshot(ClusterState state, long sequence) {
    copy.snapshot(state, sequence);
  }

  /** The copy stays open, since it goes on as that of one that follows. */
  @Override
  public void close() {}
}
