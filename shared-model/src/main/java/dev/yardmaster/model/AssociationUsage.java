package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.SortedMap;

/**
 * What an association has used, decayed over time, and how it stands in fair share
 * (priority_multifactor, fair_tree). Usage of an account includes that of all below it.
 *
 * @param raw billing times seconds
 * @param wallSeconds elapsed time of its jobs
 * @param tres amount times seconds by TRES; memory in MiB
 * @param normUsage its share of all usage, at the last calculation; likewise the rest
 * @param effectiveUsage its share of its siblings' usage (fair tree), or what classic fair share
 *     makes of it
 * @param levelFs shares over usage among its siblings; infinite without usage
 * @param fairShare the factor of a user, between 0 and 1
 */
@RecordBuilder
public record AssociationUsage(
    double raw,
    double wallSeconds,
    SortedMap<String, Double> tres,
    double normUsage,
    double effectiveUsage,
    double levelFs,
    double fairShare)
    implements AssociationUsageBuilder.With {
  /** Nothing used, nothing calculated. */
  public static final AssociationUsage NONE =
      new AssociationUsage(0, 0, Immutable.sortedMap(), 0, 0, 0, 0);

  public AssociationUsage {
    tres = Immutable.sortedMap(tres);
  }
}
