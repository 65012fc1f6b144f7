package dev.yardmaster.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a node's daemon has measured of its machine, and when the node last had something to do. It
 * is no part of the state that a controller keeps: after its start it is unknown until nodes
 * report.
 *
 * @param cpuLoadPercent the load of the last five minutes in hundredths; 0 where nothing is known,
 *     as in Slurm
 * @param freeMib memory that nothing uses, in MiB; below 0 where nothing is known
 * @param system name, release and version of the kernel; empty where nothing is known
 * @param daemonStarted when the node's daemon began
 * @param lastBusy when the node last had something to do, or came into service
 */
public record NodeMeasure(
    int cpuLoadPercent,
    long freeMib,
    String system,
    @Nullable Instant daemonStarted,
    @Nullable Instant lastBusy) {
  /** Of a node that has not reported. */
  public static final NodeMeasure NONE = new NodeMeasure(0, -1, "", null, null);

  /** The same of a node that is gone: what it did last is no load any more. */
  public NodeMeasure withoutLoad() {
    return new NodeMeasure(0, freeMib, system, daemonStarted, lastBusy);
  }

  public NodeMeasure withLastBusy(@Nullable Instant at) {
    return new NodeMeasure(cpuLoadPercent, freeMib, system, daemonStarted, at);
  }
}
