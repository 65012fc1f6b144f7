package dev.yardmaster.controller;

import dev.yardmaster.model.SchedulingPolicy;
import java.time.Duration;

/**
 * What is submitted one after another is looked at together, by priority and not in the order in
 * which it came (slurm.conf(5), SchedulerParameters: batch_sched_delay). Slurm looks at the queue
 * that long after it last did, wherever in a script that falls. Here half of it without another
 * submission ends a batch, and one and a half times it ends one that goes on, so that the jobs of a
 * script come together.
 */
final class Batches {
  private static final double QUIET = 0.5;
  private static final double LONGEST = 1.5;
  private static final int DEFAULT_SECONDS = 3;

  private boolean open;
  private long firstNanos;
  private long lastNanos;
  private long delayNanos;

  /** How long submissions wait for others, not negative. */
  static Duration delay(SchedulingPolicy policy) {
    String text = policy.parameters().get("batch_sched_delay");
    try {
      return Duration.ofSeconds(
          text == null ? DEFAULT_SECONDS : Math.max(0, Integer.parseInt(text)));
    } catch (NumberFormatException e) {
      return Duration.ofSeconds(DEFAULT_SECONDS);
    }
  }

  /** A submission came. */
  void add(long nanos, SchedulingPolicy policy) {
    if (!open) {
      open = true;
      firstNanos = nanos;
    }
    lastNanos = nanos;
    delayNanos = delay(policy).toNanos();
  }

  /** Nothing waits for others any more: a pass begins. */
  void close() {
    open = false;
  }

  boolean isOpen() {
    return open;
  }

  /** How long from a moment until the batch is complete; not positive when it is. */
  long untilComplete(long nanos) {
    long sinceLast = nanos - lastNanos;
    long sinceFirst = nanos - firstNanos;
    return Math.min(
        Math.round(delayNanos * QUIET) - sinceLast, Math.round(delayNanos * LONGEST) - sinceFirst);
  }
}
