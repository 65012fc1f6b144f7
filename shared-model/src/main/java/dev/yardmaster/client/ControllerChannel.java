package dev.yardmaster.client;

import dev.yardmaster.api.Headers;
import dev.yardmaster.api.LocalSocket;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a controller, opened with the first call on it. Who waits for an answer and runs
 * on the controller's machine is served over its local socket; everything else goes over the
 * network.
 */
public final class ControllerChannel implements AutoCloseable {
  /** Content of an answer that is accepted. */
  static final int MAX_MESSAGE_BYTES = 64 << 20;

  /**
   * Set for a call with one request whose caller waits for the answers on the thread that made the
   * call.
   */
  static final CallOptions.Key<Boolean> AWAITED =
      CallOptions.Key.createWithDefault("awaited", false);

  private static final int ROOT = 0;
  private static final Path SELF = Path.of("/proc/self");

  private final Endpoint endpoint;

  /**
   * Whose local socket is used. None when the caller is to be another user than the one who runs
   * this process, which the kernel would not confirm.
   */
  private final Set<Integer> owners = new HashSet<>();

  private final Channel calls;
  private final boolean isMunged;
  private @Nullable NetworkChannel network;

  private ControllerChannel(Endpoint endpoint, Credential credential) {
    this.endpoint = endpoint;
    int self = LocalSocket.owner(SELF);
    if (self == ROOT || self == credential.uid()) {
      owners.add(ROOT);
      owners.add(self);
    }
    Tls tls = endpoint.tls();
    isMunged =
        endpoint.munge() != null
            && credential.token() == null
            && (tls == null || tls.certificate() == null);
    calls =
        ClientInterceptors.intercept(
            new Way(), MetadataUtils.newAttachHeadersInterceptor(Calls.headers(credential)));
  }

  /** A connection whose calls carry a credential. */
  public static ControllerChannel open(Endpoint endpoint, Credential credential) {
    return new ControllerChannel(endpoint, credential);
  }

  /** Why a call failed, in a few words without the library's own. */
  public static String why(Throwable failure) {
    return Calls.why(failure);
  }

  /** What stubs are made of. */
  public Channel calls() {
    return calls;
  }

  /** Tries at once what waits after a failure. */
  public synchronized void connectNow() {
    if (network != null) {
      network.calls().resetConnectBackoff();
    }
  }

  private synchronized Channel network() {
    if (network == null) {
      network = new NetworkChannel(endpoint);
    }
    return network.calls();
  }

  /** Ends calls that are under way over the network; does not wait for their end. */
  @Override
  public synchronized void close() {
    if (network != null) {
      network.close();
    }
  }

  /** Chooses for each call how it goes. */
  private final class Way extends Channel {
    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
      SocketChannel socket =
          options.getOption(AWAITED)
              ? LocalSocket.connect(endpoint.host(), endpoint.port(), owners)
              : null;
      return socket == null
          ? byNetwork(method, options)
          : new LocalCall<>(method, socket, MAX_MESSAGE_BYTES, options.getDeadline());
    }

    /** With a proof of its own for each call, since munge accepts one once. */
    private <Q, A> ClientCall<Q, A> byNetwork(MethodDescriptor<Q, A> method, CallOptions options) {
      Munge munge = endpoint.munge();
      if (!isMunged || munge == null) {
        return network().newCall(method, options);
      }
      Metadata proof = new Metadata();
      try {
        proof.put(Headers.TOKEN, munge.encode());
      } catch (IOException e) {
        // The controller says what is missing, unless it needs no proof here.
        return network().newCall(method, options);
      }
      return MetadataUtils.newAttachHeadersInterceptor(proof)
          .interceptCall(method, options, network());
    }

    @Override
    public String authority() {
      return endpoint.toString();
    }
  }
}
