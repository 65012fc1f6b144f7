package dev.yardmaster.engine;

import java.util.List;

/** The outcome of a step: what to do, in this order, and figures about how it was found. */
public record Step(List<Decision> decisions, PassTrace figures) {
  public Step {
    decisions = List.copyOf(decisions);
  }
}
