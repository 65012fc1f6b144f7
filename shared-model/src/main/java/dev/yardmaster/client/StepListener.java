package dev.yardmaster.client;

import dev.yardmaster.model.ExitCode;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Where the nodes of a step bring what its tasks write; the srun end of {@link StepChannel}. */
public final class StepListener implements AutoCloseable {
  private static final int HELLO_MILLIS = 10_000;
  private static final int BACKLOG = 4_096;

  /** How much input may be on its way to a node. */
  private static final int FRAMES_AHEAD = 32;

  private final ServerSocket server;
  private final String host;
  private final @Nullable Path authority;

  /** What a node must show, and before that what it must be shown. */
  private final String key;

  private final String ownKey;
  private final Output output;
  private final Map<String, StepChannel> nodes = new ConcurrentHashMap<>();
  private byte @Nullable [] setup;
  private final AtomicBoolean inputEnded = new AtomicBoolean();

  /**
   * What nodes have not said to have got of the input, which they get again when they come back.
   */
  private final Map<String, Unheard> unheard = new ConcurrentHashMap<>();

  private record Input(int task, byte[] bytes) {}

  /** Input of one node, and room for more. What is added is sent under its lock, in this order. */
  private static final class Unheard {
    private final Queue<Input> frames = new ConcurrentLinkedQueue<>();
    private final Semaphore room = new Semaphore(FRAMES_AHEAD);
    private final AtomicBoolean givenUp = new AtomicBoolean();

    /** Nobody waits for it any more. */
    void giveUp() {
      if (givenUp.compareAndSet(false, true)) {
        room.release(Integer.MAX_VALUE / 2);
      }
    }

    void got() {
      if (frames.poll() != null) {
        room.release();
      }
    }
  }

  /** Takes what comes, on threads of the listener. */
  public interface Output {
    void connected(String node);

    void written(int task, boolean error, byte[] bytes);

    void exited(String node, int task, ExitCode exit);

    /**
     * The connection of a node is at its end.
     *
     * @return whether the node is to come back: a daemon that was restarted connects again
     */
    boolean lost(String node);
  }

  /** Listens on loopback, at any port, without encryption. */
  public StepListener(Output output) throws IOException {
    this(output, new Endpoint("127.0.0.1", Endpoint.DEFAULT_PORT));
  }

  /**
   * Listens where the nodes of a cluster reach it: on loopback when the controller is on loopback,
   * else on the address from which this machine reaches the controller; encrypted when the
   * controller is.
   */
  public StepListener(Output output, Endpoint controller) throws IOException {
    this.output = output;
    Tls tls = controller.tls();
    authority = tls == null ? null : tls.authority();
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    String text = HexFormat.of().formatHex(secret);
    ownKey = authority == null ? "" : text.substring(0, text.length() / 2);
    key = text.substring(ownKey.length());
    InetAddress address = address(controller);
    host = address.getHostAddress();
    server = new ServerSocket(0, BACKLOG, address);
    Thread.ofPlatform().name("step-listener").daemon().start(this::accept);
  }

  private static InetAddress address(Endpoint controller) throws IOException {
    InetAddress of = InetAddress.getByName(controller.host());
    if (of.isLoopbackAddress()) {
      return InetAddress.getLoopbackAddress();
    }
    // Sends nothing; the system only looks up the way.
    try (DatagramSocket way = new DatagramSocket()) {
      way.connect(of, controller.port());
      return way.getLocalAddress();
    }
  }

  public String host() {
    return host;
  }

  public int port() {
    return server.getLocalPort();
  }

