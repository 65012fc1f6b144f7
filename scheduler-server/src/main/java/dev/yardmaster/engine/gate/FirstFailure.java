package dev.yardmaster.engine.gate;

import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.Reason;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stops at the first failure; one object serves a whole pass. */
public final class FirstFailure implements Collector {
  private @Nullable Gate gate;
  private Why why = new Why(Reason.NONE);
  private boolean waitingHelps;

  /** Forgets what it heard, for the next job. */
  public void reset() {
    gate = null;
  }

  /** The gate that failed, or null. */
  public @Nullable Gate gate() {
    return gate;
  }

  /** Whether time alone can change what was last said of a failure. */
  public boolean waitingHelps() {
    return waitingHelps;
  }

  public Why why() {
    return why;
  }

  @Override
  public void pass(Gate passed, Supplier<Evidence> evidence) {}

  @Override
  public void notApplicable(Gate skipped) {}

  @Override
  public boolean fail(Gate failed, Why reason, boolean waiting, Supplier<Evidence> evidence) {
    gate = failed;
    why = reason;
    waitingHelps = waiting;
    return false;
  }

  @Override
  public boolean all() {
    return false;
  }
}
