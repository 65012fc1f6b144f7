package dev.yardmaster.model;

/**
 * What a step has used, on one node or on all.
 *
 * @param restarts the run of the job that it belongs to
 * @param stepId that of a batch script is {@link StepRecord#BATCH}
 */
public record UsedStep(int jobId, int restarts, int stepId, StepUsage usage) {}
