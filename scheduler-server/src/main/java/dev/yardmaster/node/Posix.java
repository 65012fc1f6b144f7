package dev.yardmaster.node;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The few calls of the system that Java does not offer: named pipes that are opened without waiting
 * for the other side, and waiting for several of them at once (fifo(7), poll(2)).
 */
final class Posix {
  static final int READ_ONLY = 0;
  static final int WRITE_ONLY = 1;
  static final int READ_WRITE = 2;

  /** Something can be read, or written; the other side is gone. */
  static final short IN = 1;

  static final short OUT = 4;

  private static final int NO_CONTROLLING_TERMINAL = 0x100;
  private static final int NONBLOCKING = 0x800;
  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final int OWNER_ONLY = 0600;
  private static final int EAGAIN = 11;
  private static final int EINTR = 4;
  private static final long SET_WINDOW_SIZE = 0x5414;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final ValueLayout ADDRESS = ValueLayout.ADDRESS;
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle OPEN = variadic("open", 2, INT, ADDRESS, INT, INT);
  private static final MethodHandle MKFIFO = function("mkfifo", INT, ADDRESS, INT);
  private static final MethodHandle READ = function("read", LONG, INT, ADDRESS, LONG);
  private static final MethodHandle WRITE = function("write", LONG, INT, ADDRESS, LONG);
  private static final MethodHandle CLOSE = function("close", INT, INT);
  private static final MethodHandle POLL = function("poll", INT, ADDRESS, LONG, INT);
  private static final MethodHandle EVENTFD = function("eventfd", INT, INT, INT);
  private static final MethodHandle CONTROL = variadic("ioctl", 2, INT, INT, LONG, ADDRESS);
  private static final int BYTES_OF_POLL = 8;

  private Posix() {}

  private static MethodHandle function(String name, ValueLayout result, MemoryLayout... arguments) {
    return handle(name, FunctionDescriptor.of(result, arguments));
  }

  private static MethodHandle variadic(
      String name, int first, ValueLayout result, MemoryLayout... arguments) {
    return handle(
        name, FunctionDescriptor.of(result, arguments), Linker.Option.firstVariadicArg(first));
  }

  // The JVM is started with --enable-native-access for it; Java itself has no such calls.
  @SuppressWarnings("restricted")
  private static MethodHandle handle(
      String name, FunctionDescriptor descriptor, Linker.Option... options) {
    Linker linker = Linker.nativeLinker();
    Linker.Option[] all =
        Stream.concat(Stream.of(Linker.Option.captureCallState("errno")), Arrays.stream(options))
            .toArray(Linker.Option[]::new);
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, all);
  }

  /** The result of a call; -1 - errno where it failed. */
  private static long call(Arena arena, MethodHandle function, Object... arguments) {
    MemorySegment state = arena.allocate(STATE);
    Object[] all = new Object[arguments.length + 1];
    all[0] = state;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    try {
      long result = ((Number) function.invokeWithArguments(all)).longValue();
      return result < 0 ? -1 - (int) ERRNO.get(state, 0L) : result;
    } catch (Throwable e) {
      throw new IllegalStateException("a call of the system cannot be made", e);
    }
  }

  private static boolean isAgain(long result) {
    return result == -1 - EAGAIN || result == -1 - EINTR;
  }

  /** Makes a named pipe that its owner alone may use. */
  static void mkfifo(Path path) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long result = call(arena, MKFIFO, arena.allocateFrom(path.toString()), OWNER_ONLY);
      if (result < 0) {
        throw new IOException(path + ": no named pipe can be made, error " + (-1 - result));
      }
    }
  }

  /**
   * Opens a file without waiting for anything.
   *
   * @return its descriptor
   */
  static int open(Path path, int mode) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      int flags = mode | NONBLOCKING | CLOSE_ON_EXEC | NO_CONTROLLING_TERMINAL;
      long result = call(arena, OPEN, arena.allocateFrom(path.toString()), flags, 0);
      if (result < 0) {
        throw new IOException(path + ": it cannot be opened, error " + (-1 - result));
      }
      return (int) result;
    }
  }

  static void close(int descriptor) {
    try (Arena arena = Arena.ofConfined()) {
      call(arena, CLOSE, descriptor);
    }
  }

  /**
   * Reads what is there.
   *
   * @return how many bytes; 0 when nobody writes any more, -1 when nothing is there now
   */
  static int read(int descriptor, MemorySegment buffer) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      long result = call(arena, READ, descriptor, buffer, buffer.byteSize());
      if (result < 0 && !isAgain(result)) {
        throw new IOException("a pipe cannot be read, error " + (-1 - result));
      }
      return result < 0 ? -1 : (int) result;
    }
  }

  /**
   * Writes as much as there is room for.
   *
   * @return how many bytes
   */
  static int write(int descriptor, byte[] bytes, int offset, int length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.max(1, length));
      MemorySegment.copy(bytes, offset, buffer, ValueLayout.JAVA_BYTE, 0, length);
      long result = call(arena, WRITE, descriptor, buffer, (long) length);
      if (result < 0 && !isAgain(result)) {
        throw new IOException("a pipe cannot be written, error " + (-1 - result));
      }
      return result < 0 ? 0 : (int) result;
    }
  }

  /** Something that can be waited for with pipes, and is there once {@link #ring} was called. */
  static int bell() {
    try (Arena arena = Arena.ofConfined()) {
      return (int) call(arena, EVENTFD, 0, CLOSE_ON_EXEC | NONBLOCKING);
    }
  }

  static void ring(int bell) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment one = arena.allocateFrom(LONG, 1);
      call(arena, WRITE, bell, one, one.byteSize());
    }
  }

  /**
   * Waits until something happens to one of several descriptors.
   *
   * @param events of what kind, for each
   * @param millis at most so long; -1 for as long as it takes
   * @return what happened to each: {@link #IN}, {@link #OUT} and more bits where it is at its end
   */
  static short[] poll(int[] descriptors, short events, int millis) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment wanted =
          arena.allocate((long) BYTES_OF_POLL * Math.max(1, descriptors.length), INT.byteSize());
      for (int i = 0; i < descriptors.length; i++) {
        wanted.set(INT, (long) BYTES_OF_POLL * i, descriptors[i]);
        wanted.set(ValueLayout.JAVA_SHORT, (long) BYTES_OF_POLL * i + 4, events);
      }
      call(arena, POLL, wanted, (long) descriptors.length, millis);
      short[] happened = new short[descriptors.length];
      for (int i = 0; i < descriptors.length; i++) {
        happened[i] = wanted.get(ValueLayout.JAVA_SHORT, (long) BYTES_OF_POLL * i + 6);
      }
      return happened;
    }
  }

  /** Says how many rows and columns a terminal has; what runs there gets SIGWINCH. */
  static void resize(Path terminal, int rows, int columns) throws IOException {
    int descriptor = open(terminal, READ_WRITE);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
      size.setAtIndex(ValueLayout.JAVA_SHORT, 0, (short) rows);
      size.setAtIndex(ValueLayout.JAVA_SHORT, 1, (short) columns);
      call(arena, CONTROL, descriptor, SET_WINDOW_SIZE, size);
    } finally {
      close(descriptor);
    }
  }
}
