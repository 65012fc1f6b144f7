package dev.yardmaster.console.overview;

import dev.yardmaster.console.connect.NodeGroup;
import dev.yardmaster.console.connect.Unit;
import dev.yardmaster.console.connect.UnitCount;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.util.List;
import java.util.SortedMap;

/**
 * The figures of the overview, all counted from one snapshot.
 *
 * @param unit what is counted: GPUs, or CPUs on a cluster without GPUs
 * @param units where the GPUs or CPUs are
 * @param unitsByAccount GPUs or CPUs that running jobs hold, by account
 * @param partitions each partition with its GPUs or CPUs
 * @param states tasks by state, in the order of life; states without tasks are left out
 * @param attention waiting jobs that waiting does not help
 * @param waits waiting tasks by Slurm's reason, the most frequent first; they add up to all waiting
 * @param nodes nodes by group; every node is in exactly one
 * @param ending running jobs whose limits are reached soon, the first to end first
 */
public record Overview(
    String cluster,
    Unit unit,
    UnitCount units,
    SortedMap<String, Long> unitsByAccount,
    List<PartitionLine> partitions,
    List<StateLine> states,
    long attention,
    List<WaitLine> waits,
    List<GroupLine> nodes,
    List<Job> ending) {
  public Overview {
    partitions = List.copyOf(partitions);
    states = List.copyOf(states);
    waits = List.copyOf(waits);
    nodes = List.copyOf(nodes);
    ending = List.copyOf(ending);
  }

  /** A partition with what it is measured in: GPUs, or CPUs when it has no GPUs. */
  public record PartitionLine(String name, Unit unit, UnitCount units) {}

  /** How many tasks are in a state. */
  public record StateLine(JobState state, long tasks) {}

  /** How many tasks wait for one reason, and whether waiting helps them. */
  public record WaitLine(Reason reason, long tasks, boolean helps) {
    Tone tone() {
      return helps ? Tone.ACCENT : Tone.ATTENTION;
    }
  }

  /** How many nodes are in a group. */
  public record GroupLine(NodeGroup group, long nodes) {}

  /** Tasks in a state. */
  public long tasks(JobState state) {
    return states.stream().filter(s -> s.state() == state).mapToLong(StateLine::tasks).sum();
  }

  /** All nodes. */
  public long nodeCount() {
    return nodes.stream().mapToLong(GroupLine::nodes).sum();
  }
}
