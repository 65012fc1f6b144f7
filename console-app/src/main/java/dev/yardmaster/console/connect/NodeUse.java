package dev.yardmaster.console.connect;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node with what jobs hold on it.
 *
 * @param jobs the jobs that hold something here, by id
 * @param gpuJobs for each GPU by index the job that holds it, null when free
 * @param reservation the active reservation that covers it, or null
 */
public record NodeUse(
    Node node,
    NodeGroup group,
    int cpusUsed,
    long memoryUsedMib,
    List<Job> jobs,
    List<@Nullable Job> gpuJobs,
    @Nullable String reservation) {
  public NodeUse {
    jobs = List.copyOf(jobs);
    gpuJobs = Collections.unmodifiableList(Arrays.asList(gpuJobs.toArray(new Job[0])));
  }

  public String name() {
    return node.name();
  }

  /** Its GPUs, counted. */
  public UnitCount gpus() {
    long allocated = gpuJobs.stream().filter(job -> job != null).count();
    long rest = gpuJobs.size() - allocated;
    return group.takesWork()
        ? new UnitCount(allocated, rest, 0)
        : new UnitCount(allocated, 0, rest);
  }

  /** Its CPUs, counted; jobs that share CPUs hold no more than there are. */
  public UnitCount cpus() {
    long allocated = Math.min(cpusUsed, node.spec().cpus());
    long rest = node.spec().cpus() - allocated;
    return group.takesWork()
        ? new UnitCount(allocated, rest, 0)
        : new UnitCount(allocated, 0, rest);
  }

  /** CPUs that no job holds; never negative. */
  public int cpusFree() {
    return Math.max(0, node.spec().cpus() - cpusUsed);
  }

  /** Memory in MiB that no job holds; never negative. */
  public long memoryFreeMib() {
    return Math.max(0, node.spec().realMemoryMib() - memoryUsedMib);
  }
}
