package dev.yardmaster.server;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.security.Authenticator;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.DateTimeException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands commands of callers to the controller, and its replies back, once they are audited. */
final class CommandCalls {
  private static final Logger LOG = LoggerFactory.getLogger(CommandCalls.class);

  private final Controller controller;
  private final Auditor auditor;

  CommandCalls(Controller controller, Auditor auditor) {
    this.controller = controller;
    this.auditor = auditor;
  }

  void handle(Command command, StreamObserver<Rpc.Reply> answer) {
    Identity caller = Authenticator.caller();
    String origin = Authenticator.origin();
    boolean audited = auditor.takes(command);
    Map<String, Object> before = audited ? AuditedState.of(command, controller.state()) : Map.of();
    controller
        .handle(command)
        .whenComplete(
            (reply, failure) -> {
              if (failure != null) {
                answer.onError(failure(command.getClass().getSimpleName(), failure));
              } else if (audited) {
                auditor.note(
                    command,
                    caller,
                    origin,
                    before,
                    controller.state(),
                    reply,
                    () -> answer(command, caller, reply, answer));
              } else {
                answer(command, caller, reply, answer);
              }
            });
  }

  /**
   * Answers a request that is no command of the controller, once it is audited.
   *
   * @param what its name
   * @param may whether the caller may
   * @param then done after the answer, when he may
   */
  void permit(String what, boolean may, StreamObserver<Rpc.Reply> answer, Runnable then) {
    Reply reply =
        may ? new Reply.Done(List.of()) : new Reply.Refused(SlurmError.ACCESS_DENIED, null);
    note(what, reply);
    answer.onNext(Refusals.write(reply, 0));
    answer.onCompleted();
    if (may) {
      then.run();
    }
  }

  /** Audits what the caller asked for besides commands of the controller; returns when it is. */
  void note(String what, Reply reply) {
    Identity caller = Authenticator.caller();
    if (reply instanceof Reply.Refused) {
      LOG.warn("{} by {} (uid {}) was denied", what, caller.user(), caller.uid());
    }
    auditor.note(what, caller, Authenticator.origin(), reply).join();
  }

  private void answer(
      Command command, Identity caller, Reply reply, StreamObserver<Rpc.Reply> answer) {
    noteDenied(command, caller, reply);
    answer.onNext(Refusals.write(reply, controller.state().nextJobId()));
    answer.onCompleted();
  }

  /** Who tries what is not allowed to them can be read in the log. */
  private static void noteDenied(Command command, Identity caller, Reply reply) {
    if (reply instanceof Reply.Refused refused
        && (refused.error() == SlurmError.ACCESS_DENIED
            || refused.error() == SlurmError.INVALID_USER_ID)) {
      LOG.warn(
          "{} by {} (uid {}) was denied: {}",
          command.getClass().getSimpleName(),
          caller.user(),
          caller.uid(),
          Objects.requireNonNullElse(refused.detail(), "").strip());
    } else if (reply instanceof Reply.Refused refused && command instanceof Command.Reconfigure) {
      noteConfiguration(caller, refused);
    }
  }

  /** Who finds later that a change of the files has no effect can read why in the log. */
  private static void noteConfiguration(Identity caller, Reply.Refused refused) {
    LOG.error(
        "reconfigure by {} (uid {}) failed, the configuration is as before:",
        caller.user(),
        caller.uid());
    Objects.requireNonNullElse(refused.detail(), refused.error().toString())
        .lines()
        .filter(line -> !line.isBlank())
        .forEach(line -> LOG.error("  {}", line));
  }

  static RuntimeException failure(String what, Throwable failure) {
    if (isOfTheRequest(failure)) {
      return Status.INVALID_ARGUMENT
          .withDescription(what + ": " + failure.getMessage())
          .asRuntimeException();
    }
    LOG.error("{} failed", what, failure);
    return Status.INTERNAL.withDescription(what + ": " + failure).asRuntimeException();
  }

  /** Whether it only says that a request names a time that there is not. */
  static boolean isOfTheRequest(Throwable failure) {
    return failure instanceof DateTimeException || failure instanceof ArithmeticException;
  }
}
