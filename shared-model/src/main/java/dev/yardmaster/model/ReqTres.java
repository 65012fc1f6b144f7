package dev.yardmaster.model;

import java.util.TreeMap;

/**
 * What a request comes to, as scontrol show job prints it as ReqTRES while nothing is allocated.
 */
public final class ReqTres {
  private ReqTres() {}

  /** CPUs that the request counts as asking for. */
  public static int cpus(JobRequest request) {
    JobRequest.Asked asked = request.asked();
    return asked == null ? needed(request) : asked.cpus();
  }

  /** CPUs that the request needs at least, with those that rules of the partition add. */
  public static int needed(JobRequest request) {
    int nodes = Math.max(1, request.minNodes());
    if (request.overcommit()) {
      return cpusOfOvercommit(request, nodes);
    }
    if (isRange(request)) {
      return Math.max(1, request.cpusPerTask());
    }
    int cpus = Math.max(1, request.tasks()) * Math.max(1, request.cpusPerTask());
    if (request.tasksPerNode() > 0 && !request.tasksGiven()) {
      cpus = Math.max(cpus, nodes * request.tasksPerNode() * Math.max(1, request.cpusPerTask()));
    }
    cpus = Math.max(cpus, nodes);
    if (request.cpusPerGpu() > 0) {
      cpus = Math.max(cpus, (int) (gpus(request) * request.cpusPerGpu()));
    }
    return cpus;
  }

  /** A CPU for each node, but those that go with GPUs. */
  private static int cpusOfOvercommit(JobRequest request, int nodes) {
    return Math.max(nodes, (int) (gpus(request) * request.cpusPerGpu()));
  }

  /** Slurm counts one task where only a range of nodes was given. */
  private static boolean isRange(JobRequest request) {
    return request.nodesGiven()
        && request.maxNodes() > request.minNodes()
        && !request.tasksGiven()
        && request.tasksPerNode() == 0
        && request.tasksPerGpu() == 0
        && request.minCpusPerNode() <= 1
        && request.cpusPerGpu() == 0;
  }

  /** All of it, by TRES name; memory in MiB. Nothing for a job on no nodes at all. */
  public static Tres of(JobRequest request) {
    TreeMap<String, Long> amounts = new TreeMap<>();
    if (request.maxNodes() == 0) {
      return new Tres(amounts);
    }
    if (request.asked() != null && request.asked().rest() instanceof Tres rest) {
      return rest;
    }
    int nodes = Math.max(1, request.minNodes());
    int cpus = cpus(request);
    amounts.put(Tres.CPU, (long) cpus);
    amounts.put(Tres.NODE, (long) nodes);
    amounts.put(Tres.BILLING, (long) cpus);
    JobRequest.Asked asked = request.asked();
    MemoryRequest memory = asked == null ? request.memory() : asked.memory();
    amounts.put(
        Tres.MEM,
        switch (memory) {
          case MemoryRequest.PerNode m -> m.mib() * nodes;
          case MemoryRequest.PerCpu m -> m.mib() * cpus;
          case MemoryRequest.PerGpu m -> m.mib() * gpus(request);
        });
    for (GresRequest gres : request.gres()) {
      long count = count(gres, request);
      amounts.merge("gres/" + gres.name(), count, Long::sum);
      if (gres.type() != null) {
        amounts.merge(gres.tresName(), count, Long::sum);
      }
    }
    request.licenses().forEach((name, count) -> amounts.put("license/" + name, (long) count));
    return new Tres(amounts);
  }

  private static long gpus(JobRequest request) {
    return request.gres().stream()
        .filter(gres -> gres.name().equals("gpu"))
        .mapToLong(gres -> count(gres, request))
        .sum();
  }

  private static long count(GresRequest gres, JobRequest request) {
    return switch (gres.scope()) {
      case JOB -> gres.count();
      case NODE -> gres.count() * Math.max(1, request.minNodes());
      case TASK -> gres.count() * Math.max(1, request.tasks());
      case SOCKET ->
          gres.count() * Math.max(1, request.minNodes()) * Math.max(1, request.socketsPerNode());
    };
  }
}
