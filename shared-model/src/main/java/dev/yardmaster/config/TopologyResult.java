package dev.yardmaster.config;

import dev.yardmaster.model.Topology;
import java.util.List;

/**
 * What reading a topology file gave.
 *
 * @param topologies the cluster's first; empty when none could be read
 */
public record TopologyResult(List<Topology> topologies, List<ConfigFinding> findings) {
  public TopologyResult {
    topologies = List.copyOf(topologies);
    findings = List.copyOf(findings);
  }
}
