package dev.yardmaster.client;

import java.util.List;

/**
 * Which part of a cluster a reader wants.
 *
 * @param jobIds when not empty, only jobs with one of these ids (7, 7_3, 7+1) whatever their state
 */
public record Selection(
    Jobs jobs, boolean nodes, boolean partitions, boolean reservations, List<String> jobIds) {
  /** Everything. */
  public static final Selection ALL = new Selection(Jobs.ALL, true, true, true, List.of());

  /** Nodes and partitions, and the jobs that matter to their state. */
  public static final Selection NODES = new Selection(Jobs.HOLDING, true, true, true, List.of());

  /** Jobs alone. */
  public static Selection of(Jobs jobs) {
    return new Selection(jobs, false, false, false, List.of());
  }

  public Selection {
    jobIds = List.copyOf(jobIds);
  }

  /** The same with nodes. */
  public Selection withNodes() {
    return new Selection(jobs, true, partitions, reservations, jobIds);
  }

  /** The same with partitions. */
  public Selection withPartitions() {
    return new Selection(jobs, nodes, true, reservations, jobIds);
  }

  /** The same with these jobs only. */
  public Selection onlyJobs(List<String> ids) {
    return new Selection(jobs, nodes, partitions, reservations, ids);
  }

  /** Which jobs. */
  public enum Jobs {
    NONE,
    ALL,
    /** Those that hold resources, or have nodes planned for them. */
    HOLDING,
    /** Pending, running, suspended and completing. */
    LIVE
  }
}
