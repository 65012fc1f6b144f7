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
 */
public record Choice(int[] order, long[] nodes, Rule rule, boolean shares) {}
