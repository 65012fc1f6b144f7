package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;

/** SuspendRate and ResumeRate of slurm.conf(5): so many nodes in a minute, 0 for any number. */
final class PowerRates {
  private static final long USUAL_DOWN = 60;
  private static final long USUAL_UP = 300;
  private static final long MINUTE = 60;

  private final Deque<Instant> up = new ArrayDeque<>();
  private final Deque<Instant> down = new ArrayDeque<>();

  /** Whether one more may be switched now; if so it counts. */
  boolean allows(ClusterConfig config, boolean isUp, Instant now) {
    String text = config.setting(isUp ? "ResumeRate" : "SuspendRate").orElse("").strip();
    long rate = text.matches("[0-9]{1,9}") ? Long.parseLong(text) : isUp ? USUAL_UP : USUAL_DOWN;
    if (rate == 0) {
      return true;
    }
    Deque<Instant> past = isUp ? up : down;
    while (!past.isEmpty() && !past.peekFirst().plusSeconds(MINUTE).isAfter(now)) {
      past.removeFirst();
    }
    if (past.size() >= rate) {
      return false;
    }
    past.addLast(now);
    return true;
  }
}
