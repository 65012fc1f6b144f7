package dev.yardmaster.node.cgroup;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Closes devices to the processes of a group of version 2: a program in the kernel that is asked
 * for each device that one of them opens (bpf(2), BPF_PROG_TYPE_CGROUP_DEVICE).
 */
final class DeviceProgram {
  private static final int PROGRAM_LOAD = 5;
  private static final int PROGRAM_ATTACH = 8;
  private static final int OF_DEVICES = 15;
  private static final int TO_DEVICES = 6;
  private static final int SEVERAL = 2;
  private static final int BYTES_OF_ATTRIBUTES = 128;
  private static final int DIRECTORY = 0x10000 | 0x80000;
  private static final int INSTRUCTION = 8;

  /** Codes of instructions: load a word, and, jump if unequal, set, end. */
  private static final int LOAD = 0x61;

  private static final int AND = 0x54;
  private static final int UNLESS = 0x55;
  private static final int SET = 0xb7;
  private static final int END = 0x95;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle SYSCALL =
      handle(
          "syscall",
          FunctionDescriptor.of(
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS,
              ValueLayout.JAVA_LONG),
          Linker.Option.firstVariadicArg(1));
  private static final MethodHandle OPEN =
      handle(
          "open",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
          Linker.Option.firstVariadicArg(2));
  private static final MethodHandle CLOSE =
      handle("close", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

  private DeviceProgram() {}

  // The JVM is started with --enable-native-access for it; Java itself has no such calls.
  @SuppressWarnings("restricted")
  private static MethodHandle handle(
      String name, FunctionDescriptor descriptor, Linker.Option... more) {
    Linker.Option[] all = Arrays.copyOf(more, more.length + 1);
    all[more.length] = Linker.Option.captureCallState("errno");
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), descriptor, all);
  }

  /**
   * Closes devices to a group, and to those in it.
   *
   * @throws IllegalStateException where that may not be, with the cause
   */
  static void close(Path group, List<Device> devices) {
    try (Arena arena = Arena.ofConfined()) {
      byte[] text = program(devices);
      MemorySegment code = arena.allocate(text.length, INSTRUCTION);
      MemorySegment.copy(text, 0, code, ValueLayout.JAVA_BYTE, 0, text.length);
      MemorySegment load = arena.allocate(BYTES_OF_ATTRIBUTES, INSTRUCTION);
      load.set(ValueLayout.JAVA_INT, 0, OF_DEVICES);
      load.set(ValueLayout.JAVA_INT, 4, text.length / INSTRUCTION);
      load.set(ValueLayout.JAVA_LONG, 8, code.address());
      load.set(ValueLayout.JAVA_LONG, 16, arena.allocateFrom("GPL").address());
      int loaded = bpf(arena, PROGRAM_LOAD, load);
      int folder = -1;
      try {
        folder = (int) call(arena, OPEN, arena.allocateFrom(group.toString()), DIRECTORY);
        MemorySegment attach = arena.allocate(BYTES_OF_ATTRIBUTES, INSTRUCTION);
        attach.set(ValueLayout.JAVA_INT, 0, folder);
        attach.set(ValueLayout.JAVA_INT, 4, loaded);
        attach.set(ValueLayout.JAVA_INT, 8, TO_DEVICES);
        attach.set(ValueLayout.JAVA_INT, 12, SEVERAL);
        bpf(arena, PROGRAM_ATTACH, attach);
      } finally {
        // The group keeps the program.
        call(arena, CLOSE, loaded);
        if (folder >= 0) {
          call(arena, CLOSE, folder);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static int bpf(Arena arena, int command, MemorySegment attributes) throws IOException {
    long number = System.getProperty("os.arch", "").equals("amd64") ? 321 : 280;
    return (int) call(arena, SYSCALL, number, (long) command, attributes, attributes.byteSize());
  }

  private static long call(Arena arena, MethodHandle function, Object... arguments)
      throws IOException {
    MemorySegment state = arena.allocate(STATE);
    Object[] all = new Object[arguments.length + 1];
    all[0] = state;
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    long result;
    try {
      result = ((Number) function.invokeWithArguments(all)).longValue();
    } catch (Throwable e) {
      throw new IOException("bpf(2) cannot be called: " + e, e);
    }
    if (result < 0) {
      throw new IOException(
          "the kernel refuses the program for devices (bpf(2), error "
              + (int) ERRNO.get(state, 0L)
              + ")");
    }
    return result;
  }

  /**
   * The program: of what is asked for it is told kind and access, major and minor number, and says
   * 0 to refuse.
   */
  private static byte[] program(List<Device> devices) {
    ByteBuffer code =
        ByteBuffer.allocate((6 + 5 * devices.size()) * INSTRUCTION).order(ByteOrder.nativeOrder());
    put(code, LOAD, 2, 1, 0, 0);
    put(code, AND, 2, 0, 0, 0xffff);
    put(code, LOAD, 3, 1, 4, 0);
    put(code, LOAD, 4, 1, 8, 0);
    for (Device device : devices) {
      put(code, UNLESS, 2, 0, 4, device.block() ? 1 : 2);
      put(code, UNLESS, 3, 0, 3, device.major());
      put(code, UNLESS, 4, 0, 2, device.minor());
      put(code, SET, 0, 0, 0, 0);
      put(code, END, 0, 0, 0, 0);
    }
    put(code, SET, 0, 0, 0, 1);
    put(code, END, 0, 0, 0, 0);
    return code.array();
  }

  private static void put(
      ByteBuffer code, int operation, int to, int from, int offset, int number) {
    code.put((byte) operation).put((byte) (from << 4 | to)).putShort((short) offset);
    code.putInt(number);
  }
}
