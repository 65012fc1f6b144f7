package dev.yardmaster.engine;

import dev.yardmaster.engine.plan.Scheduler;
import dev.yardmaster.engine.state.ClusterState;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;

/**
 * The scheduler as a function. Equal arguments give equal results, on any machine and at any time:
 * the same function schedules a live cluster, previews a change on a fork, and replays the past.
 */
public final class Engine {
  private Engine() {}

  /** Runs one pass. */
  public static Step step(ClusterState state, Instant now, Pass pass) {
    return step(state, now, EnumSet.of(pass));
  }

  /** Runs several passes of one step in their order, each seeing what the one before started. */
  public static Step step(ClusterState state, Instant now, Set<Pass> passes) {
    return new Scheduler(state, now, Scheduler.Purpose.DECIDE, null).run(passes, 0);
  }

  /** As {@link #step}, and the trace names the gate at which every job tested stopped. */
  public static Step trace(ClusterState state, Instant now, Set<Pass> passes) {
    return new Scheduler(state, now, Scheduler.Purpose.TRACE, null).run(passes, 0);
  }
}
