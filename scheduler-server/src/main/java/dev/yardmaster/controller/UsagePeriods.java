package dev.yardmaster.controller;

import dev.yardmaster.engine.limit.Enforcement;
import dev.yardmaster.engine.share.UsagePeriod;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import java.time.Instant;
import java.time.ZoneId;
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

  static void endIfDue(Turn turn, ZoneId zone) {
    Instant next = next(turn.state());
    boolean first = turn.state().usage().counted() == null && counts(turn.state());
    if (first || next != null && !next.isAfter(turn.now())) {
      turn.emit(new Event.UsagePeriodEnded(turn.now(), resets(turn, zone)));
      Weights.ofRunning(turn);
      turn.requestPass();
    }
  }

  /**
   * A controller that reads its files anew counts at once, as after a start; that is when
   * PriorityUsageResetPeriod=NOW forgets all usage.
   */
  static void endNow(Turn turn, ZoneId zone) {
    if (counts(turn.state())) {
      boolean now = turn.state().config().priority().usageResetPeriod().equals("NOW");
      turn.emit(new Event.UsagePeriodEnded(turn.now(), now || resets(turn, zone)));
      Weights.ofRunning(turn);
    }
  }

  private static boolean resets(Turn turn, ZoneId zone) {
    ClusterState state = turn.state();
    String period = state.config().priority().usageResetPeriod();
    return UsagePeriod.resets(period, state.usage().counted(), turn.now(), zone);
  }

  /** Usage matters to the priority, where accounts are kept. */
  private static boolean counts(ClusterState state) {
    return state.config().priority().multifactor() && Enforcement.of(state.config()).tracked();
  }
}
