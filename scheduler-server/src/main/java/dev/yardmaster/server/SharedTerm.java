package dev.yardmaster.server;

import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.journal.StateLock;
import dev.yardmaster.server.Heartbeat.Beat;
import dev.yardmaster.server.Heartbeat.Hold;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Control over a shared state directory: shows that it lives, and notices when it has lost it. */
final class SharedTerm implements Control.Term {
  private static final Logger LOG = LoggerFactory.getLogger(SharedTerm.class);
  private static final Duration BEAT = Duration.ofMillis(500);

  private final Heartbeat heartbeat;
  private final int self;
  private final @Nullable StateLock lock;
  private final SqliteJournal journal;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("heartbeat").daemon().factory());
  private @Nullable Runnable whenLost;
  private long count;
  private boolean lost;

  /**
   * @param lock null when control was taken from one that hangs
   */
  SharedTerm(Path directory, Peers peers, @Nullable StateLock lock, SqliteJournal journal) {
    this.heartbeat = new Heartbeat(directory, peers.self());
    this.self = peers.self();
    this.lock = lock;
    this.journal = journal;
    beat();
    thread.scheduleWithFixedDelay(
        this::beat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private void beat() {
    Beat seen = heartbeat.look();
    if (seen != null && seen.epoch() > journal.epoch()) {
      lose();
      return;
    }
    write(lock == null ? Hold.FORCED : Hold.LOCKED, -1);
  }

  private void write(Hold hold, int successor) {
    try {
      heartbeat.write(new Beat(journal.epoch(), ++count, self, hold, successor));
    } catch (IOException e) {
      LOG.warn("no heartbeat: {}", e.toString());
    }
  }

  private synchronized void lose() {
    lost = true;
    thread.shutdown();
    if (whenLost != null) {
      whenLost.run();
      whenLost = null;
    }
  }

  @Override
  public Journal journal() {
    return journal;
  }

  @Override
  public synchronized void whenLost(Runnable action) {
    if (lost) {
      action.run();
    } else {
      whenLost = action;
    }
  }

  @Override
  public void close(int successor) {
    thread.shutdownNow();
    try {
      thread.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Beat seen = heartbeat.look();
    if (!lost && (seen == null || seen.epoch() <= journal.epoch())) {
      write(Hold.FREE, successor);
    }
    if (lock != null) {
      lock.close();
    }
  }
}
