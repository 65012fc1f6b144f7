package dev.yardmaster.client;

import dev.yardmaster.api.Headers;
import dev.yardmaster.api.WireException;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.api.v1.TriggersGrpc;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.ConnectException;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What goes with every call, and what its failures mean. */
final class Calls {
  private Calls() {}

  static Metadata headers(Credential credential) {
    Metadata headers = new Metadata();
    headers.put(Headers.CONTRACT, Headers.CONTRACT_VERSION);
    headers.put(
        Headers.IDENTITY,
        encoded(credential.user())
            + ":"
            + credential.uid()
            + ":"
            + encoded(credential.group())
            + ":"
            + credential.gid());
    if (credential.token() instanceof String token) {
      headers.put(Headers.TOKEN, token);
    }
    return headers;
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  /** Whether a call failed because nobody listens, so that it cannot have had an effect. */
  static boolean notSent(RuntimeException failure) {
    return failure instanceof StatusRuntimeException e
        && e.getStatus().getCode() == Status.Code.UNAVAILABLE
        && deepest(e.getStatus()) instanceof ConnectException;
  }

  /** The failure of a call to {@code endpoint} in the client's terms. */
  static ClientException failure(RuntimeException failure, Endpoint endpoint) {
    return switch (failure) {
      case StatusRuntimeException e -> failure(e, endpoint);
      case WireException e -> new ClientException.WrongVersion(message(e), e);
      default ->
          new ClientException.Failed(
              "the answer of the controller at " + endpoint + " is wrong: " + failure, failure);
    };
  }

  private static ClientException failure(StatusRuntimeException e, Endpoint endpoint) {
    Status status = e.getStatus();
    String described = status.getDescription() == null ? "" : status.getDescription();
    Metadata trailers = e.getTrailers();
    String number = trailers == null ? null : trailers.get(Headers.ERROR_NUMBER);
    if (trailers != null && number != null) {
      byte @Nullable [] detail = trailers.get(Headers.ERROR_DETAIL);
      String name = trailers.get(Headers.ERROR_NAME);
      return new ClientException.Refused(
          name == null ? "" : name,
          Integer.parseInt(number),
          described,
          detail == null ? null : new String(detail, StandardCharsets.UTF_8));
    }
    return switch (status.getCode()) {
      case UNAVAILABLE ->
          new ClientException.Unreachable(
              "cannot reach the controller at " + endpoint + ": " + cause(status, described), e);
      case DEADLINE_EXCEEDED ->
          new ClientException.Unreachable(
              "the controller at "
                  + endpoint
                  + " did not answer in time; it may still do what was asked",
              e,
              true);
      case CANCELLED ->
          new ClientException.Unreachable("the controller at " + endpoint + " ended the call", e);
      case UNAUTHENTICATED, PERMISSION_DENIED -> new ClientException.NotAuthenticated(described, e);
      case UNIMPLEMENTED ->
          new ClientException.WrongVersion(
              "the controller at "
                  + endpoint
                  + " does not know this request: it is of another version of Yardmaster, or not"
                  + " Yardmaster",
              e);
      default ->
          new ClientException.Failed(
              "the controller at " + endpoint + " failed: " + status.getCode() + " " + described,
              e);
    };
  }

  /** Why a call failed, in a few words. */
  static String why(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    String described = status.getDescription();
    return cause(status, described == null ? status.getCode().toString() : described);
  }

  private static String cause(Status status, String described) {
    Throwable deepest = deepest(status);
    if (deepest instanceof UnknownHostException) {
      return "no address is known for that name";
    }
    String message = deepest == null ? null : deepest.getMessage();
    // The library puts the call that failed and the number of the error in front.
    return message == null
        ? described
        : message.replaceFirst("^.*failed with error\\(-?\\d+\\): ", "");
  }

  private static @Nullable Throwable deepest(Status status) {
    Throwable deepest = status.getCause();
    while (deepest != null && deepest.getCause() != null) {
      deepest = deepest.getCause();
    }
    return deepest;
  }

  private static String message(Exception e) {
    String message = e.getMessage();
    return message == null ? e.toString() : message;
  }

  static Rpc.UpdateRequest update(String target, Map<String, String> fields) {
    return Rpc.UpdateRequest.newBuilder().setTarget(target).putAllFields(fields).build();
  }

  /** The calls about triggers, over the same connection and in the same time. */
  static TriggersGrpc.TriggersBlockingStub triggers(SchedulerGrpc.SchedulerBlockingStub stub) {
    return TriggersGrpc.newBlockingStub(stub.getChannel())
        .withDeadline(stub.getCallOptions().getDeadline());
  }
}
