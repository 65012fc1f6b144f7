package dev.yardmaster.model;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The accounting with its usage at one moment.
 *
 * @param cluster ClusterName
 * @param usage by association
 * @param qosUsage by QOS
 * @param normShares share of the shares of its level, by association
 * @param runMinutes amounts times minutes that running jobs may still take, by association and TRES
 */
public record AccountingReport(
    String cluster,
    Accounting accounting,
    SortedMap<Integer, AssociationUsage> usage,
    SortedMap<String, QosUsage> qosUsage,
    SortedMap<Integer, Double> normShares,
    SortedMap<Integer, SortedMap<String, Long>> runMinutes) {
  public AccountingReport {
    usage = Immutable.sortedMap(usage);
    qosUsage = Immutable.sortedMap(qosUsage);
    normShares = Immutable.sortedMap(normShares);
    TreeMap<Integer, SortedMap<String, Long>> copy = new TreeMap<>();
    runMinutes.forEach((id, amounts) -> copy.put(id, Immutable.sortedMap(amounts)));
    runMinutes = Immutable.sortedMap(copy);
  }

  /** What an association has used. */
  public AssociationUsage usageOf(Association association) {
    return usage.getOrDefault(association.id(), AssociationUsage.NONE);
  }
}
