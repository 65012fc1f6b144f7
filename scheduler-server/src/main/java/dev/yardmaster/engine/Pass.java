package dev.yardmaster.engine;

/** One part of a step, in the order in which a step does them. */
public enum Pass {
  /** What time causes: limits reached, deadlines missed, begin times, dependencies, priorities. */
  HOUSEKEEPING,
  /** Jobs in order of priority; the first that lacks nodes closes its partition. */
  MAIN,
  /**
   * The main pass looks at all of the queue, as at each sched_interval, and not only at its first
   * jobs (default_queue_depth).
   */
  WHOLE_QUEUE,
  /** Plan of the future; jobs start that delay nobody planned before them. */
  BACKFILL
}
