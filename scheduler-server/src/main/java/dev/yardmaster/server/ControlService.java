package dev.yardmaster.server;

import dev.yardmaster.api.v1.ControlGrpc;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.security.Authenticator;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What operators and other controllers ask of one of several controllers. */
final class ControlService extends ControlGrpc.ControlImplBase {
  private final Predicate<Identity> may;
  private final @Nullable Runnable takeOver;
  private final @Nullable IntConsumer giveUp;

  private ControlService(
      Predicate<Identity> may, @Nullable Runnable takeOver, @Nullable IntConsumer giveUp) {
    this.may = may;
    this.takeOver = takeOver;
    this.giveUp = giveUp;
  }

  /**
   * Of a controller that has control.
   *
   * @param may who may ask
   * @param giveUp gets the place of the one that asks for control, without waiting
   */
  static ControlService inControl(Predicate<Identity> may, IntConsumer giveUp) {
    return new ControlService(may, null, giveUp);
  }

  /** Of a controller that stands by. */
  static ControlService standingBy(Predicate<Identity> may, Runnable takeOver) {
    return new ControlService(may, takeOver, null);
  }

  /** As in Slurm, one that has control already says yes. */
  @Override
  public void takeOver(Rpc.TakeOverRequest request, StreamObserver<Rpc.Reply> answer) {
    if (isAllowed(answer) && takeOver != null) {
      takeOver.run();
    }
  }

  @Override
  public void giveUp(Rpc.GiveUpRequest request, StreamObserver<Rpc.Reply> answer) {
    if (isAllowed(answer) && giveUp != null) {
      giveUp.accept(request.getController());
    }
  }

  private boolean isAllowed(StreamObserver<Rpc.Reply> answer) {
    boolean allowed = may.test(Authenticator.caller());
    Reply reply =
        allowed ? new Reply.Done(List.of()) : new Reply.Refused(SlurmError.ACCESS_DENIED, null);
    answer.onNext(Refusals.write(reply, 0));
    answer.onCompleted();
    return allowed;
  }
}
