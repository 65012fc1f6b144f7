package dev.yardmaster.model;

import dev.yardmaster.model.text.HostList;
import java.util.List;

/**
 * The resources a job holds or held, node by node in allocation order; the batch script runs on the
 * first node.
 *
 * @param blocked nodes of whole topology units that no other job may use ({@code
 *     --exclusive=topo}); its own are among them
 */
public record Allocation(List<NodeShare> shares, Tres tres, HostList blocked) {
  public Allocation {
    shares = List.copyOf(shares);
  }

  /** An allocation that keeps no nodes but its own. */
  public Allocation(List<NodeShare> shares, Tres tres) {
    this(shares, tres, HostList.EMPTY);
  }

  public HostList nodes() {
    return HostList.of(shares.stream().map(NodeShare::node).toList());
  }

  public int cpus() {
    return shares.stream().mapToInt(NodeShare::cpus).sum();
  }
}
