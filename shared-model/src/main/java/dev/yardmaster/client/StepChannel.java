package dev.yardmaster.client;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/**
 * The way of a step's standard streams between srun and one node: frames of a kind, a task's number
 * and bytes. Either side may send from several threads; one thread receives.
 */
public final class StepChannel implements AutoCloseable {
  /** A frame that is longer is no frame. */
  static final int LONGEST = 1 << 20;

  private static final int CONNECT_MILLIS = 10_000;

  private final Socket socket;
  private final DataInputStream in;
  private final DataOutputStream out;

  /** What a frame is about. */
  public enum Kind {
    /** First of all, from the node: the secret, then its name; with TLS before it, from srun. */
    HELLO,
    /** What a task wrote to its standard output; likewise for its standard error. */
    OUT,
    ERR,
    /** A task ended: exit code and signal. */
    EXIT,
    /** For the standard input of a task, or of all when the task is -1. */
    IN,
    /** The standard input is at its end. */
    IN_END,
    /** To the node before it starts its tasks, where the step's options ask for it. */
    SETUP,
    /** To the node: the rows and columns of srun's terminal. */
    WINDOW,
    /** From the node: the next frame of input has reached the task. */
    GOT
  }

  /** One frame. */
  public record Frame(Kind kind, int task, byte[] bytes) {
    public String text() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  StepChannel(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  /**
   * Connects a node with the srun that waits for it.
   *
   * @param key the secret of the step; with {@link StepTls#MARK} before it the streams are
   *     encrypted, and srun has to show the first half of it before the node shows the other
   */
  public static StepChannel connect(String host, int port, String key, String node)
      throws IOException {
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      String shown = key;
      StepChannel channel;
      if (key.startsWith(StepTls.MARK)) {
        String secret = key.substring(StepTls.MARK.length());
        channel = new StepChannel(StepTls.ofNode(socket));
        channel.timeout(CONNECT_MILLIS);
        Frame hello = channel.receive();
        if (hello == null
            || hello.kind() != Kind.HELLO
            || !isSame(hello.text(), secret.substring(0, secret.length() / 2))) {
          throw new IOException(host + " is not the srun of the step");
        }
        channel.timeout(0);
        shown = secret.substring(secret.length() / 2);
      } else {
        StepTls.requirePlain(host);
        channel = new StepChannel(socket);
      }
      channel.send(Kind.HELLO, -1, (shown + " " + node).getBytes(StandardCharsets.UTF_8));
      return channel;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /** Compares secrets in a time that tells nothing of them. */
  static boolean isSame(String shown, String secret) {
    return MessageDigest.isEqual(
        shown.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }

  public void send(Kind kind, int task, byte[] bytes) throws IOException {
    send(kind, task, bytes, bytes.length);
  }

  /** Sends the first {@code length} of the bytes. */
  public void send(Kind kind, int task, byte[] bytes, int length) throws IOException {
    synchronized (out) {
      out.writeByte(kind.ordinal());
      out.writeInt(task);
      out.writeInt(length);
      out.write(bytes, 0, length);
      out.flush();
    }
  }

  /** Says how a task ended. */
  public void sendExit(int task, int code, int signal) throws IOException {
    send(Kind.EXIT, task, (code + " " + signal).getBytes(StandardCharsets.US_ASCII));
  }

  /** The next frame; null when the other side has closed. */
  public @Nullable Frame receive() throws IOException {
    int kind = in.read();
    if (kind < 0) {
      return null;
    }
    int task = in.readInt();
    int length = in.readInt();
    if (kind >= Kind.values().length || length < 0 || length > LONGEST) {
      throw new IOException("not a frame of a step: kind " + kind + ", " + length + " bytes");
    }
    return new Frame(Kind.values()[kind], task, in.readNBytes(length));
  }

  /**
   * Says that nothing more comes from this side. The other side is to close first: what it has not
   * read yet would be lost otherwise when it is writing itself.
   */
  public void finish() throws IOException {
    socket.shutdownOutput();
  }

  void timeout(int millis) throws IOException {
    socket.setSoTimeout(millis);
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // It was closed already, or the net is gone: nothing is left to be done.
      return;
    }
  }
}
