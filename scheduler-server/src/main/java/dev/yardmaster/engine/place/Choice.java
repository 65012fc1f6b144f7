package dev.yardmaster.engine.place;

/**
 * Nodes chosen for a job.
 *
 * @param order the nodes in the order in which they were taken, which is the order in which tasks
 *     fill them
 * @param nodes the same nodes as a set
 */
public record Choice(int[] order, long[] nodes) {}
