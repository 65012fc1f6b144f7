package dev.yardmaster.controller;

import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.Step;
import dev.yardmaster.engine.state.ClusterState;
import java.time.Instant;
import java.util.Set;

/**
 * The engine as the controller sees it ({@link dev.yardmaster.engine.Engine#step}): pure, and
 * called on a state that does not change.
 */
@FunctionalInterface
public interface Scheduler {
  /** What to start, to end, and to say about jobs that wait. */
  Step step(ClusterState state, Instant now, Set<Pass> passes);
}
