package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobRequest.Asked;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.HostList;

/**
 * What rules of a partition make of a request beyond what was asked for, which alone counts for
 * limits and the priority.
 */
final class PartitionRules {
  private static final int MOST_CPUS = 1 << 20;

  private PartitionRules() {}

  /**
   * MinNodes: a job that leaves open how many nodes it gets is given so many.
   *
   * @param most whether the request says how many nodes it takes at most
   * @throws Refusal when it has fewer tasks
   */
  static JobRequest leastNodes(JobRequest request, int least, boolean most) {
    if (request.minNodes() >= least || (most && request.maxNodes() < least)) {
      return request;
    }
    if (request.tasksGiven() && request.tasks() < least) {
      throw new Refusal(
          SlurmError.BAD_TASK_COUNT,
          "\nthe partition gives a job at least %d nodes (MinNodes), and the job has fewer tasks: %d"
              .formatted(least, request.tasks()));
    }
    return request.with(
        r -> r.minNodes(least).maxNodes(Math.max(least, request.maxNodes())).asked(asked(request)));
  }

  /** MaxMemPerCPU: a job that asks for more memory gets more CPUs with it. */
  static JobRequest memoryPerCpu(JobRequest request, long cap) {
    if (cap <= 0 || request.memory().mib() <= cap) {
      return request;
    }
    long factor = Math.min(MOST_CPUS, (request.memory().mib() + cap - 1) / cap);
    return switch (request.memory()) {
      case MemoryRequest.PerCpu(long mib) ->
          request.with(
              r ->
                  r.cpusPerTask((int) Math.min(MOST_CPUS, request.cpusPerTask() * factor))
                      .memory(new MemoryRequest.PerCpu((mib + factor - 1) / factor))
                      .asked(asked(request)));
      case MemoryRequest.PerNode(long mib) when request.minCpusPerNode() < factor ->
          withCpusOfNode(request, (int) factor);
      case MemoryRequest.PerNode m -> request;
      case MemoryRequest.PerGpu m -> request;
    };
  }

  /**
   * A job without a word about memory counts as asking for that of the first node of its partition,
   * on each node; CPUs that DefCpuPerGPU adds do not count as asked for.
   *
   * @param defaulted whether CPUs for each GPU are those of the partition
   */
  static JobRequest asAsked(
      JobRequest request, boolean defaulted, ClusterState state, Partition partition) {
    boolean more = defaulted && request.cpusPerGpu() > 0;
    boolean all = request.memory().mib() == 0 && request.maxNodes() > 0;
    if (!more && !all) {
      return request;
    }
    JobRequest plain = more ? request.with(r -> r.cpusPerGpu(0)) : request;
    String name = partition.nodes().stream().min(HostList.ORDER).orElse("");
    Node first = state.node(name);
    long memory = first == null ? 0 : first.spec().realMemoryMib() - first.spec().memSpecLimitMib();
    MemoryRequest counted = all ? new MemoryRequest.PerNode(memory) : request.memory();
    Asked asked = new Asked(ReqTres.cpus(plain), request.cpusPerTask(), counted, null);
    return request.with(r -> r.asked(asked));
  }

  private static JobRequest withCpusOfNode(JobRequest request, int cpus) {
    int perNode = request.tasksPerNode();
    long ofAll = (long) cpus * Math.max(1, request.minNodes());
    long perTask =
        perNode > 0
            ? (cpus + perNode - 1) / perNode
            : (ofAll + request.tasks() - 1) / Math.max(1, request.tasks());
    long ofNode =
        perNode > 0
            ? Math.max(perTask * perNode, cpus)
            : perTask * request.tasks() / Math.max(1, request.minNodes());
    return request.with(
        r ->
            r.cpusPerTask((int) Math.min(MOST_CPUS, perTask))
                .minCpusPerNode((int) Math.min(MOST_CPUS, ofNode))
                .asked(asked(request)));
  }

  private static Asked asked(JobRequest request) {
    return request.asked() instanceof Asked before
        ? before
        : new Asked(ReqTres.cpus(request), request.cpusPerTask(), request.memory(), null);
  }
}
