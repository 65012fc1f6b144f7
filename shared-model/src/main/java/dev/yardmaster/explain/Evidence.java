package dev.yardmaster.explain;

import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The numbers and names behind a finding; never prose. */
public sealed interface Evidence {
  /** Stands for a job that the reader may not see. */
  int HIDDEN = -1;

  /** Nothing to add. */
  record None() implements Evidence {}

  /** Who holds the job. */
  record Held(Hold by) implements Evidence {}

  /** It must wait until an instant. */
  record Until(Instant instant) implements Evidence {}

  /** It runs in a reservation that starts at an instant. */
  record InReservation(String reservation, Instant start) implements Evidence {}

  /**
   * It must leave, or has left, for another job; or it is stopped and goes on when its cores are
   * free.
   *
   * @param by the job that gets its resources; 0 when jobs that share cores take turns, {@link
   *     #HIDDEN} for one that the reader may not see
   * @param at when that was decided
   * @param until of a job that waits, when it may start again; of one that runs, how long it may
   *     save its work
   * @param why by which rule, and who else might have left; null when that is not known
   */
  record Preempted(
      int by, Preemption.Mode mode, Instant at, Instant until, Preemption.@Nullable Why why)
      implements Evidence {
    /** Without grounds. */
    public Preempted(int by, Preemption.Mode mode, Instant at, Instant until) {
      this(by, mode, at, until, null);
    }
  }

  /**
   * One dependency clause that is not met.
   *
   * @param clause as written, for example {@code afterok:12}
   * @param jobIds the jobs it waits for that have not satisfied it
   * @param states their states, in the same order; UNKNOWN when the job is not known
   * @param neverSatisfiable true when it can no longer be met
   */
  record DependsOn(
      String clause, List<Integer> jobIds, List<String> states, boolean neverSatisfiable)
      implements Evidence {
    public DependsOn {
      jobIds = List.copyOf(jobIds);
      states = List.copyOf(states);
    }
  }

  /**
   * Jobs that ended lately and still have nodes; {@link #HIDDEN} stands for one that the reader may
   * not see.
   *
   * @param nodes what they still have
   * @param until when nobody waits for them any more
   */
  record Completing(List<Integer> jobIds, HostList nodes, Instant until) implements Evidence {
    public Completing {
      jobIds = List.copyOf(jobIds);
    }
  }

  /**
   * Nodes that the job has got and that sleep or boot (power saving).
   *
   * @param seconds how long waking a node may take (ResumeTimeout); 0 for without a limit
   */
  record Waking(HostList nodes, long seconds) implements Evidence {}

  /** State of the partition, in Slurm's word. */
  record PartitionIs(String partition, String state) implements Evidence {}

  /** The rule that keeps the job out, for example rule AllowAccounts, allowed "a,b", asked "c". */
  record NotAllowed(String partition, String rule, String allowed, String asked)
      implements Evidence {}

  /**
   * A counted limit.
   *
   * @param level where it is set: {@code partition train}, {@code qos normal}, {@code account nlp},
   *     {@code array 12} … as (kind, name)
   * @param limit Slurm's name of the limit: MaxTime, MaxNodes, GrpTRES …
   * @param unit TRES name, {@code minutes}, {@code nodes}, {@code jobs}, {@code tasks}
   * @param allowed the limit; used what others hold; asked what this job wants
   */
  record Limit(
      String levelKind,
      String levelName,
      String limit,
      String unit,
      long allowed,
      long used,
      long asked)
      implements Evidence {
    /** How much too much it is; 0 when it fits. */
    public long missing() {
      return Math.max(0, used + asked - allowed);
    }
  }

  /**
   * One step of the node funnel.
   *
   * @param before nodes that reached this step; {@code remaining} those that passed it
   * @param needed how many nodes the job needs
   * @param falls the nodes that fell here, grouped by cause
   */
  record Nodes(int before, int remaining, int needed, List<Fall> falls) implements Evidence {
    public Nodes {
      falls = List.copyOf(falls);
    }
  }

  /**
   * Nodes that fell at a step for the same cause.
   *
   * @param detail a value that belongs to the cause, in Slurm's notation: a feature, a GRES such as
   *     gpu:h100, a node state, a reservation's name, ids of jobs with spaces between; empty when
   *     the cause says it all
   * @param until when this is expected to change; null when unknown or never
   * @param most of nodes that are too small, what the largest of them has of what it lacks: CPUs,
   *     MiB or devices; 0 when that is not told
   */
  record Fall(Cause cause, String detail, HostList nodes, @Nullable Instant until, long most) {
    /** Nodes of which no size is told. */
    public Fall(Cause cause, String detail, HostList nodes, @Nullable Instant until) {
      this(cause, detail, nodes, until, 0);
    }
  }

  /** Why nodes fell. */
  enum Cause {
    NOT_REQUESTED,
    EXCLUDED,
    EXTERNAL,
    UNKNOWN_NODE,
    LACKS_FEATURE,
    TOO_FEW_CPUS,
    TOO_LITTLE_MEMORY,
    TOO_LITTLE_DISK,
    LACKS_GRES,
    WRONG_GRES_TYPE,
    TOO_FEW_GRES,
    DOWN,
    DRAINED,
    NOT_RESPONDING,
    RESERVED,
    CPUS_BUSY,
    MEMORY_BUSY,
    GRES_BUSY,
    NOT_WHOLE,
    PLANNED_FOR_OTHER,
    EXCLUSIVE_OTHER
  }

  /**
   * Jobs ahead that wait for resources and that this job must not delay, first ahead first; {@link
   * #HIDDEN} stands for one that the reader may not see.
   */
  record Ahead(List<Integer> jobIds, int rank, int total) implements Evidence {
    public Ahead {
      jobIds = List.copyOf(jobIds);
    }
  }

  /**
   * The remaining nodes do not lie together as asked.
   *
   * @param rule contiguous, switches, segment, count
   */
  record NotTogether(String rule, int needed, int best) implements Evidence {}

  /** The nodes that were chosen among those that remained, and the rule by which. */
  record Placed(Rule rule, HostList nodes) implements Evidence {
    /** How nodes are chosen where there is a choice. */
    public enum Rule {
      /** No choice: the job named all of them, or no more remained. */
      ONLY,
      /** A job that runs on one node: the first with room, of the lowest weight (Weight). */
      FIRST,
      /** The tightest run of neighbouring nodes, of the lowest weight (Weight). */
      RUN,
      /** The least loaded first (CR_LLN, LLN=YES). */
      LOAD,
      /** Below the lowest switch with room (topology/tree). */
      TREE,
      /** In the smallest unit of blocks with room (topology/block). */
      BLOCKS,
      /** Neighbours in the ring with least room around them (topology/ring). */
      RING,
      /** A box of the torus that leaves the larger boxes whole (topology/torus3d). */
      TORUS
    }
  }
}
