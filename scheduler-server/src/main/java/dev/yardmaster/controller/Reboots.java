package dev.yardmaster.controller;

import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.SlurmError;
import java.time.Instant;
import java.util.Locale;
import java.util.Set;

/**
 * The life of a reboot (scontrol(1), reboot): asked for, issued when nothing runs on the node any
 * more, and over when the node registers with a later boot time.
 */
final class Reboots {
  private static final String SLURM = "slurm";
  private static final String UNDRAIN = "UNDRAIN";
  private static final Set<String> NEXT_STATES = Set.of("", "RESUME", "DOWN");

  private Reboots() {}

  /**
   * The status of a node for which a reboot is asked. One that is rebooting already stays as it is.
   *
   * @param asap whether the node takes no more work until then
   * @param nextState RESUME, DOWN or empty
   */
  static NodeStatus requested(
      Turn turn, NodeStatus status, boolean asap, String nextState, String reason, Identity by) {
    String next = nextState.toUpperCase(Locale.ROOT);
    if (!NEXT_STATES.contains(next)) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Invalid state: " + nextState + "\n Valid states: DOWN, RESUME");
    }
    if (status.base() == NodeBaseState.FUTURE || isUnderWay(status)) {
      return status;
    }
    NodeStatus asked =
        status
            .withFlags(NodeCommands.including(status, NodeFlag.REBOOT_REQUESTED))
            .withNextState(next);
    if (asap && !status.has(NodeFlag.DRAIN)) {
      asked =
          asked
              .withFlags(NodeCommands.including(asked, NodeFlag.DRAIN))
              .withNextState(next.isEmpty() ? UNDRAIN : next + "+" + UNDRAIN);
    }
    String otherwise = asap ? "Reboot ASAP" : "reboot requested";
    if (reason.isEmpty() && !status.reason().isEmpty()) {
      return asked;
    }
    return asked.with(
        s ->
            s.reason(reason.isEmpty() ? otherwise : reason)
                .reasonUser(by.user())
                .reasonTime(turn.now()));
  }

  static boolean isUnderWay(NodeStatus status) {
    return status.has(NodeFlag.REBOOT_REQUESTED) || status.has(NodeFlag.REBOOT_ISSUED);
  }

  /** A reboot that has not been issued yet can be called off, and with it the drain for it. */
  static NodeStatus canceled(NodeStatus status, String name) {
    if (!status.has(NodeFlag.REBOOT_REQUESTED)) {
      throw new Refusal(SlurmError.INVALID_NODE_STATE, "\n" + name + " does not wait for a reboot");
    }
    NodeStatus rest =
        status.withFlags(NodeCommands.without(status, NodeFlag.REBOOT_REQUESTED)).withNextState("");
    if (status.nextState().endsWith(UNDRAIN)) {
      rest = rest.withFlags(NodeCommands.without(rest, NodeFlag.DRAIN));
    }
    return isOut(rest) ? rest : NodeCommands.clean(rest);
  }

  /** Issues the reboots of nodes that are free now; from then on they are down. */
  static void issue(Turn turn, NodeCommands nodes) {
    for (Node node : turn.state().nodes().values()) {
      NodeStatus status = node.status();
      boolean ready =
          status.has(NodeFlag.REBOOT_REQUESTED)
              && !status.has(NodeFlag.COMPLETING)
              && (status.base() == NodeBaseState.DOWN || !status.has(NodeFlag.NOT_RESPONDING))
              && Runs.on(turn, node.name()).isEmpty();
      if (ready) {
        NodeStatus asked =
            status.withFlags(NodeCommands.without(status, NodeFlag.REBOOT_REQUESTED));
        NodeStatus issued =
            asked
                .withBase(NodeBaseState.DOWN)
                .withFlags(NodeCommands.including(asked, NodeFlag.REBOOT_ISSUED))
                .with(
                    s ->
                        s.reason(status.reason() + " : reboot issued")
                            .reasonUser(SLURM)
                            .reasonTime(turn.now()));
        nodes.change(turn, node.name(), issued, SLURM);
        turn.effect(new Effect.Reboot(node.name(), turn.settings().rebootProgram()));
        turn.requestPass();
      }
    }
  }

  /** Gives up on nodes that have not come back within ResumeTimeout; they are down. */
  static void timeOut(Turn turn, NodeCommands nodes) {
    for (Node node : turn.state().nodes().values()) {
      NodeStatus status = node.status();
      Instant issued = status.reasonTime();
      boolean late =
          status.has(NodeFlag.REBOOT_ISSUED)
              && issued != null
              && turn.now().isAfter(issued.plus(turn.settings().resumeTimeout()));
      if (late) {
        NodeStatus down =
            status
                .withBase(NodeBaseState.DOWN)
                .withFlags(NodeCommands.without(status, NodeFlag.REBOOT_ISSUED))
                .with(
                    s ->
                        s.reason(status.reason() + " : reboot timed out")
                            .reasonUser(SLURM)
                            .reasonTime(turn.now())
                            .nextState(""));
        nodes.change(turn, node.name(), down, SLURM);
      }
    }
  }

  /** The status of a node that registers after the reboot that was issued. */
  static NodeStatus completed(Turn turn, NodeStatus status) {
    String next = status.nextState();
    NodeStatus back =
        status
            .withFlags(NodeCommands.without(status, NodeFlag.REBOOT_ISSUED))
            .withNextState("")
            .withBase(next.startsWith("DOWN") ? NodeBaseState.DOWN : NodeBaseState.IDLE);
    if (!next.isEmpty()) {
      back = back.withFlags(NodeCommands.without(back, NodeFlag.DRAIN));
    }
    return isOut(back)
        ? back.with(
            s ->
                s.reason(status.reason() + " : reboot complete")
                    .reasonUser(SLURM)
                    .reasonTime(turn.now()))
        : NodeCommands.clean(back);
  }

  private static boolean isOut(NodeStatus status) {
    return status.base() == NodeBaseState.DOWN
        || status.has(NodeFlag.DRAIN)
        || status.has(NodeFlag.FAIL);
  }
}
