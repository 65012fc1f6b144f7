package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.SortedMap;

/**
 * What the jobs of a QOS have used, decayed over time unless it has NoDecay.
 *
 * @param raw billing times seconds
 * @param wallSeconds elapsed time of its jobs
 * @param tres amount times seconds by TRES; memory in MiB
 */
@RecordBuilder
public record QosUsage(double raw, double wallSeconds, SortedMap<String, Double> tres)
    implements QosUsageBuilder.With {
  /** Nothing used. */
  public static final QosUsage NONE = new QosUsage(0, 0, Immutable.sortedMap());

  public QosUsage {
    tres = Immutable.sortedMap(tres);
  }
}
