package dev.yardmaster.sim;

import dev.yardmaster.engine.plan.Outlook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.PlannedStart;
import java.time.Duration;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;

/** The planned starts of all pending jobs, from the engine, without a cut-off. */
public final class Forecaster {
  /** How far a forecast looks unless told otherwise. */
  public static final Duration HORIZON = Outlook.HORIZON;

  private Forecaster() {}

  /**
   * When and where each pending job starts if every job runs to its limit and nothing else is
   * submitted. Jobs that would start at once have {@code now} as their start; jobs without a start
   * before the horizon are absent.
   */
  public static SortedMap<Integer, PlannedStart> forecast(
      ClusterState state, Instant now, Duration horizon) {
    TreeMap<Integer, PlannedStart> starts = new TreeMap<>();
    Outlook.of(state, now, horizon).starts().forEach((id, spot) -> starts.put(id, spot.named()));
    return starts;
  }
}
