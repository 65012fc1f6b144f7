package dev.yardmaster.model;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * That a job was made to leave for another one.
 *
 * @param by the job that gets its resources
 * @param at when it was decided
 * @param until how long it may save its work (GraceTime); {@code at} for not at all
 * @param mode what becomes of it
 * @param why by which rule, and who else might have left; null while that was not noted
 * @param claims which jobs asked for what it holds since then, and when each did last
 */
public record Preemption(
    int by,
    Instant at,
    Instant until,
    Mode mode,
    @Nullable Why why,
    SortedMap<Integer, Instant> claims) {
  private static final long LOOKED_AT_SECONDS = 30;

  public Preemption {
    claims = Collections.unmodifiableSortedMap(new TreeMap<>(claims));
  }

  public Preemption(int by, Instant at, Instant until, Mode mode, @Nullable Why why) {
    this(by, at, until, mode, why, new TreeMap<>());
  }

  /** The same when a job asks, or asks again, for what it holds. */
  public Preemption claimedBy(int job, Instant now) {
    TreeMap<Integer, Instant> all = new TreeMap<>(claims);
    all.put(job, now);
    return new Preemption(by, at, until, mode, why, all);
  }

  /**
   * When it leaves at the latest. Once it has saved its work it leaves as soon as a job asks for
   * what it holds; whether its time is over is looked at every 30 seconds besides.
   */
  public Instant latest() {
    return until.isAfter(at) ? until.plusSeconds(LOOKED_AT_SECONDS) : until;
  }

  /**
   * When a controller looks whether its time is over.
   *
   * @param boot since when the controller runs
   */
  public Instant lookedAt(Instant boot) {
    long since = until.getEpochSecond() - boot.getEpochSecond();
    long looks = Math.floorDiv(since + LOOKED_AT_SECONDS - 1, LOOKED_AT_SECONDS);
    return until.isAfter(at) ? boot.plusSeconds(looks * LOOKED_AT_SECONDS) : until;
  }

  /** slurm.conf(5), PreemptMode. */
  public enum Mode {
    /** It ends as PREEMPTED. */
    CANCEL,
    /** It goes back to the queue, or ends where it may not. */
    REQUEUE,
    /** It stops, keeps its memory and devices, and goes on when its cores are free again. */
    SUSPEND
  }

  /** What lets one job preempt another. */
  public enum Rule {
    /** Its QOS names the other's (sacctmgr(1), Preempt). */
    QOS,
    /** Both have the same QOS, and it has the higher priority (PreemptMode=WITHIN). */
    WITHIN_QOS,
    /** Its partition has the higher PriorityTier (PreemptType=preempt/partition_prio). */
    PARTITION,
    /**
     * It belongs to a reservation whose nodes the other one had until they are wanted
     * (MaxStartDelay and {@code --signal=R:}).
     */
    RESERVATION
  }

  /**
   * The grounds of a preemption, as they were when it was decided.
   *
   * @param winner the QOS, partition or reservation of the job that gets the resources
   * @param loser that of the job that leaves
   * @param youngestFirst whether those that started last leave first, whatever their rank
   * @param together how many were told to leave at once
   * @param others how many more might have been told to leave
   * @param spared some of those others, the first that would have been next
   * @param otherwise when the other job was planned to start without this; null for no plan
   */
  public record Why(
      Rule rule,
      String winner,
      String loser,
      boolean youngestFirst,
      int together,
      int others,
      List<Integer> spared,
      @Nullable Instant otherwise) {
    public Why {
      spared = List.copyOf(spared);
    }
  }
}
