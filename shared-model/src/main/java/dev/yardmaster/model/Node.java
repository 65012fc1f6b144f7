package dev.yardmaster.model;

/**
 * A node: its configuration and its present status. What jobs hold on it is not here but in the
 * jobs.
 */
public record Node(NodeSpec spec, NodeStatus status) {
  public String name() {
    return spec.name();
  }

  public Node withStatus(NodeStatus newStatus) {
    return new Node(spec, newStatus);
  }
}
