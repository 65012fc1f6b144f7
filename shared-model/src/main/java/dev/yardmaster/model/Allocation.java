package dev.yardmaster.model;

import dev.yardmaster.model.text.HostList;
import java.util.List;

/**
 * The resources a job holds or held, node by node in allocation order; the batch script runs on the
 * first node.
 *
 * @param tres all that it was given, also while some nodes are done with it
 * @param blocked nodes of whole topology units that no other job may use ({@code
 *     --exclusive=topo}); its own are among them
 * @param before all shares that it had, once some nodes are done with a run that ends and {@code
 *     shares} has only the rest; else empty
 */
public record Allocation(
    List<NodeShare> shares, Tres tres, HostList blocked, List<NodeShare> before) {
  public Allocation {
    shares = List.copyOf(shares);
    before = List.copyOf(before);
  }

  /** An allocation of which no node is gone. */
  public Allocation(List<NodeShare> shares, Tres tres, HostList blocked) {
    this(shares, tres, blocked, List.of());
  }

  /** An allocation that keeps no nodes but its own. */
  public Allocation(List<NodeShare> shares, Tres tres) {
    this(shares, tres, HostList.EMPTY);
  }

  /** What is left when a node is done with it. */
  public Allocation without(String node) {
    return new Allocation(
        shares.stream().filter(share -> !share.node().equals(node)).toList(),
        tres,
        blocked,
        whole().shares());
  }

  /** As it was before the first node was done with it. */
  public Allocation whole() {
    return before.isEmpty() ? this : new Allocation(before, tres, blocked);
  }

  public HostList nodes() {
    return HostList.of(shares.stream().map(NodeShare::node).toList());
  }

  /** The CPUs of all its nodes, also of those that are done with it. */
  public int cpus() {
    return whole().shares().stream().mapToInt(NodeShare::cpus).sum();
  }
}
