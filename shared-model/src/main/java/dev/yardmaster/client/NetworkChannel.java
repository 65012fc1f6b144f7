package dev.yardmaster.client;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection over the network, opened with the first call on it. Its one thread ends with it: a
 * JVM that is to exit waits 300 ms for a thread that is inside a system call, and the loop that the
 * library would share is inside one for a second more.
 */
final class NetworkChannel implements AutoCloseable {
  private static final long LONGEST_CLOSE_MILLIS = 200;
  private static final long LONGEST_ATTEMPT_MILLIS = 30_000;

  static {
    NettyIds.prepare();
  }

  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("controller", true), NioIoHandler.newFactory());
  private final ManagedChannel calls;

  NetworkChannel(Endpoint endpoint) {
    calls =
        NettyChannelBuilder.forAddress(
                endpoint.host(), endpoint.port(), credentials(endpoint.tls()))
            .eventLoopGroup(loop)
            .channelType(NioSocketChannel.class)
            .maxInboundMessageSize(ControllerChannel.MAX_MESSAGE_BYTES)
            .keepAliveTime(20, TimeUnit.SECONDS)
            .keepAliveTimeout(10, TimeUnit.SECONDS)
            .proxyDetector(address -> null)
            .build();
  }

  private static ChannelCredentials credentials(@Nullable Tls tls) {
    if (tls == null) {
      return InsecureChannelCredentials.create();
    }
    try {
      TlsChannelCredentials.Builder builder =
          TlsChannelCredentials.newBuilder().trustManager(tls.authority().toFile());
      if (tls.certificate() != null && tls.key() != null) {
        builder.keyManager(tls.certificate().toFile(), tls.key().toFile());
      }
      return builder.build();
    } catch (IOException e) {
      throw Status.UNAUTHENTICATED
          .withDescription("the files of TLSParameters cannot be read: " + e.getMessage())
          .asRuntimeException();
    }
  }

  ManagedChannel calls() {
    return calls;
  }

  /** Ends calls that are under way; waits a moment for the end of an attempt to connect. */
  @Override
  public void close() {
    calls.shutdownNow();
    if (isEndedWithin(LONGEST_CLOSE_MILLIS)) {
      endLoop();
    } else {
      // An attempt that finds its loop ended says so in the log, at length.
      Thread.ofPlatform()
          .daemon()
          .name("controller-end")
          .start(
              () -> {
                isEndedWithin(LONGEST_ATTEMPT_MILLIS);
                endLoop();
              });
    }
  }

  private boolean isEndedWithin(long millis) {
    try {
      return calls.awaitTermination(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void endLoop() {
    loop.shutdownGracefully(0, LONGEST_CLOSE_MILLIS, TimeUnit.MILLISECONDS);
  }
}
