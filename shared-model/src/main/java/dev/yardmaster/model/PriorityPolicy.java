package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * How priorities are computed (slurm.conf(5), Priority*). Times are seconds.
 *
 * @param multifactor priority/multifactor; otherwise priority/basic, first come first served
 * @param flags PriorityFlags, upper case
 * @param weightTres PriorityWeightTRES by TRES name
 * @param fairShareDampening FairShareDampeningFactor, at least 1
 */
@RecordBuilder
public record PriorityPolicy(
    boolean multifactor,
    long decayHalfLifeSeconds,
    long calcPeriodSeconds,
    long maxAgeSeconds,
    boolean favorSmall,
    long weightAge,
    long weightAssoc,
    long weightFairShare,
    long weightJobSize,
    long weightPartition,
    long weightQos,
    SortedMap<String, Long> weightTres,
    Set<String> flags,
    String usageResetPeriod,
    int fairShareDampening)
    implements PriorityPolicyBuilder.With {
  public PriorityPolicy {
    flags = Collections.unmodifiableSet(new TreeSet<>(flags));
  }

  /** Whether one of PriorityFlags is set; NO_NORMAL_ALL stands for all that begin so. */
  public boolean has(String flag) {
    return flags.contains(flag) || flag.startsWith("NO_NORMAL_") && flags.contains("NO_NORMAL_ALL");
  }

  /** Slurm's defaults. */
  public static PriorityPolicy defaults() {
    return new PriorityPolicy(
        true,
        7L * 86_400,
        300,
        7L * 86_400,
        false,
        0,
        0,
        0,
        0,
        0,
        0,
        Immutable.sortedMap(),
        Set.of(),
        "NONE",
        1);
  }
}
