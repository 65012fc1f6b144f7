package dev.yardmaster.console.connect;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the newest of many values, at most once in a given time. What comes in between is
 * dropped, so a consumer that is slower than its source never falls behind.
 */
final class Conflater<T> {
  private final ScheduledExecutorService worker;
  private final long gapNanos;
  private final Consumer<T> consumer;
  private final AtomicReference<@Nullable T> newest = new AtomicReference<>();
  private long lastNanos;
  private boolean ran;

  /**
   * A conflater.
   *
   * @param worker must have one thread; the consumer is called on it
   * @param gap the least time between two calls
   */
  Conflater(ScheduledExecutorService worker, Duration gap, Consumer<T> consumer) {
    this.worker = worker;
    this.gapNanos = gap.toNanos();
    this.consumer = consumer;
  }

  /** Takes a value; may be called from any thread. */
  void offer(T value) {
    if (newest.getAndSet(value) == null) {
      try {
        worker.execute(this::schedule);
      } catch (RejectedExecutionException e) {
        // Closed in the meantime: nobody waits for the value.
        newest.set(null);
      }
    }
  }

  private void schedule() {
    long wait = ran ? gapNanos - (System.nanoTime() - lastNanos) : 0;
    if (wait <= 0) {
      pass();
    } else if (!worker.isShutdown()) {
      worker.schedule(this::pass, wait, TimeUnit.NANOSECONDS);
    }
  }

  private void pass() {
    T value = newest.getAndSet(null);
    ran = true;
    lastNanos = System.nanoTime();
    if (value != null) {
      consumer.accept(value);
    }
  }
}
