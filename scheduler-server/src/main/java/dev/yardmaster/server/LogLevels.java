package dev.yardmaster.server;

import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import java.util.List;

/** Lets the log follow SlurmctldDebug and DebugFlags when they change (scontrol setdebug). */
final class LogLevels implements Controller.Follower {
  @Override
  public void start(ClusterState state, long sequence) {
    // The server has begun to log as its configuration says.
  }

  @Override
  public void next(List<Event> events, ClusterState after, long sequence) {
    for (Event event : events) {
      if (event instanceof Event.ConfigApplied applied) {
        ServerLog.alter(applied.config()::setting);
      }
    }
  }
}
