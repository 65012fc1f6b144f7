package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * When nodes run HealthCheckProgram (slurm.conf(5), HealthCheckInterval, HealthCheckNodeState): all
 * at the same time, or with CYCLE spread over the interval.
 */
final class HealthChecks {
  private static final Set<NodeFlag> UNFIT =
      Set.of(NodeFlag.DRAIN, NodeFlag.FAIL, NodeFlag.MAINTENANCE, NodeFlag.INVALID_REG);

  private Instant last;

  /** The nodes before this one, in their order, have had their turn in the present cycle. */
  private int next;

  HealthChecks(Instant boot) {
    last = boot;
  }

  void due(Turn turn) {
    ClusterState state = turn.state();
    String program = state.config().setting("HealthCheckProgram").orElse("");
    long interval = interval(state);
    if (program.isEmpty() || interval == 0) {
      return;
    }
    Set<String> states =
        Set.of(
            state
                .config()
                .setting("HealthCheckNodeState")
                .orElse("ANY")
                .toUpperCase(Locale.ROOT)
                .replace(" ", "")
                .split(","));
    if (states.contains("START_ONLY") || states.contains("REBOOT_ONLY")) {
      return;
    }
    List<Node> nodes = state.nodesInOrder();
    long since = Duration.between(last, turn.now()).toSeconds();
    int to = nodes.size();
    if (states.contains("CYCLE")) {
      to = (int) Math.min(nodes.size(), nodes.size() * since / interval);
    } else if (since < interval) {
      return;
    }
    for (Node node : nodes.subList(Math.min(next, to), to)) {
      if (isMeant(turn, node, states)) {
        turn.effect(new Effect.HealthCheck(node.name(), isHealthy(node.status())));
      }
    }
    next = to;
    if (since >= interval) {
      next = 0;
      last = turn.now();
    }
  }

  private static long interval(ClusterState state) {
    String text = state.config().setting("HealthCheckInterval").orElse("0").strip();
    return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
  }

  private static boolean isHealthy(NodeStatus status) {
    return status.base() != NodeBaseState.DOWN && UNFIT.stream().noneMatch(status::has);
  }

  private static boolean isMeant(Turn turn, Node node, Set<String> states) {
    NodeStatus status = node.status();
    if (status.has(NodeFlag.NOT_RESPONDING)
        || status.bootsFirst()
        || status.has(NodeFlag.EXTERNAL)
        || status.base() == NodeBaseState.FUTURE) {
      return false;
    }
    boolean any =
        states.contains("ANY")
            || states.stream().allMatch(word -> word.equals("CYCLE") || word.isEmpty());
    if (any) {
      return true;
    }
    int used = used(turn, node.name());
    boolean idle = used == 0 && status.base() == NodeBaseState.IDLE;
    boolean full = used >= node.spec().cpus();
    return states.contains("IDLE") && idle
        || states.contains("NONDRAINED_IDLE") && idle && !status.has(NodeFlag.DRAIN)
        || states.contains("ALLOC") && full
        || states.contains("MIXED") && used > 0 && !full;
  }

  private static int used(Turn turn, String node) {
    int cpus = 0;
    for (Job job : Runs.on(turn, node)) {
      Allocation allocation = job.allocation();
      if (allocation != null) {
        cpus +=
            allocation.shares().stream()
                .filter(share -> share.node().equals(node))
                .mapToInt(share -> share.cpus())
                .sum();
      }
    }
    return cpus;
  }
}
