package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.SlurmError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which GPUs of its job a new step gets on each of its nodes (srun(1), {@code --gpus}, {@code
 * --gres}): as many as its options say, otherwise as many as its job has asked for; none that
 * another step has, unless it says {@code --overlap}. GPUs of which a job has parts (shard, mps)
 * may be had by several steps.
 */
public final class StepGpus {
  private static final String GPU = "gpu";
  private static final Set<String> PARTS = Set.of("shard", "mps");
  private static final Set<String> ASKING =
      Set.of("gres", "gpus", "gpus-per-node", "gpus-per-socket", "gpus-per-task", "tres-per-task");

  private final List<GresRequest> requests;
  private final boolean none;
  private final boolean overlaps;
  private final Map<String, Set<Integer>> taken = new HashMap<>();
  private final Map<GresRequest, Long> got = new HashMap<>();

  /**
   * @param options of the step
   * @param running the steps that the job has already
   * @throws Refusal when the options cannot be read
   */
  public StepGpus(
      Job job, Map<String, String> options, ClusterConfig config, List<JobStep> running) {
    this.none = options.getOrDefault("gres", "").equalsIgnoreCase("none");
    this.overlaps = options.containsKey("overlap");
    this.requests = none ? List.of() : requests(job, options, config);
    for (JobStep step : running) {
      for (JobStep.OnNode on : step.layout()) {
        if (!on.overlaps()) {
          taken.computeIfAbsent(on.node(), n -> new HashSet<>()).addAll(on.gpus());
        }
      }
    }
  }

  private static List<GresRequest> requests(
      Job job, Map<String, String> options, ClusterConfig config) {
    TreeMap<String, String> asking = new TreeMap<>(options);
    asking.keySet().retainAll(ASKING);
    if (!asking.getOrDefault("tres-per-task", "gres").contains("gres")) {
      asking.remove("tres-per-task");
    }
    asking.values().removeIf(String::isEmpty);
    List<GresRequest> said =
        asking.isEmpty()
            ? job.request().gres()
            : new GresOptions(new Options(Immutable.sortedMap(asking)), config).read();
    return said.stream().filter(r -> r.name().equals(GPU)).toList();
  }

  /**
   * How many tasks of the step a node has GPUs for.
   *
   * @param free whether to leave out what other steps have
   * @return {@link Integer#MAX_VALUE} where GPUs are no matter of tasks
   */
  int room(NodeShare node, boolean free) {
    long room = Integer.MAX_VALUE;
    for (GresRequest request : requests) {
      int there = pool(node, request.type(), free).size();
      room =
          Math.min(
              room,
              switch (request.scope()) {
                case NODE, SOCKET -> there >= request.count() ? Integer.MAX_VALUE : 0;
                case JOB -> there > 0 ? Integer.MAX_VALUE : 0;
                case TASK -> there / request.count();
              });
    }
    return (int) room;
  }

  /** So many of some nodes, those first that have most GPUs. */
  List<NodeShare> most(List<NodeShare> nodes, int count) {
    return nodes.stream()
        .sorted(Comparator.comparingInt(n -> -pool(n, null, false).size()))
        .limit(count)
        .toList();
  }

  /**
   * Whether some nodes together have what the step wants in all.
   *
   * @param free whether to leave out what other steps have
   */
  boolean suffice(List<NodeShare> nodes, boolean free) {
    return requests.stream()
        .filter(r -> r.scope() == GresRequest.Scope.JOB)
        .allMatch(
            r -> nodes.stream().mapToLong(n -> pool(n, r.type(), free).size()).sum() >= r.count());
  }

  /**
   * The GPUs on one node after the other, in the order of the step's nodes.
   *
   * @param tasks of the step there
   * @param after how many nodes of the step follow; each of them gets one GPU at least
   * @return indices on the node, ascending
   * @throws Refusal when other steps have them
   */
  public List<Integer> take(NodeShare node, int tasks, int after) {
    TreeSet<Integer> chosen = new TreeSet<>();
    for (GresRequest request : requests) {
      List<Integer> pool = pool(node, request.type(), true);
      pool.removeAll(chosen);
      long before = got.getOrDefault(request, 0L);
      long wanted =
          switch (request.scope()) {
            case NODE -> request.count();
            case SOCKET -> Math.max(request.count(), pool.size());
            case TASK -> request.count() * tasks;
            case JOB -> Math.min(request.count() - before - after, pool.size());
          };
      boolean last = request.scope() == GresRequest.Scope.JOB && after == 0;
      if (wanted > pool.size() || last && before + wanted < request.count()) {
        throw new Refusal(SlurmError.NODES_BUSY, "\nother steps of the job use its GPUs");
      }
      List<Integer> taking = pool.subList(0, (int) Math.max(0, wanted));
      got.put(request, before + taking.size());
      chosen.addAll(taking);
    }
    if (!none) {
      chosen.addAll(parts(node));
    }
    return List.copyOf(chosen);
  }

  private static List<Integer> parts(NodeShare node) {
    return node.gres().stream()
        .filter(g -> PARTS.contains(g.name()))
        .flatMap(g -> g.devices().stream().boxed())
        .toList();
  }

  private List<Integer> pool(NodeShare node, @Nullable String type, boolean free) {
    Set<Integer> gone =
        free && !overlaps ? taken.getOrDefault(node.node(), Set.of()) : Set.<Integer>of();
    TreeSet<Integer> pool = new TreeSet<>();
    for (GresShare share : node.gres()) {
      if (share.name().equals(GPU) && (type == null || Objects.equals(type, share.type()))) {
        share.devices().stream().filter(d -> !gone.contains(d)).forEach(pool::add);
      }
    }
    return new ArrayList<>(pool);
  }
}
