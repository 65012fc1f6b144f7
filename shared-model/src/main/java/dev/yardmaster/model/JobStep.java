package dev.yardmaster.model;

import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.List;

/**
 * A step of a job: tasks that one srun(1) has started.
 *
 * @param restarts the run of the job that it belongs to
 * @param name the command's file name, or what --job-name says
 * @param layout its nodes in the order of the allocation, with their tasks
 * @param cpus CPUs on all its nodes
 * @param timeLimitMinutes {@link Partition#UNLIMITED} for none of its own
 */
public record JobStep(
    int jobId,
    int restarts,
    int stepId,
    String name,
    String user,
    int uid,
    String partition,
    List<OnNode> layout,
    int cpus,
    Instant started,
    long timeLimitMinutes) {
  public JobStep {
    layout = List.copyOf(layout);
  }

  /**
   * Its part on one node.
   *
   * @param tasks the numbers of the tasks, ascending
   * @param cpus those that no other step has meanwhile; 0 when it overlaps (srun(1), --overlap)
   * @param gpus indices of its GPUs on the node, ascending
   * @param memoryMib what it takes of the memory of its job; 0 when that is not counted
   */
  public record OnNode(
      String node, List<Integer> tasks, int cpus, List<Integer> gpus, long memoryMib) {
    public OnNode {
      tasks = List.copyOf(tasks);
      gpus = List.copyOf(gpus);
    }

    /** Whether other steps may have what it has. */
    public boolean overlaps() {
      return cpus == 0;
    }
  }

  /** The same with another limit. */
  public JobStep withTimeLimitMinutes(long minutes) {
    return new JobStep(
        jobId, restarts, stepId, name, user, uid, partition, layout, cpus, started, minutes);
  }

  /** {@code JOB.STEP}. */
  public String displayId() {
    return jobId + "." + stepId;
  }

  /** How many tasks it has. */
  public int tasks() {
    return layout.stream().mapToInt(n -> n.tasks().size()).sum();
  }

  /** Its nodes as a list. */
  public HostList nodes() {
    return HostList.of(layout.stream().map(OnNode::node).toList());
  }
}
