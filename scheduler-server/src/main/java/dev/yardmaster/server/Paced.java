package dev.yardmaster.server;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Sends the parts of an answer no faster than its reader takes them, so that one that does not read
 * costs a part or two and not the whole answer. One that takes nothing for a minute is given up.
 */
final class Paced<T> implements Consumer<T> {
  /** So many bytes may be on their way, so that a quick reader never waits. */
  private static final int AHEAD = 2 << 20;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final StreamObserver<T> answer;
  private final Duration patience;

  Paced(StreamObserver<T> answer) {
    this(answer, PATIENCE);
  }

  Paced(StreamObserver<T> answer, Duration patience) {
    this.answer = answer;
    this.patience = patience;
    if (answer instanceof ServerCallStreamObserver<T> reader) {
      reader.setOnReadyThreshold(AHEAD);
    }
  }

  /**
   * Sends a part once the reader has room for it; to be called by the handler of the call.
   *
   * @throws StatusRuntimeException when the reader has gone or takes nothing
   */
  @Override
  public void accept(T part) {
    if (answer instanceof ServerCallStreamObserver<T> reader) {
      await(reader);
    }
    answer.onNext(part);
  }

  /** Looks, since what tells of room would have to run where the handler does. */
  private void await(ServerCallStreamObserver<T> reader) {
    long since = System.nanoTime();
    while (!reader.isReady()) {
      if (reader.isCancelled()) {
        throw Status.CANCELLED.asRuntimeException();
      }
      if (System.nanoTime() - since > patience.toNanos()) {
        throw Status.DEADLINE_EXCEEDED
            .withDescription("the answer was not read for " + patience.toSeconds() + " s")
            .asRuntimeException();
      }
      try {
        Thread.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw Status.UNAVAILABLE.withDescription("stopping").asRuntimeException();
      }
    }
  }
}
