package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.model.PassFigures;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The controller as services and node links see it. All methods may be called from any thread and
 * none blocks.
 */
public interface Controller extends AutoCloseable {
  /**
   * Handles a command; the stage completes when its effect is durable, or with {@link
   * Reply.Refused}.
   */
  CompletionStage<Reply> handle(Command command);

  /** The latest durable state. */
  default ClusterState state() {
    return present().state();
  }

  /** The latest durable state, and the number of the event that led to it. */
  Moment present();

  /** Figures of the scheduling passes. */
  PassFigures figures();

  /** The steps that run. */
  StepBook steps();

  /** What nodes have measured of their machines. */
  default NodeMeasures measures() {
    return new NodeMeasures();
  }

  /** Why nothing can be accepted at present, as when the disk is full; empty when it can. */
  default Optional<String> trouble() {
    return Optional.empty();
  }

  /** What sdiag(1) reports. */
  Statistics statistics();

  /**
   * Registers a reader of what happens from now on. It is called in order, with the state before
   * the first call being exactly {@code start}.
   *
   * @return ends the subscription when run
   */
  Runnable follow(Follower follower);

  /** Stops passes and effects, and closes the journal after what was accepted is durable. */
  @Override
  void close();

  /** Told of durable events, in order, on a thread of the controller; must not block. */
  interface Follower {
    void start(ClusterState state, long sequence);

    void next(List<Event> events, ClusterState after, long sequence);
  }
}
