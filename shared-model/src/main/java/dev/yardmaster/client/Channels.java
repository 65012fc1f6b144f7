package dev.yardmaster.client;

import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.stub.MetadataUtils;
import java.util.concurrent.TimeUnit;

/** Connections to a controller; opened with the first call on them. */
public final class Channels {
  private static final int MAX_MESSAGE_BYTES = 64 << 20;

  private Channels() {}

  /** Why a call failed, in a few words without the library's own. */
  public static String why(Throwable failure) {
    return Calls.why(failure);
  }

  /** A connection whose calls carry a credential. */
  public static ManagedChannel open(Endpoint endpoint, Credential credential) {
    return Grpc.newChannelBuilderForAddress(
            endpoint.host(), endpoint.port(), InsecureChannelCredentials.create())
        .maxInboundMessageSize(MAX_MESSAGE_BYTES)
        .keepAliveTime(20, TimeUnit.SECONDS)
        .keepAliveTimeout(10, TimeUnit.SECONDS)
        .proxyDetector(address -> null)
        .intercept(MetadataUtils.newAttachHeadersInterceptor(Calls.headers(credential)))
        .build();
  }
}
