package dev.yardmaster.server;

import dev.yardmaster.api.WireException;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.InputStream;
import java.time.DateTimeException;
import org.jspecify.annotations.Nullable;

/**
 * Refuses bytes that are no message of the contract, and times that there are not. By itself the
 * library takes them for a fault of the server, and writes a page into its log for each.
 */
final class Unreadable {
  private static final Status REFUSAL =
      Status.INVALID_ARGUMENT.withDescription("the request is no message of this contract");

  private Unreadable() {}

  /** The same service; a request that cannot be read does not reach it. */
  static ServerServiceDefinition refusedBefore(ServerServiceDefinition service) {
    ServerServiceDefinition.Builder all =
        ServerServiceDefinition.builder(service.getServiceDescriptor().getName());
    service.getMethods().forEach(method -> add(all, method));
    return all.build();
  }

  private static <Q, A> void add(
      ServerServiceDefinition.Builder all, ServerMethodDefinition<Q, A> method) {
    MethodDescriptor<Q, A> descriptor = method.getMethodDescriptor();
    ServerCallHandler<Q, A> handler = method.getServerCallHandler();
    all.addMethod(
        descriptor.toBuilder(
                new Tolerant<>(descriptor.getRequestMarshaller()),
                descriptor.getResponseMarshaller())
            .build(),
        (call, headers) -> new Checked<>(handler.startCall(call, headers), call));
  }

  /** Reads null instead of failing. */
  private record Tolerant<Q>(MethodDescriptor.Marshaller<Q> strict)
      implements MethodDescriptor.Marshaller<Q> {
    @Override
    public InputStream stream(Q value) {
      return strict.stream(value);
    }

    @Override
    public @Nullable Q parse(InputStream bytes) {
      try {
        return strict.parse(bytes);
      } catch (StatusRuntimeException e) {
        return null;
      }
    }
  }

  private static final class Checked<Q> extends SimpleForwardingServerCallListener<Q> {
    private final ServerCall<Q, ?> call;
    private boolean refused;

    Checked(ServerCall.Listener<Q> inner, ServerCall<Q, ?> call) {
      super(inner);
      this.call = call;
    }

    @Override
    public void onMessage(@Nullable Q message) {
      if (message == null) {
        if (!refused) {
          call.close(REFUSAL, new Metadata());
        }
        refused = true;
      } else if (!refused) {
        super.onMessage(message);
      }
    }

    @Override
    public void onHalfClose() {
      if (refused) {
        return;
      }
      try {
        super.onHalfClose();
      } catch (WireException | DateTimeException | ArithmeticException e) {
        refused = true;
        call.close(
            Status.INVALID_ARGUMENT.withDescription("the request: " + e.getMessage()),
            new Metadata());
      }
    }
  }
}