  /** The secret of the step, for its nodes. */
  public String key() {
    return authority == null ? key : StepTls.MARK + ownKey + key;
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        Thread.ofPlatform().name("step-node").daemon().start(() -> serve(socket));
      } catch (IOException e) {
        return;
      }
    }
  }

  private void serve(Socket socket) {
    String node = "";
    StepChannel known = null;
    try (socket;
        StepChannel channel =
            new StepChannel(authority == null ? socket : StepTls.ofSrun(socket, authority))) {
      channel.timeout(HELLO_MILLIS);
      if (authority != null) {
        channel.send(StepChannel.Kind.HELLO, -1, ownKey.getBytes(StandardCharsets.UTF_8));
      }
      StepChannel.Frame hello = channel.receive();
      if (hello == null || hello.kind() != StepChannel.Kind.HELLO || !isKey(hello.text())) {
        return;
      }
      channel.timeout(0);
      node = hello.text().substring(key.length() + 1);
      synchronized (this) {
        nodes.put(node, channel);
        known = channel;
        if (setup != null) {
          send(channel, StepChannel.Kind.SETUP, -1, setup, setup.length);
        }
      }
      sendAgain(node, channel);
      output.connected(node);
      if (inputEnded.get()) {
        send(channel, StepChannel.Kind.IN_END, -1, new byte[0], 0);
      }
      StepChannel.Frame frame = channel.receive();
      while (frame != null) {
        if (frame.kind() == StepChannel.Kind.GOT) {
          of(node).got();
        } else {
          take(node, frame);
        }
        frame = channel.receive();
      }
    } catch (IOException e) {
      // The node ended the connection; what follows says so.
      return;
    } finally {
      // It may have come back before it was seen that it had left.
      if (known != null && nodes.remove(node, known)) {
        left(node);
      }
    }
  }

  private void left(String node) {
    if (!nodes.containsKey(node) && !output.lost(node)) {
      giveUp(node);
    }
  }

  private Unheard of(String node) {
    return unheard.computeIfAbsent(node, n -> new Unheard());
  }

  private void sendAgain(String node, StepChannel channel) {
    Unheard of = of(node);
    synchronized (of) {
      of.frames.forEach(
          f -> send(channel, StepChannel.Kind.IN, f.task(), f.bytes(), f.bytes().length));
    }
  }

  /** A node does not come back. */
  public void giveUp(String node) {
    of(node).giveUp();
  }

  private boolean isKey(String hello) {
    int space = hello.indexOf(' ');
    return space > 0 && StepChannel.isSame(hello.substring(0, space), key);
  }

  private void take(String node, StepChannel.Frame frame) {
    switch (frame.kind()) {
      case OUT -> output.written(frame.task(), false, frame.bytes());
      case ERR -> output.written(frame.task(), true, frame.bytes());
      case EXIT -> {
        String[] parts = frame.text().split(" ");
        output.exited(
            node,
            frame.task(),
            new ExitCode(Integer.parseInt(parts[0]), Integer.parseInt(parts[1])));
      }
      case HELLO, IN, IN_END, SETUP, WINDOW, GOT -> {}
    }
  }

  /**
   * Gives input to a task, or to all.
   *
   * @param task -1 for all
   */
  public void input(int task, byte[] bytes, int length) {
    byte[] copy = Arrays.copyOf(bytes, length);
    unheard.forEach(
        (node, of) -> {
          of.room.acquireUninterruptibly();
          synchronized (of) {
            if (of.givenUp.get()) {
              return;
            }
            of.frames.add(new Input(task, copy));
            StepChannel channel = nodes.get(node);
            if (channel != null) {
              send(channel, StepChannel.Kind.IN, task, copy, length);
            }
          }
        });
  }

  /** There is no more input. */
  public void endInput() {
    inputEnded.set(true);
    nodes.values().forEach(c -> send(c, StepChannel.Kind.IN_END, -1, new byte[0], 0));
  }

  /** What every node waits for before it starts its tasks. */
  public synchronized void setUp(StepSetup what) {
    byte[] bytes = what.bytes();
    setup = bytes;
    nodes.values().forEach(c -> send(c, StepChannel.Kind.SETUP, -1, bytes, bytes.length));
  }

  /** The terminal of srun has another size now. */
  public void resize(int rows, int columns) {
    byte[] bytes = (rows + " " + columns).getBytes(StandardCharsets.US_ASCII);
    nodes.values().forEach(c -> send(c, StepChannel.Kind.WINDOW, -1, bytes, bytes.length));
  }

  private static void send(
      StepChannel channel, StepChannel.Kind kind, int task, byte[] bytes, int length) {
    try {
      channel.send(kind, task, bytes, length);
    } catch (IOException e) {
      // The node reads no more; what it has sent is still read.
      return;
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // Nobody can connect any more in either case.
      return;
    } finally {
      nodes.values().forEach(StepChannel::close);
      unheard.keySet().forEach(this::giveUp);
    }
  }
}
