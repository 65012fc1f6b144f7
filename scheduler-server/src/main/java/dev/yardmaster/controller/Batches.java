package dev.yardmaster.controller;

import dev.yardmaster.model.SchedulingPolicy;
import java.time.Duration;

/**
 * What is submitted waits for the next look at the queue, so that what comes one after another is
 * looked at together, by priority and not in the order in which it came (slurm.conf(5),
 * SchedulerParameters: batch_sched_delay, the time from one look to the next). Slurm's looks fall
 * wherever they are due, also in the midst of a script. Here they keep off while one submission
 * follows another without a rest, though not for long, so that a script's jobs come together also
 * on a machine that takes long for each command.
 */
final class Batches {
  /** A rest of this share of the delay ends a row of submissions. */
  private static final double REST = 0.1;

  private static final long REST_AT_LEAST = Duration.ofMillis(150).toNanos();

  /** A row is not waited for longer than this share of the delay. */
  private static final double LONGEST = 1.0 / 3;

  /** What Slurm's commands submit within a second takes a loaded machine here up to twice that. */
  private static final long LONGEST_AT_LEAST = Duration.ofSeconds(2).toNanos();

  private static final int DEFAULT_SECONDS = 3;

  private boolean open;
  private boolean row;
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

  /** Something came that waits for the next look, and is no part of a row. */
  void want(SchedulingPolicy policy) {
    open = true;
    delayNanos = delay(policy).toNanos();
  }

  /** A submission came, or a change that may be one of several. */
  void add(long nanos, SchedulingPolicy policy) {
    // What came before a rest is a row of its own, and has had its time.
    if (!row || nanos - lastNanos >= restNanos()) {
      row = true;
      firstNanos = nanos;
    }
    lastNanos = nanos;
    want(policy);
  }

  private long restNanos() {
    return Math.max(REST_AT_LEAST, Math.round(delayNanos * REST));
  }

  /** Nothing waits any more: a main pass begins. */
  void close() {
    open = false;
    row = false;
  }

  boolean isOpen() {
    return open;
  }

  /** How long from a moment until the row of submissions is over; not positive when it is. */
  long untilRest(long nanos) {
    if (!row) {
      return 0;
    }
    return Math.min(
        restNanos() - (nanos - lastNanos),
        Math.max(LONGEST_AT_LEAST, Math.round(delayNanos * LONGEST)) - (nanos - firstNanos));
  }

  /** How long after the last look at the queue what waits is looked at. */
  long delaySeconds() {
    return Duration.ofNanos(delayNanos).toSeconds();
  }

  /** The same before the first look, of which Slurm's main loop has not read the delay yet. */
  long firstDelaySeconds() {
    return delayNanos == 0 ? 0 : DEFAULT_SECONDS;
  }
}
