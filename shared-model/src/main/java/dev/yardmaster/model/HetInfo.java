package dev.yardmaster.model;

/**
 * The component of a heterogeneous job.
 *
 * @param hetJobId id of its first component, the leader; the ids of the others follow it
 * @param offset this component's place, from 0
 * @param size how many components there are
 */
public record HetInfo(int hetJobId, int offset, int size) {
  public boolean isLeader() {
    return offset == 0;
  }

  /** The ids of all components (HetJobIdSet). */
  public String idSet() {
    return size < 2 ? Integer.toString(hetJobId) : hetJobId + "-" + (hetJobId + size - 1);
  }
}
