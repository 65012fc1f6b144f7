package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * How jobs are picked and placed (slurm.conf(5): SchedulerType, SchedulerParameters, SelectType,
 * SelectTypeParameters). Limits of 0 mean "no limit", as Slurm.
 *
 * @param backfill sched/backfill; otherwise sched/builtin
 * @param linear select/linear; otherwise select/cons_tres
 * @param countsCores CR_Core…: whole cores are allocated; CR_CPU allocates single threads
 * @param countsMemory …_Memory
 * @param bfWindowMinutes how far backfill looks
 * @param bfResolutionSeconds grid of its plan
 * @param bfIntervalSeconds between its passes
 * @param bfMaxJobTest jobs it looks at per pass
 * @param bfMaxJobStart jobs it may start per pass
 * @param bfMaxJobUser jobs of one user it looks at per pass; alike for partition, association, and
 *     per-user-per-partition
 * @param defaultQueueDepth jobs the main pass looks at
 * @param schedIntervalSeconds between main passes
 * @param parameters all SchedulerParameters as written, lower case names
 * @param selectParameters all SelectTypeParameters, upper case
 */
@RecordBuilder
public record SchedulingPolicy(
    boolean backfill,
    boolean linear,
    boolean countsCores,
    boolean countsMemory,
    boolean packsLeastLoaded,
    int bfWindowMinutes,
    int bfResolutionSeconds,
    int bfIntervalSeconds,
    int bfMaxJobTest,
    int bfMaxJobStart,
    int bfMaxJobUser,
    int bfMaxJobPart,
    int bfMaxJobAssoc,
    int bfMaxJobUserPart,
    boolean bfContinue,
    int defaultQueueDepth,
    int schedIntervalSeconds,
    SortedMap<String, String> parameters,
    Set<String> selectParameters)
    implements SchedulingPolicyBuilder.With {
  public SchedulingPolicy {
    selectParameters = Collections.unmodifiableSet(new TreeSet<>(selectParameters));
  }

  /** CR_Pack_Nodes: tasks fill few nodes rather than use many, unless a job or step says more. */
  public boolean packsNodes() {
    return selectParameters.contains("CR_PACK_NODES");
  }

  /** Slurm's defaults: backfill over cons_tres with CR_Core_Memory (the default since 26.11). */
  public static SchedulingPolicy defaults() {
    return new SchedulingPolicy(
        true,
        false,
        true,
        true,
        false,
        1440,
        60,
        30,
        500,
        0,
        0,
        0,
        0,
        0,
        false,
        100,
        60,
        Immutable.sortedMap(),
        Set.of());
  }
}
