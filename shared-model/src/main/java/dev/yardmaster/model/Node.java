package dev.yardmaster.model;

/**
 * A node: its configuration and its present status. What jobs hold on it is not here but in the
 * jobs.
 *
 * @param measure what its daemon last said of the machine; only in what clients read
 */
public record Node(NodeSpec spec, NodeStatus status, NodeMeasure measure) {
  /** A node of which nothing is measured. */
  public Node(NodeSpec spec, NodeStatus status) {
    this(spec, status, NodeMeasure.NONE);
  }

  /** A node as the files describe it, with the changes that its status keeps. */
  public static Node of(NodeSpec inFile, NodeStatus status) {
    NodeChanges changes = status.changes();
    return new Node(changes == null ? inFile : changes.applied(inFile), status);
  }

  public String name() {
    return spec.name();
  }

  public Node withStatus(NodeStatus newStatus) {
    return new Node(spec, newStatus, measure);
  }

  public Node withMeasure(NodeMeasure measured) {
    return new Node(spec, status, measured);
  }
}
