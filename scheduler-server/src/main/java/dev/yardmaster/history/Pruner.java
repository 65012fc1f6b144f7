package dev.yardmaster.history;

import dev.yardmaster.journal.JournalException;
import dev.yardmaster.model.ClusterConfig;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forgets the past that nobody wants to ask for any more, on a thread of its own: {@code
 * SlurmctldParameters=history_days=DAYS}, by default a week, 0 for all of it. What accounting has
 * not recorded yet is never forgotten.
 */
public final class Pruner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Pruner.class);
  private static final String PARAMETER = "history_days=";
  private static final int DEFAULT_DAYS = 7;

  /** At most once in this time, since a state is written each time. */
  private static final Duration INTERVAL = Duration.ofHours(1);

  private final History history;
  private final LongSupplier recorded;
  private final Supplier<ClusterConfig> config;
  private final InstantSource clock;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = Thread.ofPlatform().name("pruning").daemon().unstarted(this::run);

  /**
   * @param recorded the last event that accounting has recorded
   */
  public Pruner(
      History history, LongSupplier recorded, Supplier<ClusterConfig> config, InstantSource clock) {
    this.history = history;
    this.recorded = recorded;
    this.config = config;
    this.clock = clock;
  }

  /** Begins with a look an interval from now, so that no start is slower for it. */
  public void start() {
    thread.start();
  }

  /** For how long the past is kept; null for good. */
  static @Nullable Duration span(ClusterConfig config) {
    String parameters = config.setting("SlurmctldParameters").orElse("");
    for (String word : parameters.toLowerCase(Locale.ROOT).split(",")) {
      String days = word.strip();
      if (days.startsWith(PARAMETER) && days.substring(PARAMETER.length()).matches("[0-9]{1,6}")) {
        int count = Integer.parseInt(days.substring(PARAMETER.length()));
        return count == 0 ? null : Duration.ofDays(count);
      }
    }
    return Duration.ofDays(DEFAULT_DAYS);
  }

  private void run() {
    try {
      while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Forgets what is older than it has to be kept; returns whether there was anything. */
  boolean look() {
    Duration span = span(config.get());
    if (span == null) {
      return false;
    }
    Instant before = clock.instant().minus(span);
    try {
      boolean any = history.forgetBefore(before, recorded.getAsLong());
      if (any) {
        LOG.info("the history begins {} now", history.text(history.begins()));
      }
      return any;
    } catch (JournalException | JdbiException e) {
      LOG.error("the journal cannot be shortened, it is tried again: {}", e.getMessage());
      return false;
    }
  }

  /** Waits for what is under way. */
  @Override
  public void close() {
    closed.countDown();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
