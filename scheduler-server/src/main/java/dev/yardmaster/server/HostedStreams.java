package dev.yardmaster.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.yardmaster.api.LocalFrames;
import dev.yardmaster.api.LocalFrames.Frame;
import dev.yardmaster.api.LocalFrames.Kind;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What a hosted command reads and writes, at the caller's end of the connection. A message begins
 * with a byte that says what it is; the caller answers questions with a byte, 0 for yes, and what
 * was asked for. Safe for use by several threads.
 */
final class HostedStreams {
  private static final int OUT = 1;
  private static final int ERR = 2;
  private static final int READ = 3;
  private static final int EXISTS = 4;
  private static final int IS_PROGRAM = 5;
  private static final int BUFFER_BYTES = 1 << 16;

  private final LocalFrames frames;
  private final PrintStream out;
  private final PrintStream err;

  HostedStreams(LocalFrames frames) {
    this.frames = frames;
    out = new PrintStream(new BufferedOutputStream(new Sink(OUT), BUFFER_BYTES), false, UTF_8);
    err = new PrintStream(new BufferedOutputStream(new Sink(ERR)), true, UTF_8);
  }

  private final class Sink extends OutputStream {
    private final int what;

    Sink(int what) {
      this.what = what;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      send(what, bytes, from, length);
    }
  }

  PrintStream out() {
    return out;
  }

  PrintStream err() {
    return err;
  }

  /** The caller's standard input, which is asked for when the first byte is read. */
  InputStream in() {
    return new InputStream() {
      private @Nullable InputStream content;

      @Override
      public int read() throws IOException {
        return content().read();
      }

      @Override
      public int read(byte[] bytes, int from, int length) throws IOException {
        return content().read(bytes, from, length);
      }

      private InputStream content() throws IOException {
        InputStream known = content;
        if (known == null) {
          known = new ByteArrayInputStream(HostedStreams.this.read(""));
          content = known;
        }
        return known;
      }
    };
  }

  /** The content of a file of the caller. */
  byte[] read(Path file) throws IOException {
    return read(file.toString());
  }

  boolean exists(Path file) {
    return says(EXISTS, file);
  }

  boolean isProgram(Path file) {
    return says(IS_PROGRAM, file);
  }

  private boolean says(int what, Path file) {
    try {
      return ask(what, file.toString()) != null;
    } catch (IOException e) {
      return false;
    }
  }

  private byte[] read(String path) throws IOException {
    byte[] content = ask(READ, path);
    if (content == null) {
      throw new NoSuchFileException(path);
    }
    return content;
  }

  private synchronized byte @Nullable [] ask(int what, String path) throws IOException {
    byte[] bytes = path.getBytes(UTF_8);
    send(what, bytes, 0, bytes.length);
    Frame answer = frames.receive();
    if (answer == null || answer.kind() != Kind.MESSAGE || answer.content().length == 0) {
      throw new IOException("the caller of a command does not answer");
    }
    ByteBuffer content = ByteBuffer.wrap(answer.content());
    if (content.get() != 0) {
      return null;
    }
    byte[] rest = new byte[content.remaining()];
    content.get(rest);
    return rest;
  }

  private synchronized void send(int what, byte[] bytes, int from, int length) throws IOException {
    byte[] content = new byte[length + 1];
    content[0] = (byte) what;
    System.arraycopy(bytes, from, content, 1, length);
    frames.send(LocalFrames.frame(Kind.MESSAGE, content));
  }
}
