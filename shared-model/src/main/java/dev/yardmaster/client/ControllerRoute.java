package dev.yardmaster.client;

import dev.yardmaster.api.Headers;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.model.SlurmError;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Calls to whichever of a cluster's controllers serves. With one controller a call goes there, and
 * only waits for it while nobody listens. With several the one that serves is looked for first, and
 * again when it has gone: a call that cannot have had an effect is made again elsewhere, one that
 * may be repeated also when it is not known whether it had, and the rest fails.
 */
final class ControllerRoute implements AutoCloseable {
  /** TCPTimeout of slurm.conf(5): how long a controller may take to say that it is there. */
  private static final Duration THERE = Duration.ofSeconds(2);

  /**
   * How long a call that reads and one that asks may take before it is made sure that their
   * controller still serves: one that was stopped or cut off neither answers nor ends the
   * connection. A further try may take twice as long as the one before it, since a controller that
   * has much to do is slow as well, and may be stopped during any try.
   */
  private static final Duration FIRST_READ = Duration.ofSeconds(5);

  private static final Duration FIRST_ASK = Duration.ofSeconds(2);

  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** After more requests than a user may make (slurm.conf(5), rl_enable). */
  private static final Duration BACK_OFF = Duration.ofSeconds(1);

  private static final Duration PAUSE = Duration.ofMillis(200);

  private final List<Endpoint> endpoints;
  private final List<ControllerChannel> channels;
  private final Duration deadline;
  private final Duration patience;
  private volatile int current;
  private volatile boolean located;

  /**
   * @param endpoints the controllers, first the one to ask first
   * @param deadline how long a call may take
   * @param patience for how long a controller is looked for
   */
  ControllerRoute(
      List<Endpoint> endpoints, Credential credential, Duration deadline, Duration patience) {
    this.endpoints = List.copyOf(endpoints);
    this.channels =
        endpoints.stream().map(endpoint -> ControllerChannel.open(endpoint, credential)).toList();
    this.deadline = deadline;
    this.patience = patience;
    this.located = endpoints.size() == 1;
  }

  /** The controller that was asked last. */
  Endpoint endpoint() {
    return endpoints.get(current);
  }

  /** The connection to it. */
  ControllerChannel channel() {
    return channels.get(current);
  }

  /** Whether another controller may take over from one. */
  boolean isShared() {
    return endpoints.size() > 1;
  }

  /** Turns to the next controller, after the present one has failed. */
  void turn() {
    current = (current + 1) % endpoints.size();
  }

  /** Makes a call that may take its time, as one that reads much does, and be made again. */
  <T> T read(Function<SchedulerGrpc.SchedulerBlockingStub, T> request) throws ClientException {
    return call(true, FIRST_READ, deadline, request);
  }

  /**
   * Makes a call that is answered with a few words: a controller that takes longer is given up
   * (slurm.conf(5), MessageTimeout).
   *
   * @param repeatable whether doing it twice is as good as once
   */
  <T> T ask(boolean repeatable, Function<SchedulerGrpc.SchedulerBlockingStub, T> request)
      throws ClientException {
    Duration least = patience.compareTo(SHORTEST) < 0 ? SHORTEST : patience;
    boolean hurries = !patience.isZero() && least.compareTo(deadline) < 0;
    return call(repeatable, FIRST_ASK, hurries ? least : deadline, request);
  }

  private <T> T call(
      boolean repeatable,
      Duration firstTry,
      Duration within,
      Function<SchedulerGrpc.SchedulerBlockingStub, T> request)
      throws ClientException {
    long end = System.nanoTime() + patience.toNanos();
    boolean first = true;
    Duration limit = isShared() && repeatable ? firstTry : within;
    while (true) {
      RuntimeException failure = located ? null : locate();
      boolean again = failure != null && (standsBy(failure) || mayBeElsewhere(failure));
      if (failure == null) {
        try {
          limit = limit.compareTo(within) < 0 ? limit : within;
          T answer = request.apply(stub(limit));
          if (!(repeatable && isShared() && hasLostControl(answer)) || isOver(end)) {
            return answer;
          }
        } catch (RuntimeException e) {
          failure = e;
          again =
              Calls.notSent(e)
                  || comesTooOften(e)
                  || isShared() && (standsBy(e) || repeatable && mayBeElsewhere(e));
        }
      }
      boolean waits = failure != null && comesTooOften(failure);
      if (failure != null && (!again || isOver(end)) || !pause(waits ? BACK_OFF : PAUSE)) {
        throw Calls.failure(
            failure == null ? Status.CANCELLED.asRuntimeException() : failure, endpoint());
      }
      if (first) {
        turn();
      }
      first = false;
      if (isLate(failure) && limit.compareTo(within) < 0) {
        limit = limit.multipliedBy(2);
      }
      located = !isShared();
      channel().connectNow();
    }
  }

  private static boolean isOver(long end) {
    return System.nanoTime() - end >= 0;
  }

  /** Finds the controller that serves; returns why there is none. */
  private @Nullable RuntimeException locate() {
    RuntimeException failure = null;
    int start = current;
    for (int i = 0; i < endpoints.size(); i++) {
      current = (start + i) % endpoints.size();
      try {
        channel().connectNow();
        stub(deadline.compareTo(THERE) < 0 ? deadline : THERE)
            .info(Rpc.InfoRequest.getDefaultInstance());
        located = true;
        return null;
      } catch (RuntimeException e) {
        // What is down says less than one that stands by.
        failure = failure != null && standsBy(failure) ? failure : e;
      }
    }
    current = start;
    return failure;
  }

  private SchedulerGrpc.SchedulerBlockingStub stub(Duration limit) {
    return SchedulerGrpc.newBlockingStub(channel().calls())
        .withOption(ControllerChannel.AWAITED, true)
        .withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Whether a controller that does not serve refused a call, so that it had no effect. */
  private static boolean standsBy(RuntimeException failure) {
    Metadata trailers = failure instanceof StatusRuntimeException e ? e.getTrailers() : null;
    return trailers != null
        && SlurmError.IN_STANDBY_MODE.name().equals(trailers.get(Headers.ERROR_NAME));
  }

  /** Whether a controller asked the caller to come back later, and did nothing. */
  private static boolean comesTooOften(RuntimeException failure) {
    return failure instanceof StatusRuntimeException e
        && e.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED;
  }

  private static boolean isLate(@Nullable RuntimeException failure) {
    return failure instanceof StatusRuntimeException e
        && e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED;
  }

  private static boolean mayBeElsewhere(RuntimeException failure) {
    return failure instanceof StatusRuntimeException e
        && (e.getStatus().getCode() == Status.Code.UNAVAILABLE
            || e.getStatus().getCode() == Status.Code.CANCELLED
            || e.getStatus().getCode() == Status.Code.DEADLINE_EXCEEDED);
  }

  /** Whether a controller lost control while it handled a request. */
  private static boolean hasLostControl(Object answer) {
    return answer instanceof Rpc.Reply reply
        && reply.hasRefused()
        && reply.getRefused().getName().equals(SlurmError.IN_STANDBY_MODE.name());
  }

  /** Returns false when this thread is to end. */
  private static boolean pause(Duration time) {
    try {
      Thread.sleep(time);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    channels.forEach(ControllerChannel::close);
  }
}
