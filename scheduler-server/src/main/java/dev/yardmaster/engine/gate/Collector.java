package dev.yardmaster.engine.gate;

import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import java.util.function.Supplier;

/**
 * Hears what the gates say about one job. The pass uses one that stops at the first failure and
 * never asks for evidence; an explanation uses one that hears all. The checks are the same.
 */
public interface Collector {
  /** The job passes; evidence may be asked for. */
  void pass(Gate gate, Supplier<Evidence> evidence);

  /** The gate does not concern the job. */
  void notApplicable(Gate gate);

  /**
   * The job fails.
   *
   * @param waitingHelps whether time alone can change that
   * @return whether to go on with further gates
   */
  boolean fail(Gate gate, Why why, boolean waitingHelps, Supplier<Evidence> evidence);

  /** Whether {@link #fail} asks to go on, so that a check may look further than it must. */
  boolean all();
}
