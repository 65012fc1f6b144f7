package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What changes on a node while the cluster runs.
 *
 * @param base the base state without what allocations make of it: UNKNOWN, IDLE, DOWN, FUTURE or
 *     ERROR. Whether an IDLE node shows as MIXED or ALLOCATED follows from the jobs on it.
 * @param flags DRAIN, NOT_RESPONDING, MAINTENANCE …
 * @param reason free text of who drained or downed it, empty when none
 * @param reasonUser who set the reason, empty when none
 * @param registered when the node daemon last registered
 * @param comment free text of an administrator, empty when none
 * @param extra a second free text, for programs, empty when none
 * @param nextState what a reboot that was asked for leaves the node in: RESUME, DOWN or UNDRAIN;
 *     empty for the state that it had
 * @param instanceId of a cloud, empty when none
 * @param instanceType of a cloud, empty when none
 * @param changes what was changed of its configuration since the files were read
 * @param resumeAfter when a node that was set down or drained for a time comes back by itself
 */
@RecordBuilder
public record NodeStatus(
    NodeBaseState base,
    Set<NodeFlag> flags,
    String reason,
    String reasonUser,
    @Nullable Instant reasonTime,
    @Nullable Instant bootTime,
    @Nullable Instant registered,
    @Nullable Instant lastResponse,
    String version,
    String comment,
    String extra,
    String nextState,
    @Nullable Instant resumeAfter,
    String instanceId,
    String instanceType,
    @Nullable NodeChanges changes)
    implements NodeStatusBuilder.With {
  public NodeStatus {
    flags =
        flags.isEmpty()
            ? Collections.unmodifiableSet(EnumSet.noneOf(NodeFlag.class))
            : Collections.unmodifiableSet(EnumSet.copyOf(flags));
  }

  /** A node about which nobody has noted anything beyond its state. */
  public NodeStatus(
      NodeBaseState base,
      Set<NodeFlag> flags,
      String reason,
      String reasonUser,
      @Nullable Instant reasonTime,
      @Nullable Instant bootTime,
      @Nullable Instant registered,
      @Nullable Instant lastResponse,
      String version) {
    this(
        base,
        flags,
        reason,
        reasonUser,
        reasonTime,
        bootTime,
        registered,
        lastResponse,
        version,
        "",
        "",
        "",
        null,
        "",
        "",
        null);
  }

  /** A node that has never been heard of. */
  public static NodeStatus unknown() {
    return new NodeStatus(NodeBaseState.UNKNOWN, Set.of(), "", "", null, null, null, null, "");
  }

  public boolean has(NodeFlag flag) {
    return flags.contains(flag);
  }

  /**
   * True when new work may be placed here: up, responding, neither drained nor failing, and clean
   * of runs that nobody owns any more (COMPLETING).
   */
  public boolean isAvailable() {
    return base == NodeBaseState.IDLE
        && !has(NodeFlag.COMPLETING)
        && !has(NodeFlag.DRAIN)
        && !has(NodeFlag.FAIL)
        && !has(NodeFlag.POWERING_DOWN)
        && (!has(NodeFlag.NOT_RESPONDING) || bootsFirst());
  }

  /** Whether it sleeps or is being woken: jobs that start on it wait until it has booted. */
  public boolean bootsFirst() {
    return has(NodeFlag.POWERED_DOWN) || has(NodeFlag.POWERING_UP);
  }

  /** Whether a reboot is asked for or under way after which it is in service (nextstate=RESUME). */
  public boolean returnsFromReboot() {
    return (has(NodeFlag.REBOOT_REQUESTED) || has(NodeFlag.REBOOT_ISSUED))
        && nextState.startsWith("RESUME");
  }
}
