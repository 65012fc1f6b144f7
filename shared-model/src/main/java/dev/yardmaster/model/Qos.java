package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A quality of service (sacctmgr(1), qos.html).
 *
 * @param flags by Slurm's name: DenyOnLimit, OverPartQOS, PartitionMaxNodes …
 * @param preempt names of the QOS whose jobs it may preempt
 * @param preemptMode cancel, requeue, suspend, gang, within …, lower case; {@code cluster} when the
 *     cluster's PreemptMode counts
 * @param preemptExemptSeconds how long its jobs run before they can be preempted; null when the
 *     cluster's PreemptExemptTime counts
 * @param graceSeconds what a preempted job of it gets to save its work
 * @param usageFactor what usage counts under it
 * @param usageThreshold the least fair-share factor at which a job may run; null for none
 * @param limitFactor what limits of associations are multiplied with; null for 1
 */
@RecordBuilder
public record Qos(
    int id,
    String name,
    String description,
    long priority,
    Set<String> flags,
    List<String> preempt,
    String preemptMode,
    @Nullable Long preemptExemptSeconds,
    long graceSeconds,
    double usageFactor,
    @Nullable Double usageThreshold,
    @Nullable Double limitFactor,
    Limits limits)
    implements QosBuilder.With {
  /** The QOS that every cluster begins with. */
  public static final String NORMAL = "normal";

  public Qos {
    flags = Collections.unmodifiableSet(new TreeSet<>(flags));
    preempt = List.copyOf(preempt);
  }

  /** A QOS with Slurm's defaults. */
  public static Qos of(int id, String name) {
    return new Qos(
        id, name, name, 0, Set.of(), List.of(), "cluster", null, 0, 1.0, null, null, Limits.NONE);
  }

  /** Whether it has a flag, by Slurm's name. */
  public boolean has(String flag) {
    return flags.contains(flag);
  }
}
