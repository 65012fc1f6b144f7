package dev.yardmaster.controller;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.SlurmError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a new step takes of its job's memory (srun(1), {@code --mem} and {@code --mem-per-cpu}),
 * where memory is given out: a step that says nothing, or 0, may use all and takes none.
 */
final class StepMemory {
  private final long perNode;
  private final long perCpu;
  private final boolean ofNode;
  private final long most;
  private final boolean shares;
  private final Map<String, Long> taken = new HashMap<>();

  StepMemory(Job job, Options options, boolean counts, List<JobStep> running) {
    perNode = counts ? options.memory("mem", 0) : 0;
    perCpu = counts && perNode == 0 ? options.memory("mem-per-cpu", 0) : 0;
    ofNode = job.request().memory() instanceof MemoryRequest.PerNode;
    most =
        job.allocation() == null
            ? 0
            : job.allocation().shares().stream().mapToLong(NodeShare::memoryMib).max().orElse(0);
    shares = options.has("overlap");
    for (JobStep step : running) {
      step.layout().forEach(n -> taken.merge(n.node(), n.memoryMib(), Long::sum));
    }
  }

  /**
   * @throws Refusal when it is more than a job has that asked by node; Slurm lets others wait
   */
  void check() {
    if (ofNode && perNode > most) {
      throw new Refusal(
          SlurmError.TASK_MEMORY,
          "\nthe job has " + most + "M per node, the step asks for " + perNode);
    }
  }

  /** How many tasks of the step a node has memory for. */
  int room(NodeShare node, boolean free, int cpusPerTask) {
    long there = node.memoryMib() - (free && !shares ? taken.getOrDefault(node.node(), 0L) : 0L);
    if (perNode > 0) {
      return there >= perNode ? Integer.MAX_VALUE : 0;
    }
    return perCpu > 0
        ? (int) Math.min(Integer.MAX_VALUE, Math.max(0, there) / (perCpu * cpusPerTask))
        : Integer.MAX_VALUE;
  }

  /** What it takes on a node where it has so many CPUs. */
  long of(NodeShare node, int cpus) {
    return perNode > 0 ? perNode : Math.min(perCpu * cpus, node.memoryMib());
  }
}
