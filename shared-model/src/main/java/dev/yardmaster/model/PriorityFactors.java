package dev.yardmaster.model;

/**
 * What a job's priority is made of, each part already weighted (priority_multifactor). The sum,
 * less {@code nice}, is the priority; it is at least 1 for a job that is not held.
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
    long nice) {
  public static final PriorityFactors ZERO = new PriorityFactors(0, 0, 0, 0, 0, 0, 0, 0, 0);
}
