package dev.yardmaster.journal;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * A trouble that lasts, such as a full disk, in the log: told when it begins, once a minute while
 * it lasts, and when it is over, however often what is tried fails. For one thread.
 */
public final class Outage {
  private static final long REMINDER = TimeUnit.MINUTES.toNanos(1);

  private final Logger log;
  private final LongSupplier nanos;
  private boolean lasts;
  private long began;
  private long told;
  private long failures;
  private volatile @Nullable String present;

  /** Writes into a log. */
  public Outage(Logger log) {
    this(log, System::nanoTime);
  }

  Outage(Logger log, LongSupplier nanos) {
    this.log = log;
    this.nanos = nanos;
  }

  /** It happened, for the first time or again. */
  public void happens(String what) {
    long now = nanos.getAsLong();
    present = what;
    failures++;
    if (!lasts) {
      lasts = true;
      began = now;
      told = now;
      log.error("{}", what);
    } else if (now - told >= REMINDER) {
      told = now;
      log.error("still, {} times in {} s: {}", failures, seconds(now), what);
    }
  }

  /** It is over, if it ever began. */
  public void isOver(String what) {
    present = null;
    if (lasts) {
      log.warn("{}, after {} s", what, seconds(nanos.getAsLong()));
      lasts = false;
      failures = 0;
    }
  }

  /** What happens at present, on any thread; empty when nothing does. */
  public Optional<String> present() {
    return Optional.ofNullable(present);
  }

  private long seconds(long now) {
    return TimeUnit.NANOSECONDS.toSeconds(now - began);
  }
}
