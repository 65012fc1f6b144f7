package dev.yardmaster.controller;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.NodeCount;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Whether the numbers of a kind of generic resource that a job asks for over the job, per node, per
 * socket and per task agree with each other and with its nodes and tasks (sbatch(1), {@code --gpus}
 * and its forms). Every refusal has Slurm's words.
 */
final class GpuCounts {
  private final Options options;
  private final String name;
  private final Map<Scope, Long> counts;
  private final boolean tasksKnown;

  private GpuCounts(Options options, String name, Map<Scope, Long> counts, boolean tasksKnown) {
    this.options = options;
    this.name = name;
    this.counts = counts;
    this.tasksKnown = tasksKnown;
  }

  /**
   * Checks all kinds.
   *
   * @param nodes what the job asks for otherwise
   * @param tasksKnown whether it says, or its nodes imply, how many tasks it has
   * @return the number of nodes that follows
   */
  static NodeCount check(
      Options options, List<GresRequest> gres, NodeCount nodes, boolean tasksKnown) {
    Map<String, Map<Scope, Long>> kinds = new TreeMap<>();
    for (GresRequest request : gres) {
      kinds
          .computeIfAbsent(request.tresName(), k -> new EnumMap<>(Scope.class))
          .merge(request.scope(), request.count(), Long::sum);
    }
    NodeCount fitting = nodes;
    for (Map.Entry<String, Map<Scope, Long>> kind : kinds.entrySet()) {
      String name = kind.getKey().substring("gres/".length()).split(":", 2)[0];
      fitting = new GpuCounts(options, name, kind.getValue(), tasksKnown).check(fitting);
    }
    return fitting;
  }

  private NodeCount check(NodeCount nodes) {
    NodeCount after = perNodeAndJob(nodes);
    perSocket();
    perTask();
    Long job = counts.get(Scope.JOB);
    if (job == null) {
      return after;
    }
    if (options.has("nodes") && job < after.min()) {
      throw refusal(", --%ss < -N".formatted(name));
    }
    return job >= after.max() || !options.has("nodes")
        ? after
        : NodeCount.of(after.min(), (int) Math.max(after.min(), job));
  }

  private NodeCount perNodeAndJob(NodeCount nodes) {
    Long job = counts.get(Scope.JOB);
    Long node = counts.get(Scope.NODE);
    if (job == null || node == null) {
      return nodes;
    }
    if (job % node != 0) {
      throw refusal(", --%ss is not multiple of %s".formatted(name, perNode()));
    }
    int needed = (int) Math.min(Integer.MAX_VALUE, job / node);
    if (options.has("nodes") && (needed < nodes.min() || needed > nodes.max())) {
      throw refusal(
          (". Based on --%ss and %s required nodes (%d) doesn't fall between min_nodes (%d) and"
                  + " max_nodes (%d) boundaries.")
              .formatted(name, perNode(), needed, nodes.min(), nodes.max()));
    }
    return NodeCount.of(needed);
  }

  private void perSocket() {
    Long node = counts.get(Scope.NODE);
    Long socket = counts.get(Scope.SOCKET);
    if (node == null || socket == null) {
      return;
    }
    if (node % socket != 0) {
      throw refusal(", %s not multiple of --%ss-per-socket.".formatted(perNode(), name));
    }
    if (differs("sockets-per-node", node / socket)) {
      throw refusal(
          (". Based on %s and --%ss-per-socket required number of sockets differ from"
                  + " --sockets-per-node.")
              .formatted(perNode(), name));
    }
  }

  private void perTask() {
    int perGpu = options.count("ntasks-per-gpu", 1, 0);
    int tasks = options.count("ntasks", 1, 0);
    if (name.equals("gpu") && perGpu > 0 && tasks > 0 && tasks % perGpu != 0) {
      throw refusal(", -n/--ntasks has to be a multiple of --ntasks-per-gpu.");
    }
    Long task = counts.get(Scope.TASK);
    if (task == null) {
      return;
    }
    Long job = counts.get(Scope.JOB);
    if (job == null && !tasksKnown) {
      throw refusal(
          name.equals("gpu")
              ? ". --gpus-per-task or --tres-per-task used without either --gpus or -n/--ntasks is"
                  + " not allowed."
              : ". --tres-per-task used without -n/--ntasks is not allowed.");
    }
    if (job != null && job % task != 0) {
      throw refusal(", --%ss not multiple of --%ss-per-task".formatted(name, name));
    }
    if (job != null && differs("ntasks", job / task)) {
      throw refusal(
          ". Based on --%ss and --%ss-per-task number of requested tasks differ from -n/--ntasks."
              .formatted(name, name));
    }
    divides(counts.get(Scope.NODE), task, perNode(), "node", "ntasks-per-node");
    divides(
        counts.get(Scope.SOCKET),
        task,
        "--" + name + "s-per-socket",
        "sockets",
        "ntasks-per-socket");
  }

  private void divides(@Nullable Long whole, long task, String what, String per, String option) {
    if (whole == null) {
      return;
    }
    if (whole % task != 0) {
      throw refusal(", %s not multiple of --%ss-per-task.".formatted(what, name));
    }
    if (differs(option, whole / task)) {
      throw refusal(
          ". Based on %s and --%ss-per-task requested number of tasks per %s differ from --%s."
              .formatted(what, name, per, option));
    }
  }

  private boolean differs(String option, long wanted) {
    return options.has(option) && options.count(option, 1, 0) != wanted;
  }

  private String perNode() {
    return "--gres=%s/--%ss-per-node".formatted(name, name);
  }

  private static Refusal refusal(String text) {
    return new Refusal(SlurmError.COMMAND_GRES, "Failed to validate job spec" + text);
  }
}
