package dev.yardmaster.console.connect;

import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;

/**
 * What a node is good for now, in Slurm's terms (sinfo(1), "NODE STATE CODES"). Every node is in
 * exactly one group, so the groups add up to the cluster; a state that is not known is {@link
 * #OTHER}.
 */
public enum NodeGroup {
  /** Free and taking work. */
  IDLE,
  /** Some of its CPUs are held. */
  MIXED,
  /** All of its CPUs are held. */
  ALLOCATED,
  /** Kept free for a job that backfill planned. */
  PLANNED,
  /** Idle inside an active reservation or in maintenance. */
  RESERVED,
  /** Drained, with jobs still on it. */
  DRAINING,
  /** Drained and empty. */
  DRAINED,
  /** Powered down, booting or rebooting. */
  POWER,
  /** Its daemon does not answer. */
  NOT_RESPONDING,
  /** Down or in error. */
  DOWN,
  /** Anything else, such as a node that was never heard of. */
  OTHER;

  /**
   * The group of a node.
   *
   * @param cpusUsed CPUs that jobs hold on it
   * @param reserved whether an active reservation covers it
   */
  static NodeGroup of(Node node, int cpusUsed, boolean reserved) {
    NodeStatus status = node.status();
    if (status.base() == NodeBaseState.DOWN || status.base() == NodeBaseState.ERROR) {
      return DOWN;
    }
    if (status.has(NodeFlag.NOT_RESPONDING)) {
      return NOT_RESPONDING;
    }
    if (status.has(NodeFlag.DRAIN) || status.has(NodeFlag.FAIL)) {
      return cpusUsed > 0 ? DRAINING : DRAINED;
    }
    if (isPowerOrBoot(status)) {
      return POWER;
    }
    return switch (status.base()) {
      case UNKNOWN, FUTURE, DOWN, ERROR -> OTHER;
      case IDLE, MIXED, ALLOCATED -> ofWorking(node, cpusUsed, reserved);
    };
  }

  private static NodeGroup ofWorking(Node node, int cpusUsed, boolean reserved) {
    if (cpusUsed > 0) {
      return cpusUsed >= node.spec().cpus() ? ALLOCATED : MIXED;
    }
    NodeStatus status = node.status();
    if (reserved || status.has(NodeFlag.RESERVED) || status.has(NodeFlag.MAINTENANCE)) {
      return RESERVED;
    }
    return status.has(NodeFlag.PLANNED) ? PLANNED : IDLE;
  }

  private static boolean isPowerOrBoot(NodeStatus status) {
    return status.has(NodeFlag.POWERED_DOWN)
        || status.has(NodeFlag.POWERING_DOWN)
        || status.has(NodeFlag.POWERING_UP)
        || status.has(NodeFlag.POWER_DOWN)
        || status.has(NodeFlag.POWER_DRAIN)
        || status.has(NodeFlag.REBOOT_ISSUED)
        || status.has(NodeFlag.REBOOT_REQUESTED);
  }

  /** Whether work can be placed on such a node, now or when its present work ends. */
  public boolean takesWork() {
    return switch (this) {
      case IDLE, MIXED, ALLOCATED, PLANNED, RESERVED -> true;
      case DRAINING, DRAINED, POWER, NOT_RESPONDING, DOWN, OTHER -> false;
    };
  }
}
