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
  private static final byte[] MARKED =
      (JobEnvironment.MARKER + "=").getBytes(StandardCharsets.UTF_8);
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

  /** All processes of the machine as they were at one moment, looked at once for many runs. */
  static final class Look {
    private final Map<Integer, Seen> all = new HashMap<>();
    private final Map<Integer, List<Integer>> children = new HashMap<>();
    private final Map<Integer, List<Integer>> sessions = new HashMap<>();
    private @Nullable Map<String, List<Integer>> marked;

    private Look() {
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(PROC, "[1-9]*")) {
        for (Path entry : entries) {
          Seen seen = see(Integer.parseInt(entry.getFileName().toString()));
          if (seen != null) {
            all.put(seen.pid(), seen);
            children.computeIfAbsent(seen.parent(), k -> new ArrayList<>()).add(seen.pid());
            sessions.computeIfAbsent(seen.session(), k -> new ArrayList<>()).add(seen.pid());
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException("/proc cannot be read", e);
      }
    }

    /**
     * The processes that have a marker in their environment, by marker, those of steps also by that
     * of their run; read when first asked.
     */
    private Map<String, List<Integer>> marked() {
      Map<String, List<Integer>> known = marked;
      if (known == null) {
        known = new HashMap<>();
        for (int pid : all.keySet()) {
          String marker = marker(read(pid, "environ"));
          if (marker != null) {
            known.computeIfAbsent(marker, k -> new ArrayList<>()).add(pid);
            int step = marker.indexOf(JobEnvironment.STEP_MARK);
            if (step > 0 && step < marker.indexOf('@')) {
              known.computeIfAbsent(marker.substring(step + 1), k -> new ArrayList<>()).add(pid);
            }
          }
        }
        marked = known;
      }
      return known;
    }

    /** A process and all that descend from it; what only waits to be collected is not there. */
    Set<Integer> under(int root) {
      Set<Integer> found = new TreeSet<>();
      Deque<Integer> open = new ArrayDeque<>(List.of(root));
      while (!open.isEmpty()) {
        int pid = open.poll();
        Seen seen = all.get(pid);
        if (seen != null && !seen.zombie() && found.add(pid)) {
          open.addAll(children.getOrDefault(pid, List.of()));
        }
      }
      return found;
    }

    /**
     * Every live process of a run: those with its marker in their environment, those in its control
     * groups, those in a session that one of them leads, and all descendants of any of them. The
     * shim is not among them.
     */
    Set<Integer> ofRun(String marker, int shim) {
      Set<Integer> found = new TreeSet<>(marked().getOrDefault(marker, List.of()));
      found.addAll(Confinement.left(marker));
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
      found.removeIf(
          pid -> {
            Seen seen = all.get(pid);
            return seen != null && seen.zombie();
          });
      found.remove(shim);
      return found;
    }
  }

  /** Looks at all processes once. */
  static Look look() {
    return new Look();
  }

  /** As {@link Look#ofRun}, with a look of its own. */
  static Set<Integer> ofRun(String marker, int shim) {
    return look().ofRun(marker, shim);
  }

  /** The process whose command line has this argument, or -1. */
  static int withArgument(String argument) {
    byte[] wanted = argument.getBytes(StandardCharsets.UTF_8);
    for (Seen seen : look().all.values()) {
      if (!seen.zombie() && contains(read(seen.pid(), "cmdline"), wanted)) {
        return seen.pid();
      }
    }
    return -1;
  }

  /** The only child of a shim, which is the batch script; -1 when there is none. */
  static int childOf(int parent) {
    Look now = look();
    for (int pid : now.children.getOrDefault(parent, List.of())) {
      Seen seen = now.all.get(pid);
      if (seen != null && !seen.zombie()) {
        return pid;
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

  private static @Nullable Seen see(int pid) {
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

  /** The run that an environment says its process is of, or null. */
  private static @Nullable String marker(byte[] environment) {
    int from = 0;
    for (int i = 0; i <= environment.length; i++) {
      if (i == environment.length || environment[i] == 0) {
        if (startsWith(environment, from, i, MARKED)) {
          int at = from + MARKED.length;
          return new String(environment, at, i - at, StandardCharsets.UTF_8);
        }
        from = i + 1;
      }
    }
    return null;
  }

  private static boolean startsWith(byte[] texts, int from, int to, byte[] start) {
    return to - from >= start.length
        && Arrays.equals(texts, from, from + start.length, start, 0, start.length);
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
