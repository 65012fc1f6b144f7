package dev.yardmaster.server;

import dev.yardmaster.cli.CaughtSignals;
import dev.yardmaster.cli.Io;
import dev.yardmaster.model.Identity;
import dev.yardmaster.security.Authenticator;
import dev.yardmaster.security.PrivateToken;
import dev.yardmaster.security.Proofs;
import dev.yardmaster.server.RunningServer.Ending;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * One of several controllers of a cluster (SlurmctldHost more than once): stands by until it has
 * control, serves while it has it, and stands by again when it has lost it.
 */
final class ControllerGroup {
  /** What the database says of a lock that another process has. */
  private static final String BUSY = "SQLITE_BUSY";

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ServerSetup setup;
  private final Peers peers;
  private final Control control;
  private final Proofs proofs;
  private final boolean trustsNetwork;
  private final Io io;
  private final AtomicReference<@Nullable RunningServer> serving = new AtomicReference<>();
  private final AtomicBoolean stopped = new AtomicBoolean();

  ControllerGroup(
      ServerSetup setup,
      Peers peers,
      Control control,
      Proofs proofs,
      boolean trustsNetwork,
      Io io) {
    this.setup = setup;
    this.peers = peers;
    this.control = control;
    this.proofs = proofs;
    this.trustsNetwork = trustsNetwork;
    this.io = io;
  }

  /** Runs until it is stopped. */
  void run() throws StartFailure, InterruptedException {
    CountDownLatch closed = new CountDownLatch(1);
    Stops.on(this::stop, closed);
    CaughtSignals.hand("HUP", name -> reconfigure());
    try (control) {
      Files.createDirectories(setup.stateDirectory());
      while (!stopped.get()) {
        Control.Term term = standBy();
        if (term == null || !serve(term)) {
          return;
        }
      }
    } catch (IOException e) {
      throw new StartFailure(String.valueOf(e.getMessage()));
    } finally {
      closed.countDown();
    }
  }

  private void stop() {
    stopped.set(true);
    control.stop();
    RunningServer server = serving.get();
    if (server != null) {
      server.askToStop();
    }
  }

  /** One that stands by reads the configuration when it begins to serve. */
  private void reconfigure() {
    RunningServer server = serving.get();
    if (server != null) {
      server.reconfigure();
    }
  }

  private Control.@Nullable Term standBy() throws StartFailure, InterruptedException, IOException {
    Authenticator plain =
        setup.privateToken()
            ? Authenticator.withToken(PrivateToken.in(setup.stateDirectory()))
            : Authenticator.none();
    Authenticator proving = plain.with(proofs);
    try (Standby _ =
        Standby.start(
            peers.address(reachesNetwork()),
            peers.port(),
            trustsNetwork ? proving.trustingNetwork() : proving,
            this::mayOrder,
            control::takeOver,
            this::stop)) {
      say("standing by as " + peers.role() + " " + peers.own().name());
      return control.await();
    }
  }

  private boolean reachesNetwork() {
    return trustsNetwork || proofs.tls() != null;
  }

  /** Root, the SlurmUser and whoever runs the controller. */
  private boolean mayOrder(Identity who) {
    return who.isRoot()
        || who.user().equals(System.getProperty("user.name", ""))
        || who.user().equals(peers.slurmUser());
  }

  /**
   * Serves; one that was stopped in the midst of a write to a file beside the journal keeps its
   * lock until it ends or goes on, so that another one has to wait for it.
   *
   * @return whether to stand by again
   */
  private boolean serve(Control.Term term) throws StartFailure, InterruptedException {
    try {
      return serveNow(term);
    } catch (StartFailure e) {
      if (e.lines().stream().noneMatch(line -> line.contains(BUSY))) {
        throw e;
      }
    } catch (JdbiException e) {
      if (!String.valueOf(e.getMessage()).contains(BUSY)) {
        throw e;
      }
    }
    say("a file of the state directory is still locked by another controller; trying again");
    Thread.sleep(PAUSE);
    return true;
  }

  private boolean serveNow(Control.Term term) throws StartFailure, InterruptedException {
    int successor = -1;
    try {
      Place place =
          new Place(
              peers.address(reachesNetwork()),
              peers.own().name(),
              peers.role(),
              trustsNetwork,
              directory -> term.journal());
      Ending ending;
      try (RunningServer server = RunningServer.start(setup, place, io.clock())) {
        serving.set(server);
        if (stopped.get()) {
          return false;
        }
        term.whenLost(() -> server.end(new Ending.Lost()));
        server.notices().forEach(line -> io.err().println("server: " + line));
        say(
            "cluster "
                + server.controller().state().config().clusterName()
                + " on "
                + place.address().getHostAddress()
                + ":"
                + server.port());
        ending = server.awaitStop();
      } finally {
        serving.set(null);
      }
      return switch (ending) {
        case Ending.Stopped _ -> false;
        case Ending.Lost _ -> {
          say("control was lost");
          yield true;
        }
        case Ending.GivenUp given -> {
          successor = given.successor();
          say("control is given up");
          yield !control.endsWhenGivenUp();
        }
      };
    } finally {
      term.close(successor);
    }
  }

  private void say(String what) {
    io.out().println("server: " + what);
    io.out().flush();
  }
}
