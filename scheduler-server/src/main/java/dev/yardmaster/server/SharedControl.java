package dev.yardmaster.server;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.journal.StateLock;
import dev.yardmaster.server.Heartbeat.Beat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Control over a state directory that all controllers see, as Slurm's StateSaveLocation. Who has
 * control holds a lock, which the system drops with its process, and changes the heartbeat. A
 * backup takes control when the lock is free, or when the heartbeat has not changed for
 * SlurmctldTimeout. Taking control raises a number in the journal that each write checks, so that
 * one that was only stopped for a while can write nothing more.
 */
final class SharedControl implements Control {
  private static final Logger LOG = LoggerFactory.getLogger(SharedControl.class);

  /** It writes pages about a file that another process has locked; a line says it here. */
  private static final java.util.logging.Logger MIGRATIONS =
      java.util.logging.Logger.getLogger("org.flywaydb.core.internal");

  private static final Duration POLL = Duration.ofMillis(200);

  /** What lies between the attempts of one backup and the next, so that the first one is first. */
  private static final Duration STAGGER = Duration.ofMillis(600);

  /** For so long a controller that has control without the lock must be silent. */
  private static final Duration FORCED_SILENCE = Duration.ofSeconds(2);

  /** For so long control waits for who asked for it. */
  private static final Duration RESERVED = Duration.ofSeconds(5);

  private final Peers peers;
  private final Path configFile;
  private final Path directory;
  private boolean stopped;

  /** Whether to ask who has control for it: an operator wants it, or the primary has come back. */
  private boolean wanted;

  private boolean byOperator;
  private String said = "";

  SharedControl(Peers peers, Path configFile, Path directory) {
    this.peers = peers;
    this.configFile = configFile;
    this.directory = directory;
    this.wanted = true;
    MIGRATIONS.setLevel(Level.OFF);
  }

  @Override
  public synchronized void takeOver() {
    wanted = true;
    byOperator = true;
    notifyAll();
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  @Override
  public boolean endsWhenGivenUp() {
    return peers.self() == 0;
  }

  @Override
  public synchronized @Nullable Term await() throws StartFailure, InterruptedException {
    Heartbeat heartbeat = new Heartbeat(directory, peers.self());
    try {
      while (!stopped) {
        Term term = attempt(heartbeat);
        if (term != null) {
          wanted = false;
          byOperator = false;
          said = "";
          return term;
        }
        wait(POLL.toMillis());
      }
      return null;
    } catch (JournalException e) {
      throw new StartFailure(String.valueOf(e.getMessage()));
    }
  }

  private @Nullable Term attempt(Heartbeat heartbeat) throws InterruptedException {
    Beat beat = heartbeat.look();
    StateLock lock = StateLock.tryTake(directory);
    if (lock != null) {
      if (mayTake(heartbeat, beat)) {
        return new SharedTerm(directory, peers, lock, open());
      }
      lock.close();
      return null;
    }
    if (beat == null) {
      return null;
    }
    if (wanted && (byOperator || beat.index() > peers.self())) {
      if (isUnreachable(beat.index()) && byOperator) {
        say(peers.all().get(beat.index()).name() + " does not answer; control is taken from it");
        return force();
      }
      return null;
    }
    boolean hangs = !peers.silence().isZero() && heartbeat.isSilentFor(peers.silence());
    if (hangs) {
      say(
          peers.all().get(beat.index()).name()
              + " has control and has been silent for SlurmctldTimeout="
              + peers.silence().toSeconds()
              + "; control is taken from it");
    }
    return hangs ? force() : null;
  }

  /** Whether control is free, which the lock alone does not say. */
  private boolean mayTake(Heartbeat heartbeat, @Nullable Beat beat) {
    if (peers.self() > 0 && Files.notExists(directory.resolve(SqliteJournal.FILE))) {
      say(
          directory
              + " has no state yet; waiting for "
              + peers.all().getFirst().name()
              + " to make it (it must be the same directory on all controllers)");
      return false;
    }
    if (beat == null) {
      return true;
    }
    Duration turn = STAGGER.multipliedBy(Math.max(0, peers.self() - 1));
    return switch (beat.hold()) {
      case LOCKED -> byOperator || heartbeat.isSilentFor(turn);
      case FORCED -> heartbeat.isSilentFor(FORCED_SILENCE);
      case FREE -> {
        boolean mine = beat.successor() < 0 || beat.successor() == peers.self();
        yield byOperator || mine || heartbeat.isSilentFor(RESERVED);
      }
    };
  }

  /** Asks for control; returns whether there was no answer. */
  private boolean isUnreachable(int holder) {
    wanted = false;
    try {
      peers.askToGiveUp(holder, configFile);
      LOG.info("{} gives up control", peers.all().get(holder).name());
      return false;
    } catch (ClientException e) {
      LOG.warn("{} was asked for control: {}", peers.all().get(holder).name(), e.text());
      return e instanceof ClientException.Unreachable;
    }
  }

  private SqliteJournal open() {
    return SqliteJournal.openShared(directory, peers.own().name());
  }

  private @Nullable Term force() {
    try {
      return new SharedTerm(directory, peers, null, open());
    } catch (JournalException e) {
      // It was stopped in the midst of a write, whose lock it still has.
      say("control cannot be taken yet: " + e.getMessage());
      return null;
    }
  }

  private void say(String what) {
    if (!what.equals(said)) {
      said = what;
      LOG.warn("{}", what);
    }
  }

  @Override
  public void close() {
    stop();
  }
}
