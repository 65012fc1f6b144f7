package dev.yardmaster.engine.place;

import dev.yardmaster.explain.Evidence.Placed.Rule;

/**
 * Nodes chosen for a job.
 *
 * @param order the nodes in the order in which they were taken, which is the order in which tasks
 *     fill them
 * @param nodes the same nodes as a set
 * @param rule how they were chosen
 * @param shares whether cores are shared with others, where that is allowed
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
    boolean shares,
    boolean strict,
    boolean startable,
    int gpus) {
  Choice(int[] order, long[] nodes, Rule rule) {
    this(order, nodes, rule, false, false, true, 0);
  }

  Choice sharing() {
    return new Choice(order, nodes, rule, true, strict, startable, gpus);
  }

  Choice strictly() {
    return new Choice(order, nodes, rule, shares, true, startable, gpus);
  }

  Choice plannedOnly() {
    return new Choice(order, nodes, rule, shares, strict, false, gpus);
  }

  Choice withCpusOf(int number) {
    return new Choice(order, nodes, rule, shares, strict, startable, number);
  }
}
