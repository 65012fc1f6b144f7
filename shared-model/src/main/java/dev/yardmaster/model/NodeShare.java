package dev.yardmaster.model;

import java.util.List;

/**
 * What a job holds on one node.
 *
 * @param cores indices of physical cores
 * @param cpus CPUs as Slurm counts them (threads where CR_CPU, cores × threads where CR_Core)
 * @param memoryMib memory charged on this node
 */
public record NodeShare(
    String node, IndexSet cores, int cpus, long memoryMib, List<GresShare> gres) {
  public NodeShare {
    gres = List.copyOf(gres);
  }
}
