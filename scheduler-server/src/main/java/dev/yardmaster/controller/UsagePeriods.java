package dev.yardmaster.controller;

import dev.yardmaster.engine.limit.Enforcement;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Ends periods of usage (PriorityCalcPeriod): one when the controller starts, then one after each.
 */
final class UsagePeriods {
  private UsagePeriods() {}

  /** When the period ends; null when usage is not counted, or was never. */
  static @Nullable Instant next(ClusterState state) {
    Instant counted = state.usage().counted();
    return counted == null || !counts(state)
        ? null
        : counted.plusSeconds(state.config().priority().calcPeriodSeconds());
  }

  static void endIfDue(Turn turn) {
    Instant next = next(turn.state());
    boolean first = turn.state().usage().counted() == null && counts(turn.state());
    if (first || next != null && !next.isAfter(turn.now())) {
      turn.emit(new Event.UsagePeriodEnded(turn.now()));
      turn.requestPass();
    }
  }

  /** A controller that reads its files anew counts at once, as after a start. */
  static void endNow(Turn turn) {
    if (counts(turn.state())) {
      turn.emit(new Event.UsagePeriodEnded(turn.now()));
    }
  }

  /** Usage matters to the priority, where accounts are kept. */
  private static boolean counts(ClusterState state) {
    return state.config().priority().multifactor() && Enforcement.of(state.config()).tracked();
  }
}
