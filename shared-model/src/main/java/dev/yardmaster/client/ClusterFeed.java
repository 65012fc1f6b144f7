package dev.yardmaster.client;

import java.util.function.Consumer;

/**
 * Follows a cluster and always has its latest {@link ClusterView}. Keeps the last view while the
 * controller is away, marked as old, and connects again by itself.
 */
public interface ClusterFeed extends AutoCloseable {
  /** The latest view; never waits. */
  ClusterView view();

  /**
   * Tells a listener of every new view, at most ten times a second, on a thread of the feed (never
   * the caller's) and in order; the present one comes first.
   *
   * @return ends it when run
   */
  Runnable listen(Consumer<ClusterView> listener);

  /** Tries to connect now rather than at the next planned attempt. */
  void reconnect();

  @Override
  void close();
}
