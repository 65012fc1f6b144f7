package dev.yardmaster.server;

import dev.yardmaster.api.LocalFrames;
import dev.yardmaster.api.LocalFrames.Frame;
import dev.yardmaster.api.LocalFrames.Kind;
import dev.yardmaster.api.LocalFrames.Opening;
import dev.yardmaster.api.LocalSocket;
import dev.yardmaster.security.Peer;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import java.io.EOFException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Serves the methods of the network server on the local socket as well ({@link LocalSocket}), one
 * call a connection. Nothing depends on it: who cannot use it takes the port.
 */
final class LocalServer implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(LocalServer.class.getName());
  private static final int MAX_REQUEST_BYTES = RpcServer.MAX_REQUEST_BYTES;

  private final HostedCommands commands;
  private final ServerSocketChannel listening;
  private final Path path;
  private final Map<String, ServerMethodDefinition<?, ?>> methods = new HashMap<>();
  private final Set<SocketChannel> connections = ConcurrentHashMap.newKeySet();

  private LocalServer(
      ServerSocketChannel listening,
      Path path,
      List<ServerServiceDefinition> services,
      HostedCommands commands) {
    this.commands = commands;
    this.listening = listening;
    this.path = path;
    for (ServerServiceDefinition service : services) {
      service
          .getMethods()
          .forEach(method -> methods.put(method.getMethodDescriptor().getFullMethodName(), method));
    }
    Thread.ofVirtual().name("local-accept").start(this::accept);
  }

  /**
   * Listens.
   *
   * @param host the address that the server has on the network
   * @param port its port there
   * @param permissions who may connect
   * @param commands what runs the commands that are handed over whole
   * @return null where no such socket can be made
   */
  static @Nullable LocalServer start(
      String host,
      int port,
      String permissions,
      List<ServerServiceDefinition> services,
      HostedCommands commands) {
    for (Path path : LocalSocket.candidates(host, port)) {
      if (!Files.isWritable(path.resolveSibling("."))) {
        continue;
      }
      try {
        return new LocalServer(listen(path, permissions), path, services, commands);
      } catch (IOException | UnsupportedOperationException e) {
        LOG.log(Level.FINE, "no local socket " + path, e);
      }
    }
    return null;
  }

  /** What lies there was left by a server that was killed: the port is ours. */
  private static ServerSocketChannel listen(Path path, String permissions) throws IOException {
    Files.deleteIfExists(path);
    ServerSocketChannel listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      listening.bind(UnixDomainSocketAddress.of(path), 128);
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
      return listening;
    } catch (IOException e) {
      listening.close();
      throw e;
    }
  }

  private void accept() {
    while (listening.isOpen()) {
      try {
        SocketChannel socket = listening.accept();
        connections.add(socket);
        Thread.ofVirtual().name("local-call").start(() -> serve(socket));
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        LOG.log(Level.WARNING, "the local socket " + path + " does not accept: " + e.getMessage());
        Thread.yield();
      }
    }
  }

  private void serve(SocketChannel socket) {
    try (socket) {
      LocalFrames frames = new LocalFrames(socket, MAX_REQUEST_BYTES);
      Frame first = frames.receive();
      if (first != null && first.kind() == Kind.RUN) {
        commands.run(Peer.of(socket), first.content(), frames);
        return;
      }
      Opening opening = LocalFrames.opening(content(first, Kind.OPEN));
      byte[] request = expect(frames, Kind.MESSAGE);
      expect(frames, Kind.END);
      ServerMethodDefinition<?, ?> method = methods.get(opening.method());
      if (method == null) {
        Status unknown = Status.UNIMPLEMENTED.withDescription("no method " + opening.method());
        frames.send(LocalFrames.close(new LocalFrames.Closing(unknown, new Metadata())));
        return;
      }
      Attributes attributes = Attributes.newBuilder().set(Peer.ATTRIBUTE, Peer.of(socket)).build();
      answer(method, opening.headers(), request, attributes, frames);
    } catch (IOException e) {
      LOG.log(Level.FINE, "a local call ended early", e);
    } finally {
      connections.remove(socket);
    }
  }

  private static <Q, A> void answer(
      ServerMethodDefinition<Q, A> method,
      Metadata headers,
      byte[] request,
      Attributes attributes,
      LocalFrames frames)
      throws IOException {
    new LocalServerCall<>(method.getMethodDescriptor(), attributes, frames)
        .run(method.getServerCallHandler(), headers, request);
  }

  private static byte[] expect(LocalFrames frames, Kind kind) throws IOException {
    return content(frames.receive(), kind);
  }

  private static byte[] content(@Nullable Frame frame, Kind kind) throws IOException {
    if (frame == null) {
      throw new EOFException("the caller has gone");
    }
    if (frame.kind() != kind) {
      throw new IOException("a frame " + frame.kind() + " where " + kind + " is due");
    }
    return frame.content();
  }

  @Override
  public void close() {
    try {
      listening.close();
      Files.deleteIfExists(path);
      for (SocketChannel socket : connections) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.log(Level.FINE, "the local socket " + path + " does not close well", e);
    }
  }
}
