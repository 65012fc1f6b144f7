package dev.yardmaster.journal;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBatch;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.SchedulingPolicy;
import dev.yardmaster.model.Topology;
import dev.yardmaster.model.Tres;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A small cluster to write about. */
final class Samples {
  static final Instant NOW = Instant.parse("2026-12-01T10:00:00Z");

  private Samples() {}

  static ClusterConfig config() {
    List<NodeSpec> nodes = List.of(node("n1"), node("n2"));
    return new ClusterConfig(
        "lab",
        List.of("head"),
        6817,
        SchedulingPolicy.defaults(),
        PriorityPolicy.defaults(),
        nodes,
        List.of(Partition.withDefaults("main", List.of("n1", "n2"))),
        new Topology.Flat("default"),
        Immutable.sortedMap(Map.of("sim", 4)),
        List.of("gpu"),
        0,
        0,
        Immutable.sortedMap(Map.of("KillWait", "30")));
  }

  private static NodeSpec node(String name) {
    return new NodeSpec(
        name, name, name, 6818, 1, 2, 8, 1, 16, 64_000, 0, 1, List.of(), List.of(), "UNKNOWN", "",
        0, 0);
  }

  static Event configured() {
    return new Event.ConfigApplied(NOW, config());
  }

  static NodeStatus idle() {
    return NodeStatus.unknown().with(s -> s.base(NodeBaseState.IDLE).bootTime(NOW));
  }

  static Job job(int id) {
    return Job.waiting(
            id,
            "job" + id,
            new JobOwner("alice", 1001, "alice", 1001, "", "", ""),
            List.of("main"),
            JobRequest.oneTask(),
            new JobBatch(
                true, "/home/alice/j.sh", "sbatch j.sh", "/home/alice", "", "", "", "", "head"),
            60,
            NOW)
        .with(j -> j.priority(1).expectedNodes(3).triedCpus(48));
  }

  static Event started(int id, String node) {
    NodeShare share = new NodeShare(node, IndexSet.range(0, 0), 1, 1000, List.of());
    return new Event.JobStarted(
        NOW, id, "main", new Allocation(List.of(share), Tres.of(Map.of(Tres.CPU, 1L))), 60, false);
  }
}
