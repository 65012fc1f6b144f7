package dev.yardmaster.controller;

/**
 * The controller's side of the connections to the node daemons. What the daemons say comes back as
 * commands ({@link Command.NodeRegistered} first, {@link Command.NodeLost} at the end).
 */
public interface NodeLinks {
  /**
   * Sends an order to a node, in order with others to the same node; never waits.
   *
   * @return false when the node is not connected, and then nothing was sent: the node reports the
   *     runs it has when it registers again
   */
  boolean send(String node, NodeOrder order);
}
