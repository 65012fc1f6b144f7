package dev.yardmaster.cli;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** The terminal that a command is typed on (termios(3)). */
public interface Terminal {
  /** How large it is. */
  record Size(int rows, int columns) {
    @Override
    public String toString() {
      return rows + " " + columns;
    }
  }

  Size size();

  /** Hands every key on as it is typed, without showing it or acting on it. */
  void raw();

  /** As it was before {@link #raw}. */
  void restore();

  /** Says when its size changes. */
  void onResize(Runnable then);

  /** The terminal behind a descriptor of this process; null when there is none. */
  static @Nullable Terminal of(int descriptor) {
    OfDescriptor terminal = new OfDescriptor(descriptor);
    return terminal.is() ? terminal : null;
  }

  /** Through the C library. */
  final class OfDescriptor implements Terminal {
    private static final long GET_WINDOW_SIZE = 0x5413;
    private static final int NOW = 0;

    /** More than a termios structure has on any machine. */
    private static final int ATTRIBUTES = 256;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    private static final MemoryLayout ADDRESS = ValueLayout.ADDRESS;

    private final int descriptor;
    private byte @Nullable [] before;

    OfDescriptor(int descriptor) {
      this.descriptor = descriptor;
    }

    // The JVM is started with --enable-native-access for it; Java itself knows no terminals.
    @SuppressWarnings("restricted")
    private static long call(String name, FunctionDescriptor type, Object... arguments) {
      Linker linker = Linker.nativeLinker();
      // Only of ioctl(2), which takes any number of arguments.
      Linker.Option[] options =
          name.equals("ioctl")
              ? new Linker.Option[] {Linker.Option.firstVariadicArg(2)}
              : new Linker.Option[0];
      MethodHandle function =
          linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
      try {
        return function.invokeWithArguments(arguments) instanceof Number result
            ? result.longValue()
            : 0;
      } catch (Throwable e) {
        throw new IllegalStateException(name + " cannot be called", e);
      }
    }

    boolean is() {
      return call("isatty", FunctionDescriptor.of(INT, INT), descriptor) == 1;
    }

    @Override
    public Size size() {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment size = arena.allocate(ValueLayout.JAVA_SHORT, 4);
        FunctionDescriptor type = FunctionDescriptor.of(INT, INT, ValueLayout.JAVA_LONG, ADDRESS);
        call("ioctl", type, descriptor, GET_WINDOW_SIZE, size);
        return new Size(
            size.getAtIndex(ValueLayout.JAVA_SHORT, 0), size.getAtIndex(ValueLayout.JAVA_SHORT, 1));
      }
    }

    @Override
    public synchronized void raw() {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment attributes = arena.allocate(ATTRIBUTES);
        FunctionDescriptor get = FunctionDescriptor.of(INT, INT, ADDRESS);
        if (before != null || call("tcgetattr", get, descriptor, attributes) != 0) {
          return;
        }
        before = attributes.toArray(ValueLayout.JAVA_BYTE);
        Runtime.getRuntime().addShutdownHook(new Thread(this::restore));
        call("cfmakeraw", FunctionDescriptor.ofVoid(ADDRESS), attributes);
        set(attributes);
      }
    }

    private void set(MemorySegment attributes) {
      FunctionDescriptor type = FunctionDescriptor.of(INT, INT, INT, ADDRESS);
      call("tcsetattr", type, descriptor, NOW, attributes);
    }

    @Override
    public synchronized void restore() {
      if (before == null) {
        return;
      }
      try (Arena arena = Arena.ofConfined()) {
        set(arena.allocateFrom(ValueLayout.JAVA_BYTE, before));
        before = null;
      }
    }

    @Override
    public void onResize(Runnable then) {
      CaughtSignals.hand("WINCH", name -> then.run());
    }
  }
}
