package dev.yardmaster.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The output of a command, which remembers what kept it from being written. */
final class ProcessOutput extends PrintStream {
  /** EPIPE: whoever read it has seen enough. */
  private static final String NO_READER = "broken pipe";

  private final Watched stream;

  ProcessOutput(OutputStream out) {
    this(new Watched(out));
  }

  private ProcessOutput(Watched stream) {
    super(stream, false, StandardCharsets.UTF_8);
    this.stream = stream;
  }

  /** Why not all of it was written; null when it was, or when nobody reads it any more. */
  @Nullable String fault() {
    flush();
    String fault = stream.fault;
    return fault == null || fault.toLowerCase(Locale.ROOT).contains(NO_READER) ? null : fault;
  }

  private static final class Watched extends OutputStream {
    private final OutputStream out;
    private @Nullable String fault;

    Watched(OutputStream out) {
      this.out = out;
    }

    private interface Writing {
      void run() throws IOException;
    }

    private void note(Writing writing) throws IOException {
      try {
        writing.run();
      } catch (IOException e) {
        fault = String.valueOf(e.getMessage());
        throw e;
      }
    }

    @Override
    public void write(int b) throws IOException {
      note(() -> out.write(b));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      note(() -> out.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
      note(out::flush);
    }

    @Override
    public void close() throws IOException {
      note(out::close);
    }
  }
}
