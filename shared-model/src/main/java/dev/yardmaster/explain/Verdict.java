package dev.yardmaster.explain;

/** The sum of the findings. */
public enum Verdict {
  /** It can start in the present moment. */
  NOW,
  /** It has a planned start within backfill's window. */
  SOON,
  /** It can start when something changes that is expected to change, but nothing is planned yet. */
  NOT_NOW,
  /** Waiting alone does not help: the request, a rule or the cluster must change. */
  NEVER,
  /** The scheduler has not looked at it yet, or stopped before it. */
  NOT_EVALUATED,
  /** It is running. */
  RUNNING,
  /** It has ended. */
  FINISHED
}
