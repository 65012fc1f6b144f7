package dev.yardmaster.controller;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.SlurmError;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One kind of generic resource that is asked for in several ways, as {@code --gpus=8
 * --gpus-per-node=4}, is asked for once: the number for the smallest part of a machine stays, and
 * the others say how many nodes, or how many tasks on each, that makes (as a real Slurm answers;
 * {@link GpuCounts} has seen before that they agree).
 */
final class CombinedGres {
  private CombinedGres() {}

  /**
   * @param nodesGiven whether the job says how many nodes it wants
   * @throws Refusal when no number of nodes makes the sum
   */
  static JobRequest of(JobRequest request, boolean nodesGiven) {
    Map<String, Map<Scope, Long>> kinds = new TreeMap<>();
    for (GresRequest gres : request.gres()) {
      kinds
          .computeIfAbsent(gres.tresName(), k -> new EnumMap<>(Scope.class))
          .merge(gres.scope(), gres.count(), Long::sum);
    }
    JobRequest combined = request;
    for (Map.Entry<String, Map<Scope, Long>> kind : kinds.entrySet()) {
      if (kind.getValue().size() > 1) {
        combined = combine(combined, kind.getKey(), kind.getValue(), nodesGiven);
      }
    }
    return combined;
  }

  private static JobRequest combine(
      JobRequest request, String name, Map<Scope, Long> counts, boolean nodesGiven) {
    Scope kept =
        counts.containsKey(Scope.SOCKET)
            ? Scope.SOCKET
            : counts.containsKey(Scope.NODE) ? Scope.NODE : Scope.TASK;
    List<GresRequest> gres =
        request.gres().stream()
            .filter(g -> !g.tresName().equals(name) || g.scope() == kept)
            .toList();
    JobRequest once = request.with(r -> r.gres(gres));
    long count = counts.getOrDefault(kept, 1L);
    long task = counts.getOrDefault(Scope.TASK, 0L);
    if (kept == Scope.TASK) {
      return once;
    }
    if (kept == Scope.SOCKET) {
      int sockets = sockets(once, counts, count);
      int tasks =
          once.tasksPerSocket() > 0 || task == 0 ? once.tasksPerSocket() : (int) (count / task);
      once = once.with(r -> r.socketsPerNode(sockets).tasksPerSocket(tasks));
      return nodes(once, total(once, counts), count * sockets, nodesGiven);
    }
    int tasks = once.tasksPerNode() > 0 || task == 0 ? once.tasksPerNode() : (int) (count / task);
    once = once.with(r -> r.tasksPerNode(tasks));
    return nodes(once, total(once, counts), count, nodesGiven);
  }

  private static int sockets(JobRequest request, Map<Scope, Long> counts, long perSocket) {
    long node = counts.getOrDefault(Scope.NODE, perSocket);
    return request.socketsPerNode() > 0
        ? request.socketsPerNode()
        : (int) Math.max(1, node / perSocket);
  }

  /** How many the whole job asks for; 0 when it does not say. */
  private static long total(JobRequest request, Map<Scope, Long> counts) {
    long tasks = request.tasksGiven() ? request.tasks() : 0;
    return counts.getOrDefault(Scope.JOB, counts.getOrDefault(Scope.TASK, 0L) * tasks);
  }

  private static JobRequest nodes(
      JobRequest request, long total, long perNode, boolean nodesGiven) {
    if (total == 0) {
      return request;
    }
    long needed = total / perNode;
    boolean outside = nodesGiven && (needed < request.minNodes() || needed > request.maxNodes());
    if (total % perNode != 0 || outside) {
      throw new Refusal(SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE);
    }
    return request.with(r -> r.minNodes((int) needed).maxNodes((int) needed));
  }
}
