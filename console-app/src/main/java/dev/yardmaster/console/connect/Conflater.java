package dev.yardmaster.console.connect;

import dev.yardmaster.console.fx.Worker;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Passes on the newest of many values, at most once in a given time. What comes in between is
 * dropped, so a consumer that is slower than its source never falls behind.
 */
final class Conflater<T> {
  private final Worker worker;
  private final Duration gap;
  private final Consumer<T> consumer;
  private final AtomicReference<@Nullable T> newest = new AtomicReference<>();
  // Used on the worker only.
  private long lastNanos;
  private boolean ran;

  /**
   * A conflater.
   *
   * @param worker the consumer is called on it
   * @param gap the least time between two calls
   */
  Conflater(Worker worker, Duration gap, Consumer<T> consumer) {
    this.worker = worker;
    this.gap = gap;
    this.consumer = consumer;
  }

  /** Takes a value; may be called from any thread. */
  void offer(T value) {
    if (newest.getAndSet(value) == null) {
      worker.execute(this::schedule);
    }
  }

  private void schedule() {
    Duration rest = gap.minusNanos(System.nanoTime() - lastNanos);
    if (!ran || !rest.isPositive()) {
      pass();
    } else {
      worker.after(rest, this::pass);
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
