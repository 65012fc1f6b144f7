package dev.yardmaster.client;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of munge (AuthType=auth/munge), which prove the user of a process to another machine
 * with the same key. Asked are libmunge, and where it is not installed the programs {@code munge}
 * and {@code unmunge}.
 *
 * @param socket of the daemon (AuthInfo=socket=); null for where it usually is
 */
// Foreign functions are what it is for; every JVM that asks munge is started with
// --enable-native-access.
@SuppressWarnings("restricted")
public record Munge(@Nullable String socket) {
  /** What every credential begins with. */
  public static final String PREFIX = "MUNGE:";

  private static final int LONGEST_PROGRAM_SECONDS = 10;

  /** A user as unmunge names it: {@code root (0)}. */
  private static final Pattern NUMBER = Pattern.compile("\\(([0-9]{1,9})\\)$");

  /** Of a context of libmunge: the socket. */
  private static final int OPTION_SOCKET = 8;

  /** Whose credential it is. */
  public record Ids(int uid, int gid) {}

  /** The functions of libmunge. */
  private record Library(
      MethodHandle create,
      MethodHandle destroy,
      MethodHandle set,
      MethodHandle encode,
      MethodHandle decode,
      MethodHandle error,
      MethodHandle free) {
    private static final @Nullable Library LOADED = load();

    // libmunge is asked for nothing but these functions, in their own signatures.
    @SuppressWarnings("restricted")
    private static @Nullable Library load() {
      Linker linker = Linker.nativeLinker();
      try {
        SymbolLookup names = SymbolLookup.libraryLookup("libmunge.so.2", Arena.global());
        return new Library(
            linker.downcallHandle(
                names.findOrThrow("munge_ctx_create"), FunctionDescriptor.of(ValueLayout.ADDRESS)),
            linker.downcallHandle(
                names.findOrThrow("munge_ctx_destroy"),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS)),
            linker.downcallHandle(
                names.findOrThrow("munge_ctx_set"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS),
                Linker.Option.firstVariadicArg(2)),
            linker.downcallHandle(
                names.findOrThrow("munge_encode"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.JAVA_INT)),
            linker.downcallHandle(
                names.findOrThrow("munge_decode"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS,
                    ValueLayout.ADDRESS)),
            linker.downcallHandle(
                names.findOrThrow("munge_strerror"),
                FunctionDescriptor.of(ValueLayout.ADDRESS, ValueLayout.JAVA_INT)),
            linker.downcallHandle(
                linker.defaultLookup().findOrThrow("free"),
                FunctionDescriptor.ofVoid(ValueLayout.ADDRESS)));
      } catch (IllegalArgumentException
          | IllegalCallerException
          | UnsupportedOperationException e) {
        return null;
      }
    }
  }

  /**
   * What a configuration says (slurm.conf(5), AuthType and AuthInfo).
   *
   * @return null when it asks for something else
   */
  public static @Nullable Munge of(String authType, String authInfo) {
    if (!authType.equalsIgnoreCase("auth/munge")) {
      return null;
    }
    for (String word : authInfo.split("[,;]")) {
      String[] parts = word.strip().split("=", 2);
      if (parts.length == 2 && parts[0].equalsIgnoreCase("socket") && !parts[1].isEmpty()) {
        return new Munge(parts[1]);
      }
    }
    return new Munge(null);
  }

  /**
   * A credential of the user of this process, good for one use within five minutes.
   *
   * @throws IOException when munged does not answer, or neither library nor program is there
   */
  public String encode() throws IOException {
    Library library = Library.LOADED;
    return library == null ? encodeByProgram() : encode(library);
  }

  /** The same by the program {@code munge}. */
  public String encodeByProgram() throws IOException {
    return ask(command("munge", "--no-input"), "").strip();
  }

  /**
   * Whose a credential is. One that was decoded before is refused, as one that is too old.
   *
   * @throws IOException when it is not accepted, or nobody can be asked
   */
  public Ids decode(String credential) throws IOException {
    if (!credential.startsWith(PREFIX) || credential.indexOf('\0') >= 0) {
      throw new IOException("it is no credential of munge");
    }
    Library library = Library.LOADED;
    return library == null ? decodeByProgram(credential) : decode(library, credential);
  }

  // libmunge is asked for nothing but these functions, in their own signatures.
  @SuppressWarnings("restricted")
  private String encode(Library library) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = context(library, arena);
      MemorySegment out = arena.allocate(ValueLayout.ADDRESS);
      try {
        int error = (int) library.encode.invokeExact(out, context, MemorySegment.NULL, 0);
        check(library, error);
        MemorySegment text = out.get(ValueLayout.ADDRESS, 0);
        String credential = text.reinterpret(Long.MAX_VALUE).getString(0);
        library.free.invokeExact(text);
        return credential;
      } finally {
        library.destroy.invokeExact(context);
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("libmunge: " + e, e);
    }
  }

  private Ids decode(Library library, String credential) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment context = context(library, arena);
      MemorySegment payload = arena.allocate(ValueLayout.ADDRESS);
      MemorySegment length = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment uid = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment gid = arena.allocate(ValueLayout.JAVA_INT);
      MemorySegment text = arena.allocateFrom(credential);
      try {
        int error = (int) library.decode.invokeExact(text, context, payload, length, uid, gid);
        MemorySegment content = payload.get(ValueLayout.ADDRESS, 0);
        if (content.address() != 0) {
          library.free.invokeExact(content);
        }
        check(library, error);
        return new Ids(uid.get(ValueLayout.JAVA_INT, 0), gid.get(ValueLayout.JAVA_INT, 0));
      } finally {
        library.destroy.invokeExact(context);
      }
    } catch (IOException e) {
      throw e;
    } catch (Throwable e) {
      throw new IOException("libmunge: " + e, e);
    }
  }

  private MemorySegment context(Library library, Arena arena) throws Throwable {
    MemorySegment context = (MemorySegment) library.create.invokeExact();
    if (socket != null) {
      MemorySegment path = arena.allocateFrom(socket);
      int error = (int) library.set.invokeExact(context, OPTION_SOCKET, path);
      check(library, error);
    }
    return context;
  }

  // libmunge is asked for nothing but these functions, in their own signatures.
  @SuppressWarnings("restricted")
  private static void check(Library library, int error) throws Throwable {
    if (error != 0) {
      MemorySegment text = (MemorySegment) library.error.invokeExact(error);
      throw new IOException("munge: " + text.reinterpret(Long.MAX_VALUE).getString(0));
    }
  }

  private List<String> command(String... words) {
    List<String> command = new ArrayList<>(List.of(words));
    if (socket != null) {
      command.add("--socket=" + socket);
    }
    return command;
  }

  /** The same by the program {@code unmunge}. */
  public Ids decodeByProgram(String credential) throws IOException {
    String said = ask(command("unmunge", "--no-output", "--metadata=/dev/stdout"), credential);
    Map<String, String> values = new HashMap<>();
    for (String line : said.split("\n")) {
      String[] parts = line.split(":\\s*", 2);
      if (parts.length == 2) {
        values.put(parts[0].strip(), parts[1].strip());
      }
    }
    Matcher uid = NUMBER.matcher(values.getOrDefault("UID", ""));
    Matcher gid = NUMBER.matcher(values.getOrDefault("GID", ""));
    if (!uid.find() || !gid.find()) {
      throw new IOException("unmunge did not say whose it is: " + said.strip());
    }
    return new Ids(Integer.parseUnsignedInt(uid.group(1)), Integer.parseUnsignedInt(gid.group(1)));
  }

  private static String ask(List<String> command, String input) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      process.getOutputStream().write(input.getBytes(StandardCharsets.US_ASCII));
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!process.waitFor(LONGEST_PROGRAM_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException(command.getFirst() + ": " + said.replaceAll("\\s+", " "));
      }
      return said;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(command.getFirst() + " was interrupted", e);
    } finally {
      process.destroy();
    }
  }
}
