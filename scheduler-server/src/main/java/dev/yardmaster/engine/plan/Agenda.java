package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.model.Job;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan of the future: who gets what, and when. Times are seconds since the epoch. */
interface Agenda {
  /** The last moment at which a planned start still counts. */
  long horizon();

  /** Jobs were started: what was known of nodes is void. */
  void jobStarted();

  /** The end of a run on the grid of bf_resolution. */
  long roundedEnd(long start, long minutes);

  /** The last moment of the grid that is not after a time. */
  long onGrid(long time);

  /**
   * The earliest place for a job.
   *
   * @return null when there is none before the horizon
   */
  Plan.@Nullable Slot earliest(Job job, Shape shape, long minutes);

  /**
   * The earliest place for a job that may preempt others: as Slurm's, it is where and when those
   * that it may not preempt let it start.
   *
   * @param otherwise the earliest place without that
   */
  Plan.@Nullable Slot earliestWithout(
      SlotSearch.Gone gone, Job job, Shape shape, long minutes, Plan.@Nullable Slot otherwise);

  /** The earliest place for a job that is not before a time; null when there is none. */
  Plan.@Nullable Slot earliest(Job job, Shape shape, long minutes, long from);

  /** The search for places in Slurm's steps; null where they are found otherwise. */
  default @Nullable SlotSearch steps() {
    return null;
  }

  /** Whether no more may be planned (bf_node_space_size); only a plan in Slurm's steps is so. */
  boolean isFull();

  /** Keeps a place for a job's duration. */
  void reserve(Plan.Slot slot, long minutes, Job job, Shape shape);

  /** Nodes that a job cannot have for what is planned within a duration from now. */
  long[] plannedWithin(Job job, Shape shape, long minutes);

  /** The jobs for which a node is planned within a duration from now, the first in time first. */
  List<Integer> plannedFor(int node, long minutes);

  /** What a job that starts now finds taken on nodes that have room for it. */
  Usage taken(Job job, long[] nodes, long minutes);

  /**
   * How long from now the nodes stay free of plans, on the grid, and of reservations against the
   * job, to the second.
   */
  long freeUntil(Job job, long[] nodes, long latest);
}
