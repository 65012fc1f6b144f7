package dev.yardmaster.replication;

import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.Position;
import dev.yardmaster.journal.SqliteJournal;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.jspecify.annotations.Nullable;

/** Hands what most controllers have agreed on to this one's copy, and who leads to the listener. */
final class Machine extends BaseStateMachine {
  private final Copy copy;
  private final Replica.Listener listener;

  Machine(Copy copy, Replica.Listener listener) {
    this.copy = copy;
    this.listener = listener;
  }

  @Override
  public void initialize(RaftServer server, RaftGroupId group, RaftStorage storage)
      throws IOException {
    super.initialize(server, group, storage);
    Position applied = copy.applied();
    if (applied.index() >= 0) {
      setLastAppliedTermIndex(TermIndex.valueOf(applied.term(), applied.index()));
    }
  }

  /** The copy itself is the snapshot of all entries up to the last that is in it. */
  @Override
  public @Nullable SnapshotInfo getLatestSnapshot() {
    Position applied = copy.applied();
    return applied.index() < 0
        ? null
        : new FileListSnapshotInfo(List.of(), applied.term(), applied.index());
  }

  /** What is on the disk here needs no entries any more. */
  @Override
  public long takeSnapshot() throws IOException {
    try {
      return copy.flush().index();
    } catch (JournalException e) {
      throw new IOException(e);
    }
  }

  /** The others have cut off entries that this copy lacks: it was away, and is another one now. */
  @Override
  public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
      RoleInfoProto role, TermIndex firstOfTheirs) {
    JournalException failure =
        new JournalException(
            copy.store().place()
                + " ends with entry "
                + copy.applied().index()
                + ", and the other controllers keep entries only from "
                + firstOfTheirs.getIndex()
                + " on; stop a controller that stands by, copy its "
                + SqliteJournal.FILE
                + " here, remove the directory raft here, and start both again");
    listener.fails(String.valueOf(failure.getMessage()));
    return CompletableFuture.failedFuture(failure);
  }

  @Override
  public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
    LogEntryProto entry = transaction.getLogEntry();
    byte[] bytes = entry.getStateMachineLogEntry().getLogData().toByteArray();
    try {
      Copy.Outcome outcome = copy.take(bytes, new Position(entry.getTerm(), entry.getIndex()));
      updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
      return CompletableFuture.completedFuture(Message.valueOf(outcome.name()));
    } catch (JournalException e) {
      listener.fails(String.valueOf(e.getMessage()));
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public void notifyLeaderReady() {
    listener.leads();
  }

  @Override
  public void notifyNotLeader(Collection<TransactionContext> pending) {
    listener.follows();
  }
}
