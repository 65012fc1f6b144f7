package dev.yardmaster.replication;

import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.Position;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
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

  @Override
  public long takeSnapshot() {
    return copy.applied().index();
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
