package dev.yardmaster.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The users of this machine, and how to run something as one of them. */
final class Users {
  private final int ownUid;
  private final Map<Integer, String> names = new ConcurrentHashMap<>();

  Users() {
    ownUid = Integer.parseInt(output("id", "-u"));
  }

  int ownUid() {
    return ownUid;
  }

  /** Why a user's job cannot run here; null when it can. */
  @Nullable String refusal(String user, int uid) {
    if (uid == ownUid) {
      return null;
    }
    if (ownUid != 0) {
      return "the node daemon runs as user "
          + ownUid
          + " and can only start jobs of that user,"
          + " not of "
          + user
          + " ("
          + uid
          + ")";
    }
    String name = names.computeIfAbsent(uid, u -> output("id", "-nu", Integer.toString(u)));
    if (name.isEmpty()) {
      names.remove(uid);
      return "user " + user + " (" + uid + ") is unknown on this node";
    }
    return name.equals(user)
        ? null
        : "user id " + uid + " is " + name + " on this node, not " + user;
  }

  /** The command that runs another with the identity of a user: user, group, all groups. */
  List<String> as(int uid, int gid) {
    return ownUid == 0 && uid != 0
        ? List.of("setpriv", "--reuid=" + uid, "--regid=" + gid, "--init-groups", "--")
        : List.of();
  }

  /**
   * The beginning of a command that runs in a session of its own. Signals that the daemon was told
   * to ignore, as what a shell starts in the background is told, are not ignored by what it starts:
   * nobody but a process itself may say so.
   */
  static List<String> apart() {
    return Apart.COMMAND;
  }

  /** Found out once. */
  private static final class Apart {
    private static final int STOPPING = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14;
    private static final List<String> COMMAND = command();

    private static List<String> command() {
      List<String> all = List.of("env", "--default-signal", "setsid");
      boolean ignores = ignores();
      return ignores && output("env", "--default-signal", "echo", "yes").equals("yes")
          ? all
          : List.of("setsid");
    }

    /** Whether this process ignores any of SIGHUP, SIGINT, SIGQUIT and SIGTERM. */
    private static boolean ignores() {
      try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
        return lines
            .filter(line -> line.startsWith("SigIgn:"))
            .map(line -> Long.parseUnsignedLong(line.substring(line.indexOf('\t') + 1), 16))
            .anyMatch(mask -> (mask & STOPPING) != 0);
      } catch (IOException | UncheckedIOException e) {
        return false;
      }
    }
  }

  /** What a command prints, stripped; empty when it fails. */
  private static String output(String... command) {
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return process.waitFor() == 0 ? text : "";
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
