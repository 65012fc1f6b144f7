package dev.yardmaster.server;

import dev.yardmaster.api.v1.NodeServiceGrpc;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.security.Authenticator;
import io.grpc.BindableService;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.function.Predicate;

/**
 * A controller that stands by: it says so to everybody, so that they look for the one that serves,
 * and can be told to take control or to end.
 */
final class Standby implements AutoCloseable {
  private final RpcServer network;

  private Standby(RpcServer network) {
    this.network = network;
  }

  /**
   * Starts to listen.
   *
   * @param may who may give it orders
   * @param takeOver to take control, without waiting for it
   * @param shutdown to end, without waiting for it
   * @throws IOException with a line that names the address and what would help
   */
  static Standby start(
      InetAddress address,
      int port,
      Authenticator authenticator,
      Predicate<Identity> may,
      Runnable takeOver,
      Runnable shutdown)
      throws IOException {
    return new Standby(
        RpcServer.start(
            address,
            port,
            authenticator,
            new RpcCounts(),
            List.of(
                refusing(new Ending(may, shutdown)),
                refusing(new NodeServiceGrpc.NodeServiceImplBase() {}),
                ControlService.standingBy(may, takeOver))));
  }

  private static BindableService refusing(BindableService service) {
    return () -> ServerInterceptors.intercept(service, new Gate());
  }

  @Override
  public void close() {
    network.close();
  }

  /** Of all that a scheduler is asked, the one thing that one on standby does too. */
  private static final class Ending extends SchedulerGrpc.SchedulerImplBase {
    private final Predicate<Identity> may;
    private final Runnable shutdown;

    Ending(Predicate<Identity> may, Runnable shutdown) {
      this.may = may;
      this.shutdown = shutdown;
    }

    @Override
    public void shutdown(Rpc.ShutdownRequest request, StreamObserver<Rpc.Reply> answer) {
      boolean allowed = may.test(Authenticator.caller());
      Reply reply =
          allowed ? new Reply.Done(List.of()) : new Reply.Refused(SlurmError.ACCESS_DENIED, null);
      answer.onNext(Refusals.write(reply, 0));
      answer.onCompleted();
      if (allowed) {
        shutdown.run();
      }
    }
  }

  /** Turns everything else away. */
  private static final class Gate implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      if (call.getMethodDescriptor().equals(SchedulerGrpc.getShutdownMethod())) {
        return next.startCall(call, headers);
      }
      StatusRuntimeException refusal = Refusals.exception(SlurmError.IN_STANDBY_MODE, null);
      Metadata trailers = refusal.getTrailers();
      call.close(refusal.getStatus(), trailers == null ? new Metadata() : trailers);
      return new ServerCall.Listener<>() {};
    }
  }
}
