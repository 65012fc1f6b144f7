package dev.yardmaster.controller;

/**
 * The way to one node: a connected daemon, or the simulator. What comes back from the node arrives
 * as {@link Command}s ({@link Command.NodeRegistered} first).
 */
public interface NodeLink {
  /**
   * Hands over an effect; must not block. Effects of one link are performed in the order given.
   *
   * @param script the job's script with {@link Effect.Launch}
   */
  void send(Outgoing effect);

  /** An effect with what its performer needs to know of the controller's store. */
  record Outgoing(
      Effect effect, dev.yardmaster.model.@org.jspecify.annotations.Nullable JobScript script) {}
}
