package dev.yardmaster.console.connect;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterFeed;
import dev.yardmaster.client.SchedulerClient;

/** The way to one cluster: a server, or what stands in for it in tests. */
public interface Connector {
  /** Where it is, as the user named it, for example {@code localhost:6817}. */
  String endpoint();

  /**
   * Opens both ways to the cluster. May block; never call it on the JavaFX thread.
   *
   * @throws ClientException when trying again by itself cannot help, such as a token file that
   *     cannot be read
   */
  Session connect() throws ClientException;

  /** What was opened; whoever opened it closes both. */
  record Session(ClusterFeed feed, SchedulerClient client) implements AutoCloseable {
    @Override
    public void close() {
      feed.close();
      client.close();
    }
  }
}
