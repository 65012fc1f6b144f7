package dev.yardmaster.node.gpu;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * NVIDIA's management library, called as C does (NVML API reference). Functions that only newer
 * versions have may be missing; what needs them is then said to be unknown. Not to be used by
 * several threads at once.
 */
final class Nvml implements AutoCloseable {
  static final int SUCCESS = 0;
  static final int NOT_SUPPORTED = 3;
  static final int INSUFFICIENT_SIZE = 7;

  private static final List<String> NAMES = List.of("libnvidia-ml.so.1", "libnvidia-ml.so");
  private static final int TEXT_BYTES = 96;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;

  private final Arena arena = Arena.ofShared();
  private final SymbolLookup symbols;
  private final Map<String, Optional<MethodHandle>> functions = new HashMap<>();

  private Nvml(SymbolLookup symbols) {
    this.symbols = symbols;
  }

  /**
   * Loads the library that the driver brings.
   *
   * @throws GpuException when there is none, or it cannot be used, as without a GPU
   */
  // The JVM is started with --enable-native-access; no other way leads to the driver.
  @SuppressWarnings("restricted")
  static Nvml open() throws GpuException {
    for (String name : NAMES) {
      try {
        return begin(new Nvml(SymbolLookup.libraryLookup(name, Arena.global())));
      } catch (IllegalArgumentException e) {
        // Not under this name.
        continue;
      }
    }
    throw new GpuException("NVML: there is no " + NAMES.getFirst() + " on this machine");
  }

  /** Loads another library that has the functions. */
  // As above.
  @SuppressWarnings("restricted")
  static Nvml open(Path library) throws GpuException {
    try {
      return begin(new Nvml(SymbolLookup.libraryLookup(library, Arena.global())));
    } catch (IllegalArgumentException e) {
      throw new GpuException("NVML: " + library + " cannot be loaded: " + e.getMessage(), e);
    }
  }

  private static Nvml begin(Nvml nvml) throws GpuException {
    nvml.must("nvmlInit_v2");
    return nvml;
  }

  /**
   * Calls a function.
   *
   * @return its result, {@link #NOT_SUPPORTED} when the library does not have it
   */
  int call(String name, Object... arguments) throws GpuException {
    Optional<MethodHandle> function =
        functions.computeIfAbsent(name, n -> symbols.find(n).map(s -> handle(s, arguments)));
    if (function.isEmpty()) {
      return NOT_SUPPORTED;
    }
    try {
      return (int) function.get().invokeWithArguments(arguments);
    } catch (Throwable e) {
      throw new GpuException("NVML: " + name + ": " + e, e);
    }
  }

  /**
   * Calls a function that has to succeed.
   *
   * @throws GpuException with what the library says of the failure
   */
  void must(String name, Object... arguments) throws GpuException {
    int result = call(name, arguments);
    if (result != SUCCESS) {
      throw new GpuException("NVML: " + name + ": " + error(result));
    }
  }

  // As above.
  @SuppressWarnings("restricted")
  private static MethodHandle handle(MemorySegment symbol, Object[] arguments) {
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < layouts.length; i++) {
      layouts[i] =
          switch (arguments[i]) {
            case Integer number -> INT;
            case Long number -> LONG;
            default -> ValueLayout.ADDRESS;
          };
    }
    return Linker.nativeLinker().downcallHandle(symbol, FunctionDescriptor.of(INT, layouts));
  }

  /** What a result means, in the library's words. */
  // As above; the text is the library's own and ends with a zero byte.
  @SuppressWarnings("restricted")
  String error(int result) {
    Optional<MemorySegment> symbol = symbols.find("nvmlErrorString");
    if (symbol.isEmpty()) {
      return "error " + result;
    }
    try {
      MethodHandle function =
          Linker.nativeLinker()
              .downcallHandle(symbol.get(), FunctionDescriptor.of(ValueLayout.ADDRESS, INT));
      MemorySegment text = (MemorySegment) function.invokeWithArguments(result);
      return text.reinterpret(TEXT_BYTES * 10L).getString(0, StandardCharsets.UTF_8);
    } catch (Throwable e) {
      return "error " + result;
    }
  }

  /** Room for what a function writes. */
  MemorySegment room(long bytes) {
    return arena.allocate(bytes, Long.BYTES);
  }

  /**
   * A number that a function tells of a device.
   *
   * @return -1 when it does not
   */
  long number(String function, MemorySegment device) throws GpuException {
    MemorySegment out = room(Long.BYTES);
    return call(function, device, out) == SUCCESS ? Integer.toUnsignedLong(out.get(INT, 0)) : -1;
  }

  /**
   * A large number that a function tells of a device.
   *
   * @return -1 when it does not
   */
  long largeNumber(String function, MemorySegment device) throws GpuException {
    MemorySegment out = room(Long.BYTES);
    return call(function, device, out) == SUCCESS ? out.get(LONG, 0) : -1;
  }

  /** A text that a function tells of a device; empty when it does not. */
  String text(String function, MemorySegment device) throws GpuException {
    MemorySegment out = room(TEXT_BYTES);
    return call(function, device, out, TEXT_BYTES) == SUCCESS
        ? out.getString(0, StandardCharsets.UTF_8)
        : "";
  }

  /** How many GPUs there are. */
  int count() throws GpuException {
    MemorySegment out = room(Long.BYTES);
    must("nvmlDeviceGetCount_v2", out);
    return out.get(INT, 0);
  }

  /** A GPU by its place in the order of the PCI bus. */
  MemorySegment device(int index) throws GpuException {
    MemorySegment out = room(Long.BYTES);
    must("nvmlDeviceGetHandleByIndex_v2", index, out);
    return out.get(ValueLayout.ADDRESS, 0);
  }

  @Override
  public void close() {
    try {
      call("nvmlShutdown");
    } catch (GpuException e) {
      // It is not used any more in any case.
      return;
    } finally {
      arena.close();
    }
  }
}
