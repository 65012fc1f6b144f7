package dev.yardmaster.engine.gate;

import dev.yardmaster.model.Reason;

/**
 * A reason as Slurm shows it.
 *
 * @param text the longer sentence that goes with it; empty when the reason's own word says it
 */
public record Why(Reason reason, String text) {
  public Why(Reason reason) {
    this(reason, "");
  }
}
