package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.PlannedStart;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The planned starts of pending jobs, when every job runs to its limit and nothing else happens.
 *
 * @param starts by job id; jobs that would start at once have the moment itself, jobs without a
 *     start before the horizon are absent
 */
public record Outlook(SortedMap<Integer, PlannedStart> starts) {
  /** How far an outlook goes. */
  public static final Duration HORIZON = Duration.ofDays(7);

  private static final Set<Pass> PLANNING = EnumSet.of(Pass.MAIN, Pass.BACKFILL);

  public Outlook {
    starts = Collections.unmodifiableSortedMap(new TreeMap<>(starts));
  }

  /** The outlook of all pending jobs. */
  public static Outlook of(ClusterState state, Instant now, Duration horizon) {
    return of(new Scheduler(state, now, Scheduler.Purpose.FORECAST, null), now, horizon);
  }

  private static Outlook of(Scheduler scheduler, Instant now, Duration horizon) {
    Step step = scheduler.run(PLANNING, horizon.toSeconds());
    TreeMap<Integer, PlannedStart> starts = scheduler.plannedStarts();
    for (Decision decision : step.decisions()) {
      if (decision instanceof Decision.Start start) {
        starts.put(
            start.jobId(),
            new PlannedStart(now, start.allocation().nodes(), start.partition(), now));
      }
    }
    return new Outlook(starts);
  }
}
