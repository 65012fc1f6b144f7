package dev.yardmaster.engine.place;

import dev.yardmaster.model.Partition;
import org.jspecify.annotations.Nullable;

/**
 * How many CPUs of a node, and of each of its sockets, all jobs of a partition together may use
 * (slurm.conf, MaxCPUsPerNode and MaxCPUsPerSocket).
 */
public record CpuLimit(String partition, int perNode, int perSocket) {
  /** The limit of a partition; null when it has none. */
  public static @Nullable CpuLimit of(Partition partition) {
    String text = partition.other().getOrDefault("MaxCPUsPerSocket", "");
    int perSocket = text.matches("[1-9][0-9]{0,8}") ? Integer.parseInt(text) : Integer.MAX_VALUE;
    int perNode = partition.maxCpusPerNode() > 0 ? partition.maxCpusPerNode() : Integer.MAX_VALUE;
    boolean none = perNode == Integer.MAX_VALUE && perSocket == Integer.MAX_VALUE;
    return none ? null : new CpuLimit(partition.name(), perNode, perSocket);
  }
}
