package dev.yardmaster.explain;

import dev.yardmaster.model.PriorityFactors;

/**
 * Where a job stands in the order of its partition.
 *
 * @param rank 1 for the first; 0 when it is not in the order (held, ineligible, running)
 * @param total jobs in the order
 */
public record PriorityStanding(long priority, PriorityFactors factors, int rank, int total) {}
