package dev.yardmaster.controller;

import dev.yardmaster.journal.Journal;
import dev.yardmaster.model.ClusterConfig;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.function.Supplier;

/**
 * What a controller is made of.
 *
 * @param journal owned by the controller from now on
 * @param configs reads the configuration; throws with a message that names file and line when it is
 *     not right
 * @param clock the time everything happens at, cut to whole seconds
 * @param zone the cluster's zone, for times of day
 */
public record ControllerParts(
    Journal journal,
    Scheduler scheduler,
    AdmissionCheck admission,
    NodeLinks links,
    Supplier<ClusterConfig> configs,
    InstantSource clock,
    ZoneId zone,
    Tuning tuning) {

  /**
   * How the controller works, other than what slurm.conf says.
   *
   * @param snapshotEvery events between snapshots, which bounds the time of recovery; up to three
   *     times as many where there is no quiet moment to make one
   * @param stuckAfter a pass that runs longer is given up and reported
   * @param usedJobId the highest id that the accounting knows of a job; higher ones are given out
   */
  public record Tuning(int snapshotEvery, Duration stuckAfter, int usedJobId) {
    public static final Tuning DEFAULT = new Tuning(20_000, Duration.ofMinutes(5), 0);

    /** The same, giving out ids above one. */
    public Tuning above(int id) {
      return new Tuning(snapshotEvery, stuckAfter, id);
    }
  }
}
