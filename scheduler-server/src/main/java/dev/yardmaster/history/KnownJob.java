package dev.yardmaster.history;

import org.jspecify.annotations.Nullable;

/**
 * A job of the past or present, by what never changes of it.
 *
 * @param arrayJobId 0 for a job that is not of an array
 * @param taskId -1 for a job that is no single task
 * @param hetJobId 0 for a job that is no component
 * @param hetOffset -1 for a job that is no component
 * @param uid who owns it
 * @param first the number of the event that made it
 * @param parent the record of the array that it was part of before; 0 for none
 * @param forgotten the number of the event by which the controller forgot it; null while it knows
 *     it
 */
public record KnownJob(
    int jobId,
    int arrayJobId,
    int taskId,
    int hetJobId,
    int hetOffset,
    String name,
    int uid,
    String user,
    String account,
    long first,
    int parent,
    @Nullable Long forgotten) {
  /** The id as users write it. */
  public String displayId() {
    if (arrayJobId > 0 && taskId >= 0) {
      return arrayJobId + "_" + taskId;
    }
    return hetJobId > 0 ? hetJobId + "+" + hetOffset : Integer.toString(jobId);
  }
}
