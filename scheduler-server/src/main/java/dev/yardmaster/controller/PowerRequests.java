package dev.yardmaster.controller;

import dev.yardmaster.engine.state.PowerTimes;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.SlurmError;

/** What {@code scontrol update nodename=… state=power_…} makes of a node (scontrol(1)). */
final class PowerRequests {
  private PowerRequests() {}

  static boolean isOne(String state) {
    return state.startsWith("POWER_");
  }

  /** The status of a node that is to be powered down, or up. */
  static NodeStatus requested(Turn turn, NodeStatus status, String state, Identity by) {
    boolean up = state.equals("POWER_UP");
    if (new PowerTimes(turn.state()).program(up).isEmpty()) {
      throw new Refusal(
          SlurmError.INVALID_POWER_ACTION,
          "\nslurm.conf has no " + (up ? "ResumeProgram" : "SuspendProgram"));
    }
    return up ? up(status) : down(turn, withoutReboot(status), state, by);
  }

  /** One that is up stays as it is; asked again, one that wakes is woken anew. */
  private static NodeStatus up(NodeStatus status) {
    boolean asleep = status.has(NodeFlag.POWERED_DOWN);
    if (!asleep && !status.has(NodeFlag.POWERING_UP)) {
      return status;
    }
    NodeStatus down = status.withFlags(NodeCommands.including(status, NodeFlag.POWERED_DOWN));
    return down.withFlags(NodeCommands.including(down, NodeFlag.POWER_UP)).withNextState("");
  }

  private static NodeStatus down(Turn turn, NodeStatus status, String state, Identity by) {
    if (status.has(NodeFlag.POWERING_DOWN)) {
      return status.withNextState("");
    }
    NodeStatus next = status.withNextState("");
    boolean force = state.equals("POWER_DOWN_FORCE");
    if (force || status.base() == NodeBaseState.DOWN) {
      next = next.withFlags(NodeCommands.without(next, NodeFlag.POWER_UP, NodeFlag.POWERING_UP));
    }
    if (state.equals("POWER_DOWN_ASAP") && !status.has(NodeFlag.DRAIN)) {
      next = next.withFlags(NodeCommands.including(next, NodeFlag.DRAIN));
      if (status.reason().isEmpty()) {
        next =
            next.with(
                s -> s.reason("POWER_DOWN_ASAP").reasonUser(by.user()).reasonTime(turn.now()));
      }
    }
    return next.withFlags(NodeCommands.including(next, NodeFlag.POWER_DOWN));
  }

  /** To power a node down calls off its reboot. */
  private static NodeStatus withoutReboot(NodeStatus status) {
    if (!Reboots.isUnderWay(status)) {
      return status;
    }
    NodeStatus rest =
        status.withFlags(
            NodeCommands.without(status, NodeFlag.REBOOT_REQUESTED, NodeFlag.REBOOT_ISSUED));
    boolean issued = status.has(NodeFlag.REBOOT_ISSUED) && status.base() == NodeBaseState.DOWN;
    return NodeCommands.clean(issued ? rest.withBase(NodeBaseState.IDLE) : rest);
  }
}
