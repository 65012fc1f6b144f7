package dev.yardmaster.engine;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.ReqTres;
import java.util.List;

/**
 * How many nodes a job that waits is shown with (NODES of squeue(1), NumNodes of scontrol(1)): what
 * it would get if nothing ran, as {@link Admission} finds when it is submitted, or where nothing
 * can host it, and after a change of its size, an estimate by its tasks alone.
 */
public final class ExpectedNodes {
  private ExpectedNodes() {}

  /**
   * The estimate by tasks, processors of the largest node of its first partition, and the least
   * number of nodes asked for.
   */
  public static int byTasks(ClusterState state, Job job) {
    JobRequest request = job.request();
    int tasks = Math.max(1, request.tasks());
    int cpus = 1;
    int cores = 1;
    Partition partition = state.partitions().get(job.partitions().getFirst());
    for (String name : partition == null ? List.<String>of() : partition.nodes()) {
      Node node = state.nodes().get(name);
      if (node != null) {
        cpus = Math.max(cpus, node.spec().cpus());
        cores = Math.max(cores, node.spec().cores());
      }
    }
    int nodes;
    if (request.tasksPerNode() > 0) {
      nodes = tasks / request.tasksPerNode();
    } else if (request.cpusPerTask() > 1) {
      nodes = tasks / Math.max(1, cpus / request.cpusPerTask());
    } else if (request.tasksPerCore() > 0) {
      nodes = Math.ceilDiv(Math.ceilDiv(tasks, request.tasksPerCore()), cores);
    } else {
      nodes = Math.ceilDiv(tasks, cpus);
    }
    return Math.max(nodes, Math.max(1, request.minNodes()));
  }

  /** The job as changed; where its size has changed, with a new estimate. */
  public static Job changed(ClusterState state, Job before, Job changed) {
    boolean same = ReqTres.of(before.request()).equals(ReqTres.of(changed.request()));
    return same ? changed : changed.withExpectedNodes(byTasks(state, changed));
  }
}
