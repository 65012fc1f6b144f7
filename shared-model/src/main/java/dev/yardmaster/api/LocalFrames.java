package dev.yardmaster.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.Metadata;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * One call over a connection of the local socket: the caller sends {@link Kind#OPEN}, one {@link
 * Kind#MESSAGE} and {@link Kind#END}; the answer is any number of messages and {@link Kind#CLOSE}.
 * A frame is its kind (one byte), the length of its content (four bytes, big endian) and the
 * content. One side of a connection; not safe for use by several threads.
 */
public final class LocalFrames {
  /** What a frame holds. */
  public enum Kind {
    /** The name of the method and the headers. */
    OPEN,
    /** A request or an answer in protobuf. */
    MESSAGE,
    /** Nothing: the request is complete. */
    END,
    /** Status, description and trailers; of a command its exit code. */
    CLOSE,
    /** A command that the controller is to run for the caller. */
    RUN
  }

  /** A frame that was read. */
  public record Frame(Kind kind, byte[] content) {}

  /** How a call begins. */
  public record Opening(String method, Metadata headers) {}

  /** How a call ends. */
  public record Closing(Status status, Metadata trailers) {}

  private static final int HEAD_BYTES = 5;
  private static final int CHUNK_BYTES = 1 << 16;
  private static final Kind[] KINDS = Kind.values();

  private final SocketChannel socket;
  private final int longest;

  private ByteBuffer in = ByteBuffer.allocate(1 << 13).flip();

  /**
   * @param longest content of a frame that is accepted, in bytes
   */
  public LocalFrames(SocketChannel socket, int longest) {
    this.socket = socket;
    this.longest = longest;
  }

  /** The bytes of a frame. */
  public static byte[] frame(Kind kind, byte[] content) {
    return ByteBuffer.allocate(HEAD_BYTES + content.length)
        .put((byte) kind.ordinal())
        .putInt(content.length)
        .put(content)
        .array();
  }

  /** Sends frames; waits while the other side does not read. */
  public void send(byte[]... frames) throws IOException {
    ByteBuffer[] out = new ByteBuffer[frames.length];
    long left = 0;
    for (int i = 0; i < frames.length; i++) {
      out[i] = ByteBuffer.wrap(frames[i]);
      left += frames[i].length;
    }
    while (left > 0) {
      left -= socket.write(out);
    }
  }

  /**
   * The next frame.
   *
   * @return null when the other side has ended the connection between two frames
   * @throws IOException also when what comes is no frame, or one that is too long
   */
  public @Nullable Frame receive() throws IOException {
    if (!available(HEAD_BYTES)) {
      return null;
    }
    int kind = in.get();
    int length = in.getInt();
    if (kind < 0 || kind >= KINDS.length || length < 0 || length > longest) {
      throw new IOException("a frame of kind " + kind + " and " + length + " bytes");
    }
    return new Frame(KINDS[kind], content(length));
  }

  /** Reads in steps, so that a length that is only claimed costs no memory. */
  private byte[] content(int length) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream(Math.min(length, CHUNK_BYTES));
    while (content.size() < length) {
      if (!in.hasRemaining() && !available(1)) {
        throw new EOFException("the connection ended within a frame");
      }
      int part = Math.min(in.remaining(), length - content.size());
      content.write(in.array(), in.position(), part);
      in.position(in.position() + part);
    }
    return content.toByteArray();
  }

  private boolean available(int bytes) throws IOException {
    if (in.remaining() < bytes) {
      if (in.capacity() < CHUNK_BYTES && in.limit() == in.capacity()) {
        in = ByteBuffer.allocate(CHUNK_BYTES).put(in);
      } else {
        in.compact();
      }
      while (in.position() < bytes) {
        if (socket.read(in) < 0) {
          if (in.position() == 0) {
            return false;
          }
          throw new EOFException("the connection ended within a frame");
        }
      }
      in.flip();
    }
    return true;
  }

  /** The frame that begins a call. */
  public static byte[] open(Opening opening) {
    return frame(
        Kind.OPEN,
        content(
            out -> {
              out.writeUTF(opening.method());
              write(out, opening.headers());
            }));
  }

  /** What a frame of the kind OPEN says. */
  public static Opening opening(byte[] content) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
    return new Opening(in.readUTF(), metadata(in));
  }

  /** The frame that ends a call. */
  public static byte[] close(Closing closing) {
    String described = closing.status().getDescription();
    return frame(
        Kind.CLOSE,
        content(
            out -> {
              out.writeByte(closing.status().getCode().value());
              bytes(out, (described == null ? "" : described).getBytes(UTF_8));
              write(out, closing.trailers());
            }));
  }

  /** What a frame of the kind CLOSE says. */
  public static Closing closing(byte[] content) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
    Status status = Status.fromCodeValue(in.readByte());
    String described = new String(bytes(in), UTF_8);
    return new Closing(
        described.isEmpty() ? status : status.withDescription(described), metadata(in));
  }

  private interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] content(Writer writer) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    try {
      writer.write(new DataOutputStream(content));
    } catch (IOException e) {
      throw new IllegalArgumentException("headers that cannot be sent: " + e.getMessage(), e);
    }
    return content.toByteArray();
  }

  private static void write(DataOutputStream out, Metadata metadata) throws IOException {
    for (String name : metadata.keys()) {
      byte[] value =
          name.endsWith(Metadata.BINARY_HEADER_SUFFIX)
              ? metadata.get(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER))
              : text(metadata.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER)));
      if (value != null) {
        out.writeUTF(name);
        bytes(out, value);
      }
    }
    out.writeUTF("");
  }

  private static byte @Nullable [] text(@Nullable String value) {
    return value == null ? null : value.getBytes(UTF_8);
  }

  private static Metadata metadata(DataInputStream in) throws IOException {
    Metadata metadata = new Metadata();
    try {
      for (String name = in.readUTF(); !name.isEmpty(); name = in.readUTF()) {
        byte[] value = bytes(in);
        if (name.endsWith(Metadata.BINARY_HEADER_SUFFIX)) {
          metadata.put(Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER), value);
        } else {
          metadata.put(
              Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), new String(value, UTF_8));
        }
      }
    } catch (IllegalArgumentException e) {
      throw new IOException("a header of another kind: " + e.getMessage(), e);
    }
    return metadata;
  }

  private static void bytes(DataOutputStream out, byte[] value) throws IOException {
    out.writeInt(value.length);
    out.write(value);
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a field of " + length + " bytes");
    }
    return in.readNBytes(length);
  }
}
