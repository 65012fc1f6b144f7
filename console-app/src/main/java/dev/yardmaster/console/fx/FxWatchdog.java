package dev.yardmaster.console.fx;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures how long the JavaFX thread was kept busy without a pause. It asks that thread again and
 * again to answer; the longest wait for an answer is the longest block.
 */
public final class FxWatchdog implements AutoCloseable {
  private final AtomicLong worstNanos = new AtomicLong();
  private final Thread thread;
  private volatile boolean stopped;

  private FxWatchdog(Duration gap) {
    thread = Thread.ofPlatform().daemon().name("fx-watchdog").unstarted(() -> watch(gap));
  }

  /** Starts measuring, asking again {@code gap} after each answer. */
  public static FxWatchdog start(Duration gap) {
    FxWatchdog watchdog = new FxWatchdog(gap);
    watchdog.thread.start();
    return watchdog;
  }

  /** The longest block seen so far. */
  public Duration worst() {
    return Duration.ofNanos(worstNanos.get());
  }

  @Override
  public void close() {
    stopped = true;
    thread.interrupt();
  }

  private void watch(Duration gap) {
    Semaphore answer = new Semaphore(0);
    try {
      while (!stopped) {
        long asked = System.nanoTime();
        Fx.later(answer::release);
        answer.acquire();
        worstNanos.accumulateAndGet(System.nanoTime() - asked, Math::max);
        Thread.sleep(gap);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
