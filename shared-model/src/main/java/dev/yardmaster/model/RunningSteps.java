package dev.yardmaster.model;

import java.util.List;

/**
 * The steps that run, and what was measured of them.
 *
 * @param used batch scripts among them; not of all
 */
public record RunningSteps(List<JobStep> steps, List<UsedStep> used) {
  public RunningSteps {
    steps = List.copyOf(steps);
    used = List.copyOf(used);
  }
}
