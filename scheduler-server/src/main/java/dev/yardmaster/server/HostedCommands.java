package dev.yardmaster.server;

import dev.yardmaster.api.LocalFrames;
import dev.yardmaster.api.LocalFrames.Kind;
import dev.yardmaster.api.LocalSocket;
import dev.yardmaster.cli.Cli;
import dev.yardmaster.cli.Io;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.security.Peer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.concurrent.Semaphore;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Runs Slurm's commands for callers of the local socket, who are spared the start of a JVM for each
 * ({@code bin/hosted.pl} calls). A command sees what it would see as a process of its own: the
 * user, arguments, environment and directory of its caller, and through the connection the caller's
 * files; it asks the controller as that user, over the local socket, and the same rules hold. What
 * a controller cannot do for another (wait for input, write files, start programs) it leaves to a
 * process of the caller, and says so before anything was done.
 */
final class HostedCommands {
  private static final Logger LOG = Logger.getLogger(HostedCommands.class.getName());

  /** The user of this server; -1 where that cannot be told. */
  private static final int OWN_UID = LocalSocket.owner(Path.of("/proc/self"));

  /** Exit code that tells the caller to run the command itself. */
  private static final int ELSEWHERE = -1;

  /** So many at once; those beyond it wait, so that listings of many jobs share the memory. */
  private static final int MOST_AT_ONCE = 16;

  private final Endpoint controller;
  private final @Nullable String token;
  private final Semaphore places = new Semaphore(MOST_AT_ONCE);

  /**
   * @param controller where this server listens
   * @param token what it shows itself; null where nothing has to be shown
   */
  HostedCommands(Endpoint controller, @Nullable String token) {
    this.controller = controller;
    this.token = token;
  }

  /** Runs one command and sends its output and exit code. */
  void run(Peer peer, byte[] content, LocalFrames frames) throws IOException {
    HostedCall call = HostedCall.read(content);
    int exitCode = ELSEWHERE;
    if (call != null && call.isHosted() && vouchedFor(peer, call)) {
      try {
        places.acquire();
        try {
          exitCode = run(call, frames);
        } finally {
          places.release();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
    byte[] code = ByteBuffer.allocate(Integer.BYTES).putInt(exitCode).array();
    frames.send(LocalFrames.frame(Kind.CLOSE, code));
  }

  /** Who the caller says to be must be who the kernel says, and one the server may speak for. */
  private static boolean vouchedFor(Peer peer, HostedCall call) {
    return peer instanceof Peer.Local local
        && local.is(call.caller())
        && (OWN_UID == 0 || OWN_UID == call.caller().uid());
  }

  private int run(HostedCall call, LocalFrames frames) {
    ZoneId zone = zone(call.environment().get("TZ"));
    if (zone == null) {
      return ELSEWHERE;
    }
    HostedStreams streams = new HostedStreams(frames);
    Credential credential =
        new Credential(
            call.caller().user(),
            call.caller().uid(),
            call.caller().group(),
            call.caller().gid(),
            token);
    Io io =
        new Io(
            streams.in(),
            streams.out(),
            streams.err(),
            call.environment(),
            Path.of(call.directory()),
            zone,
            InstantSource.system(),
            call::terminal,
            new HostedMachine(credential, controller, streams));
    try {
      return Cli.run(call.name(), call.arguments(), io);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, call.name() + " failed in the controller", e);
      streams.err().println(call.name() + ": fatal: " + e);
      return 1;
    }
  }

  /** The zone that TZ names, that of the machine without it; null for one in another notation. */
  private static @Nullable ZoneId zone(@Nullable String name) {
    if (name == null || name.isEmpty()) {
      return ZoneId.systemDefault();
    }
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
