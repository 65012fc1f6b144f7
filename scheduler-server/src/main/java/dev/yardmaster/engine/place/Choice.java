package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Placed.Rule;

/**
 * Nodes chosen for a job.
 *
 * @param order the nodes in the order in which they were taken, which is the order in which tasks
 *     fill them
 * @param nodes the same nodes as a set
 * @param rule how they were chosen
 * @param sharing so many jobs at most have one of its cores; 0 where its cores are its own
 * @param strict whether each device has its part of the CPUs, near to it, which is tried first
 * @param startable false when Slurm plans the job on these nodes and never starts it there: see
 *     {@link CountedFeatures}
 * @param gpus how many of its GPUs come with CPUs of their own; 0 for all: see {@link
 *     Selection#first}
 */
public record Choice(
    int[] order,
    long[] nodes,
    Rule rule,
    int sharing,
    boolean strict,
    boolean startable,
    int gpus) {
  Choice(int[] order, long[] nodes, Rule rule) {
    this(order, nodes, rule, 0, false, true, 0);
  }

  /** Whether cores are shared with others, where that is allowed. */
  public boolean shares() {
    return sharing > 0;
  }

  Choice sharing(int most) {
    return new Choice(order, nodes, rule, most, strict, startable, gpus);
  }

  Choice strictly() {
    return new Choice(order, nodes, rule, sharing, true, startable, gpus);
  }

  Choice plannedOnly() {
    return new Choice(order, nodes, rule, sharing, strict, false, gpus);
  }

  Choice withCpusOf(int number) {
    return new Choice(order, nodes, rule, sharing, strict, startable, number);
  }
}
