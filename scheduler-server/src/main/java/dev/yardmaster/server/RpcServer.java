package dev.yardmaster.server;

import dev.yardmaster.client.Endpoint;
import dev.yardmaster.client.NettyIds;
import dev.yardmaster.security.Authenticator;
import dev.yardmaster.security.ServerTls;
import io.grpc.BindableService;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The gRPC server: with TLS, or on loopback alone unless the operator says that the network is
 * closed to others. Commands on this machine are served on its local socket as well.
 */
final class RpcServer implements AutoCloseable {
  /** A script may have 4 MiB as in Slurm (max_script_size); an environment comes with it. */
  static final int MAX_REQUEST_BYTES = 16 << 20;

  private static final int MAX_HEADER_BYTES = 32 << 10;

  /** What one connection may have under way; more wait in it. */
  private static final int MAX_CALLS = 4_096;

  private static final String EVERYBODY = "rwxrwxrwx";
  private static final String OWNER = "rwx------";

  static {
    NettyIds.prepare();
  }

  private final Server server;
  private final ExecutorService handlers;
  private final @Nullable LocalServer local;

  private RpcServer(Server server, ExecutorService handlers, @Nullable LocalServer local) {
    this.server = server;
    this.handlers = handlers;
    this.local = local;
  }

  /**
   * @param port 0 for any that is free
   * @throws IOException with a line that names the address and what would help
   */
  static RpcServer start(
      InetAddress address,
      int port,
      Authenticator authenticator,
      RpcCounts counts,
      List<? extends BindableService> services)
      throws IOException {
    ServerTls tls = authenticator.tls();
    checkProtected(address, tls != null || authenticator.trustsNetwork());
    ExecutorService handlers = Executors.newVirtualThreadPerTaskExecutor();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(address, port),
                tls == null ? InsecureServerCredentials.create() : tls.credentials())
            .handshakeTimeout(10, TimeUnit.SECONDS)
            .maxInboundMetadataSize(MAX_HEADER_BYTES)
            .maxConcurrentCallsPerConnection(MAX_CALLS)
            .maxInboundMessageSize(MAX_REQUEST_BYTES)
            .permitKeepAliveTime(5, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .keepAliveTime(30, TimeUnit.SECONDS)
            .executor(handlers);
    List<ServerServiceDefinition> served =
        services.stream()
            .map(service -> ServerInterceptors.intercept(service, counts, authenticator))
            .map(Unreadable::refusedBefore)
            .toList();
    builder.addServices(served);
    try {
      Server server = builder.build().start();
      String who = authenticator.isPrivate() ? OWNER : EVERYBODY;
      String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
      return new RpcServer(
          server,
          handlers,
          LocalServer.start(
              host,
              server.getPort(),
              who,
              served,
              new HostedCommands(new Endpoint(host, server.getPort()), authenticator.ownToken())));
    } catch (IOException e) {
      handlers.shutdownNow();
      throw cannotListen(address, port, e);
    }
  }

  /**
   * Says what would keep a server from listening, before it makes anything in its state directory.
   *
   * @param port 0 for any that is free
   * @param isProtected whether it is encrypted, or the operator says that the network is closed
   * @throws IOException with a line that names the address and what would help
   */
  static void check(InetAddress address, int port, boolean isProtected) throws IOException {
    checkProtected(address, isProtected);
    try (ServerSocket probe = new ServerSocket()) {
      probe.bind(new InetSocketAddress(address, port));
    } catch (IOException | IllegalArgumentException e) {
      throw cannotListen(address, port, e);
    }
  }

  private static void checkProtected(InetAddress address, boolean isProtected) throws IOException {
    if (!address.isLoopbackAddress() && !isProtected) {
      throw new IOException(
          "will not listen on "
              + address.getHostAddress()
              + " without TLS: write TLSType=tls/s2n and put ca_cert.pem, ctld_cert.pem and"
              + " ctld_cert_key.pem beside slurm.conf, or SlurmctldHost=NAME(127.0.0.1) to serve"
              + " this machine alone, or start with --trusted-network where nobody else has access"
              + " to the network");
    }
  }

  private static IOException cannotListen(InetAddress address, int port, Exception e) {
    String why =
        inUse(e)
            ? "is taken by another process; SlurmctldPort or --port chooses another"
            : "cannot be listened on: " + e.getMessage();
    return new IOException("port " + port + " of " + address.getHostAddress() + " " + why, e);
  }

  /** The native transport of Linux has an exception of its own for it, with the same words. */
  private static boolean inUse(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String message = cause.getMessage();
      if (message != null && message.contains("Address already in use")) {
        return true;
      }
    }
    return false;
  }

  int port() {
    return server.getPort();
  }

  /** Ends calls that are under way after a short while. */
  @Override
  public void close() {
    if (local != null) {
      local.close();
    }
    server.shutdown();
    try {
      if (!server.awaitTermination(1, TimeUnit.SECONDS)) {
        server.shutdownNow();
        server.awaitTermination(2, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      server.shutdownNow();
      Thread.currentThread().interrupt();
    }
    handlers.shutdownNow();
  }
}
