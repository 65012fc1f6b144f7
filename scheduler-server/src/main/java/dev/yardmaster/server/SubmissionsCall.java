package dev.yardmaster.server;

import dev.yardmaster.api.ClusterWire;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.Identity;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submissions of one caller over one call. As many as the window are handled at a time; the next
 * ones wait in the connection until answers have been taken, so that a caller who floods the server
 * or does not read holds up only itself.
 */
final class SubmissionsCall implements StreamObserver<Rpc.NumberedSubmission> {
  private static final Logger LOG = LoggerFactory.getLogger(SubmissionsCall.class);

  /** A round of the controller and the one that is being written. */
  private static final int WINDOW = 1_024;

  private final Controller controller;
  private final Identity caller;
  private final ServerCallStreamObserver<Rpc.NumberedReply> answers;

  // Guarded by this.
  private int open;
  private int owed;
  private boolean isComplete;

  /**
   * @param to what the library makes for a call of a server
   */
  SubmissionsCall(Controller controller, Identity caller, StreamObserver<Rpc.NumberedReply> to) {
    if (!(to instanceof ServerCallStreamObserver<Rpc.NumberedReply> answers)) {
      throw new IllegalArgumentException("no call of a server: " + to);
    }
    this.controller = controller;
    this.caller = caller;
    this.answers = answers;
    answers.disableAutoRequest();
    answers.setOnReadyHandler(this::ask);
    answers.setOnCancelHandler(() -> {});
    answers.request(WINDOW);
  }

  @Override
  public void onNext(Rpc.NumberedSubmission one) {
    synchronized (this) {
      open++;
    }
    controller
        .handle(new Command.Submit(caller, ClusterWire.read(one.getSubmission())))
        .whenComplete((reply, failure) -> answer(one.getNumber(), reply, failure));
  }

  private synchronized void answer(long number, Reply reply, @Nullable Throwable failure) {
    open--;
    if (answers.isCancelled()) {
      return;
    }
    if (failure != null) {
      LOG.error("a submission failed", failure);
      answers.onError(
          Status.INTERNAL.withDescription("submission: " + failure).asRuntimeException());
      return;
    }
    answers.onNext(
        Rpc.NumberedReply.newBuilder()
            .setNumber(number)
            .setReply(Refusals.write(reply, 0))
            .build());
    owed++;
    ask();
    if (isComplete && open == 0) {
      answers.onCompleted();
    }
  }

  /** Takes as many more as were answered, once the answers have left. */
  private synchronized void ask() {
    if (owed > 0 && answers.isReady()) {
      answers.request(owed);
      owed = 0;
    }
  }

  @Override
  public synchronized void onCompleted() {
    isComplete = true;
    if (open == 0) {
      answers.onCompleted();
    }
  }

  @Override
  public void onError(Throwable failure) {
    // The caller has gone; what it submitted stays.
  }
}
