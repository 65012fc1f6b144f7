package dev.yardmaster.model;

import org.jspecify.annotations.Nullable;

/**
 * What makes a job part of an array.
 *
 * <p>As in Slurm a whole array is one record until tasks start: the record whose {@code taskId} is
 * null stands for all tasks in {@code waiting}. A task that starts (or is changed by itself)
 * becomes a record of its own.
 *
 * @param arrayJobId the job id of the array ({@code SLURM_ARRAY_JOB_ID})
 * @param taskId the task this record is; null for the record that stands for the waiting tasks
 * @param waiting the tasks this record stands for; empty when {@code taskId} is set
 * @param throttle at most this many tasks at a time; 0 for no limit
 */
public record ArrayInfo(int arrayJobId, @Nullable Integer taskId, IndexSet waiting, int throttle) {}
