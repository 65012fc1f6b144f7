package dev.yardmaster.model;

import dev.yardmaster.model.text.HostList;
import java.util.List;

/**
 * The resources a job holds or held, node by node in allocation order; the batch script runs on the
 * first node.
 */
public record Allocation(List<NodeShare> shares, Tres tres) {
  public Allocation {
    shares = List.copyOf(shares);
  }

  public HostList nodes() {
    return HostList.of(shares.stream().map(NodeShare::node).toList());
  }

  public int cpus() {
    return shares.stream().mapToInt(NodeShare::cpus).sum();
  }
}
