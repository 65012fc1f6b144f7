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
 * @param cancelled the tasks that were cancelled while they waited with others: they have no record
 */
public record ArrayInfo(
    int arrayJobId, @Nullable Integer taskId, IndexSet waiting, int throttle, IndexSet cancelled) {
  /** One of whose waiting tasks none was cancelled. */
  public ArrayInfo(int arrayJobId, @Nullable Integer taskId, IndexSet waiting, int throttle) {
    this(arrayJobId, taskId, waiting, throttle, IndexSet.EMPTY);
  }

  /** The same with another throttle. */
  public ArrayInfo withThrottle(int most) {
    return new ArrayInfo(arrayJobId, taskId, waiting, most, cancelled);
  }

  /** Without some waiting tasks, which are cancelled while others go on waiting. */
  public ArrayInfo cancelled(IndexSet tasks) {
    return new ArrayInfo(
        arrayJobId, taskId, waiting.andNot(tasks), throttle, cancelled.or(waiting.and(tasks)));
  }
}
