package dev.yardmaster.server;

import dev.yardmaster.engine.limit.Enforcement;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Partition;
import java.util.ArrayList;
import java.util.List;

/**
 * Partitions whose QOS, AllowQos or DenyQos names a QOS that does not exist. Slurm ends at once
 * then; here the server starts, so that the QOS can be added, and until then the partition has no
 * QOS and such a name allows and denies nobody.
 */
final class UnknownQos {
  private UnknownQos() {}

  /** A line for each name. */
  static List<String> of(ClusterState state) {
    List<String> lines = new ArrayList<>();
    if (!Enforcement.of(state.config()).tracked()) {
      return lines;
    }
    for (Partition partition : state.partitions().values()) {
      String own = partition.qos();
      if (own != null) {
        check(state, partition, "QOS", List.of(own), lines);
      }
      check(state, partition, "AllowQos", partition.allowQos(), lines);
      check(state, partition, "DenyQos", partition.denyQos(), lines);
    }
    return lines;
  }

  private static void check(
      ClusterState state, Partition partition, String key, List<String> names, List<String> lines) {
    for (String name : names) {
      if (state.accounting().qosNamed(name) == null) {
        lines.add(
            "PartitionName=%s %s=%s: there is no QOS %s; add it with: sacctmgr -i add qos %s"
                .formatted(partition.name(), key, name, name, name));
      }
    }
  }
}
