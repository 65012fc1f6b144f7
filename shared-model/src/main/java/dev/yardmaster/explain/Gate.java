package dev.yardmaster.explain;

/**
 * One rule that a pending job must pass, in the order the scheduler applies them (declaration
 * order).
 */
public enum Gate {
  /** Not held by its owner or an operator. */
  HOLD(Kind.JOB),
  /** Its begin time has come. */
  BEGIN_TIME(Kind.JOB),
  /** What it depends on has happened. */
  DEPENDENCY(Kind.JOB),
  /** Fewer tasks of its array run than its throttle allows. */
  ARRAY_THROTTLE(Kind.JOB),
  /** It can still end before its deadline. */
  DEADLINE(Kind.JOB),
  /** No job that ended lately still has nodes (CompleteWait). */
  COMPLETE_WAIT(Kind.POLICY),
  /** The partition starts jobs (State=UP or DRAIN). */
  PARTITION_STATE(Kind.POLICY),
  /** The partition lets this account, group, QOS or user in. */
  PARTITION_ACCESS(Kind.POLICY),
  /** The partition's MinNodes and MaxNodes allow the node count. */
  PARTITION_NODES(Kind.POLICY),
  /** The partition's MaxTime allows the time limit. */
  PARTITION_TIME(Kind.POLICY),
  /** Limits of the association and its parents. */
  ASSOCIATION_LIMIT(Kind.POLICY),
  /** Limits of the QOS of the job and of the partition. */
  QOS_LIMIT(Kind.POLICY),
  /** The licences it needs are free. */
  LICENSES(Kind.POLICY),
  /** The reservation it names exists, is active, and lets it in. */
  RESERVATION(Kind.POLICY),
  /** Funnel: nodes of the partition. */
  NODES_IN_PARTITION(Kind.NODES),
  /** Funnel: nodes it names ({@code -w}) and does not exclude ({@code -x}). */
  NODES_NAMED(Kind.NODES),
  /** Funnel: nodes whose features satisfy {@code -C}. */
  NODES_FEATURES(Kind.NODES),
  /**
   * Funnel: nodes whose hardware could hold its share when empty (CPUs, memory, temporary disk).
   */
  NODES_CAPACITY(Kind.NODES),
  /** Funnel: nodes that have the GRES it asks for, by name, type and count. */
  NODES_GRES(Kind.NODES),
  /** Funnel: nodes that are up, responding and not drained. */
  NODES_UP(Kind.NODES),
  /** Funnel: nodes that no reservation keeps from it for its whole duration. */
  NODES_UNRESERVED(Kind.NODES),
  /** Funnel: nodes with enough free CPUs now. */
  NODES_FREE_CPUS(Kind.NODES),
  /** Funnel: nodes with enough free memory now. */
  NODES_FREE_MEMORY(Kind.NODES),
  /** Funnel: nodes with enough free GRES now. */
  NODES_FREE_GRES(Kind.NODES),
  /** Funnel: nodes not planned for a job ahead of it within its duration. */
  NODES_UNPLANNED(Kind.NODES),
  /**
   * The remaining nodes are enough and lie well enough together (count, contiguous, switches,
   * blocks).
   */
  TOPOLOGY(Kind.NODES),
  /** All components of its heterogeneous job can start with it. */
  COMPONENTS(Kind.ORDER),
  /** No job ahead of it in its partition waits for resources, or backfill lets it past. */
  PRIORITY(Kind.ORDER);

  /** What a gate looks at. */
  public enum Kind {
    /** The job alone. */
    JOB,
    /** Rules of the site. */
    POLICY,
    /** Which nodes remain: one step of the funnel. */
    NODES,
    /** The jobs ahead. */
    ORDER
  }

  private final Kind kind;

  Gate(Kind kind) {
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
