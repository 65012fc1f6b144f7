package dev.yardmaster.explain;

/** What a gate said. */
public enum Outcome {
  PASS,
  /** This gate keeps the job from starting now. */
  FAIL,
  /** The gate does not concern this job. */
  NOT_APPLICABLE,
  /** An earlier gate left nothing for this one to look at. */
  NOT_REACHED
}
