package dev.yardmaster.node;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks at the processes of the machine (proc(5)) and signals them (kill(2)). */
final class Processes {
  static final int SIGHUP = 1;
  static final int SIGKILL = 9;
  static final int SIGTERM = 15;
  static final int SIGCONT = 18;
  static final int SIGSTOP = 19;
  static final int SIGTSTP = 20;

  private static final Path PROC = Path.of("/proc");
  private static final MethodHandle KILL = kill();

  private Processes() {}

  // The JVM is started with --enable-native-access for it; Java itself sends only TERM and KILL.
  @SuppressWarnings("restricted")
  private static MethodHandle kill() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("kill"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }

  /** A process as it was when looked at. */
  private record Seen(int pid, int parent, int session, boolean zombie) {}

  /**
   * Every live process of a run: those with its marker in their environment, those in a session
   * that one of them leads, and all descendants of any of them. The shim is not among them.
   */
  static Set<Integer> ofRun(String marker, int shim) {
    Map<Integer, Seen> all = all();
    byte[] wanted = (JobEnvironment.MARKER + "=" + marker).getBytes(StandardCharsets.UTF_8);
    Set<Integer> found = new TreeSet<>();
    Map<Integer, List<Integer>> children = new HashMap<>();
    Map<Integer, List<Integer>> sessions = new HashMap<>();
    for (Seen seen : all.values()) {
      children.computeIfAbsent(seen.parent(), k -> new ArrayList<>()).add(seen.pid());
      sessions.computeIfAbsent(seen.session(), k -> new ArrayList<>()).add(seen.pid());
      if (hasVariable(seen.pid(), wanted)) {
        found.add(seen.pid());
      }
    }
    Deque<Integer> open = new ArrayDeque<>(found);
    if (shim > 0 && all.containsKey(shim)) {
      open.add(shim);
    }
    while (!open.isEmpty()) {
      int pid = open.poll();
      List<Integer> related = new ArrayList<>(children.getOrDefault(pid, List.of()));
      Seen seen = all.get(pid);
      if (seen != null && seen.session() == pid && pid != shim) {
        related.addAll(sessions.getOrDefault(pid, List.of()));
      }
      for (int next : related) {
        if (next != shim && found.add(next)) {
          open.add(next);
        }
      }
    }
    found.removeIf(pid -> all.containsKey(pid) && all.get(pid).zombie());
    found.remove(shim);
    return found;
  }

  /** The process whose command line has this argument, or -1. */
  static int withArgument(String argument) {
    byte[] wanted = argument.getBytes(StandardCharsets.UTF_8);
    for (Seen seen : all().values()) {
      if (!seen.zombie() && contains(read(seen.pid(), "cmdline"), wanted)) {
        return seen.pid();
      }
    }
    return -1;
  }

  /** The only child of a shim, which is the batch script; -1 when there is none. */
  static int childOf(int parent) {
    for (Seen seen : all().values()) {
      if (seen.parent() == parent && !seen.zombie()) {
        return seen.pid();
      }
    }
    return -1;
  }

  /** Sends a signal; a process that has gone meanwhile is no error. */
  static void signal(int pid, int signal) {
    if (pid <= 1) {
      return;
    }
    try {
      int result = (int) KILL.invokeExact(pid, signal);
      if (result != 0) {
        return;
      }
    } catch (Throwable e) {
      throw new IllegalStateException("kill(2) cannot be called", e);
    }
  }

  private static Map<Integer, Seen> all() {
    Map<Integer, Seen> all = new HashMap<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[1-9]*")) {
      for (Path entry : entries) {
        Seen seen = look(Integer.parseInt(entry.getFileName().toString()));
        if (seen != null) {
          all.put(seen.pid(), seen);
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException("/proc cannot be read", e);
    }
    return all;
  }

  private static @Nullable Seen look(int pid) {
    String stat = new String(read(pid, "stat"), StandardCharsets.ISO_8859_1);
    int afterName = stat.lastIndexOf(')');
    if (afterName < 0) {
      return null;
    }
    String[] fields = stat.substring(afterName + 2).split(" ", 6);
    return fields.length < 5
        ? null
        : new Seen(
            pid,
            Integer.parseInt(fields[1]),
            Integer.parseInt(fields[3]),
            fields[0].equals("Z") || fields[0].equals("X"));
  }

  private static byte[] read(int pid, String file) {
    try {
      return Files.readAllBytes(PROC.resolve(Integer.toString(pid)).resolve(file));
    } catch (IOException e) {
      // It has gone, or belongs to somebody whose processes are none of ours.
      return new byte[0];
    }
  }

  private static boolean hasVariable(int pid, byte[] wanted) {
    return contains(read(pid, "environ"), wanted);
  }

  /** Whether one of the texts that end with a zero byte is the wanted one. */
  private static boolean contains(byte[] texts, byte[] wanted) {
    int from = 0;
    for (int i = 0; i <= texts.length; i++) {
      if (i == texts.length || texts[i] == 0) {
        if (i - from == wanted.length && Arrays.equals(texts, from, i, wanted, 0, wanted.length)) {
          return true;
        }
        from = i + 1;
      }
    }
    return false;
  }
}
