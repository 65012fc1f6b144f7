package dev.yardmaster.model;

import java.util.SortedMap;

/**
 * What a job's priority is made of, each part already weighted (priority_multifactor). The sum,
 * less {@code nice}, is the priority; it is at least 1 for a job that is not held.
 *
 * @param tres the sum of {@code tresByName}, what each TRES that has a weight adds
 */
public record PriorityFactors(
    double age,
    double assoc,
    double fairShare,
    double jobSize,
    double partition,
    double qos,
    double tres,
    double site,
    long nice,
    SortedMap<String, Double> tresByName) {
  private static final SortedMap<String, Double> NO_TRES = Immutable.sortedMap();
  public static final PriorityFactors ZERO =
      new PriorityFactors(0, 0, 0, 0, 0, 0, 0, 0, 0, NO_TRES);

  public PriorityFactors {
    tresByName = tresByName.isEmpty() ? NO_TRES : Immutable.sortedMap(tresByName);
  }

  /** The same with another part of the partition. */
  public PriorityFactors withPartition(double value) {
    return new PriorityFactors(
        age, assoc, fairShare, jobSize, value, qos, tres, site, nice, tresByName);
  }

  /** The same with another nice value. */
  public PriorityFactors withNice(long value) {
    return new PriorityFactors(
        age, assoc, fairShare, jobSize, partition, qos, tres, site, value, tresByName);
  }
}
