package dev.yardmaster.console.fx;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * One thread of its own that does things in order, at once or later. Work that comes after it was
 * closed is dropped.
 */
public final class Worker implements Executor, AutoCloseable {
  private final ScheduledExecutorService thread;

  /**
   * A worker.
   *
   * @param name of its thread, as seen in a debugger
   */
  public Worker(String name) {
    thread =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name(name).factory());
  }

  @Override
  public void execute(Runnable work) {
    after(Duration.ZERO, work);
  }

  /** Does {@code work} after {@code delay}. */
  public void after(Duration delay, Runnable work) {
    try {
      thread.schedule(() -> guarded(work), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // Closed in the meantime: nobody waits for it.
      return;
    }
  }

  /** Does {@code work} again and again, the first time after {@code gap}. */
  public void every(Duration gap, Runnable work) {
    thread.scheduleAtFixedRate(
        () -> guarded(work), gap.toNanos(), gap.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Stops it; what it does now is interrupted. */
  @Override
  public void close() {
    thread.shutdownNow();
  }

  /** One failure must not end the repetition or vanish. */
  private static void guarded(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      Tasks.report(e);
    }
  }
}
