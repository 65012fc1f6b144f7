package dev.yardmaster.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A pair of pseudo-terminal devices (pty(7)): what runs on the one is seen on the other. */
final class PseudoTerminal implements AutoCloseable {
  private static final int READ_WRITE_NOT_CONTROLLING = 2 | 0x100;
  private static final long SET_WINDOW_SIZE = 0x5414;
  private static final int LONGEST_NAME = 64;
  private static final int BUFFER = 1 << 15;
  private static final byte END_OF_FILE = 4;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final MethodHandle OPEN = function("posix_openpt", INT, INT);
  private static final MethodHandle GRANT = function("grantpt", INT, INT);
  private static final MethodHandle UNLOCK = function("unlockpt", INT, INT);
  private static final MethodHandle NAME =
      function("ptsname_r", INT, INT, ValueLayout.ADDRESS, LONG);
  private static final MethodHandle READ = function("read", LONG, INT, ValueLayout.ADDRESS, LONG);
  private static final MethodHandle WRITE = function("write", LONG, INT, ValueLayout.ADDRESS, LONG);
  private static final MethodHandle CLOSE = function("close", INT, INT);
  private static final MethodHandle CONTROL = control();

  private final int master;
  private final Path device;
  private boolean closed;

  private PseudoTerminal(int master, Path device) {
    this.master = master;
    this.device = device;
  }

  // The JVM is started with --enable-native-access for it; Java itself knows no terminals.
  @SuppressWarnings("restricted")
  private static MethodHandle function(String name, ValueLayout result, MemoryLayout... arguments) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow(name), FunctionDescriptor.of(result, arguments));
  }

  // As above; ioctl(2) takes any number of arguments, which are passed in another way.
  @SuppressWarnings("restricted")
  private static MethodHandle control() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("ioctl"),
        FunctionDescriptor.of(INT, INT, LONG, ValueLayout.ADDRESS),
        Linker.Option.firstVariadicArg(2));
  }

  private static long call(MethodHandle function, Object... arguments) throws IOException {
    try {
      return ((Number) function.invokeWithArguments(arguments)).longValue();
    } catch (Throwable e) {
      throw new IOException("a pseudo-terminal cannot be used: " + e, e);
    }
  }

  /**
   * Opens a pair whose device belongs to a user.
   *
   * @param own the user of this process, who may give devices to others only as root
   */
  static PseudoTerminal open(int uid, int own) throws IOException {
    int master = (int) call(OPEN, READ_WRITE_NOT_CONTROLLING);
    if (master < 0) {
      throw new IOException("no pseudo-terminal is left on this node");
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocate(LONGEST_NAME);
      if (call(GRANT, master) != 0
          || call(UNLOCK, master) != 0
          || call(NAME, master, name, (long) LONGEST_NAME) != 0) {
        throw new IOException("the pseudo-terminal " + master + " cannot be opened");
      }
      Path device = Path.of(name.getString(0, StandardCharsets.US_ASCII));
      if (uid != own) {
        Files.setAttribute(device, "unix:uid", uid);
      }
      return new PseudoTerminal(master, device);
    } catch (IOException e) {
      call(CLOSE, master);
      throw e;
    }
  }

  /** The file that a process opens to run on the terminal. */
  Path device() {
    return device;
  }

  /** Says how many rows and columns there are; what runs there gets SIGWINCH. */
  synchronized void resize(int rows, int columns) throws IOException {
    if (closed) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
      size.setAtIndex(ValueLayout.JAVA_SHORT, 0, (short) rows);
      size.setAtIndex(ValueLayout.JAVA_SHORT, 1, (short) columns);
      call(CONTROL, master, SET_WINDOW_SIZE, size);
    }
  }

  /** What is written on the terminal; at its end when nothing has it open any more. */
  InputStream output() {
    return new InputStream() {
      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
          int most = Math.min(length, BUFFER);
          MemorySegment buffer = arena.allocate(most);
          int count = (int) call(READ, master, buffer, (long) most);
          if (count <= 0) {
            return -1;
          }
          MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, 0, bytes, offset, count);
          return count;
        }
      }
    };
  }

  /** What is typed on the terminal; closing it types an end of file. */
  OutputStream input() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment buffer = arena.allocate(Math.max(1, length));
          MemorySegment.copy(bytes, offset, buffer, ValueLayout.JAVA_BYTE, 0, length);
          long at = 0;
          while (at < length) {
            long count = call(WRITE, master, buffer.asSlice(at), length - at);
            if (count <= 0) {
              throw new IOException("nothing reads the terminal any more");
            }
            at += count;
          }
        }
      }

      @Override
      public void close() throws IOException {
        write(END_OF_FILE);
      }
    };
  }

  /** Hangs up: what runs on the terminal gets SIGHUP. Nobody may be reading any more. */
  @Override
  public synchronized void close() throws IOException {
    if (!closed) {
      closed = true;
      call(CLOSE, master);
    }
  }
}
