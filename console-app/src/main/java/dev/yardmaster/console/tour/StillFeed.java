package dev.yardmaster.console.tour;

import dev.yardmaster.client.ClusterFeed;
import dev.yardmaster.client.ClusterView;
import java.util.function.Consumer;

/** A feed that says one thing and then nothing more, to picture the states of a connection. */
final class StillFeed implements ClusterFeed {
  private final ClusterView view;

  StillFeed(ClusterView view) {
    this.view = view;
  }

  @Override
  public ClusterView view() {
    return view;
  }

  @Override
  public Runnable listen(Consumer<ClusterView> listener) {
    listener.accept(view);
    return () -> {};
  }

  @Override
  public void reconnect() {
    // There is nothing to connect to: the picture shows the state before.
  }

  @Override
  public void close() {
    // Holds nothing.
  }
}
