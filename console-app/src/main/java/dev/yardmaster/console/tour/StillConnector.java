package dev.yardmaster.console.tour;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Connection;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.console.connect.Connector;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Leads to a cluster that stands still in one state of the connection.
 *
 * @param view what is known of the cluster; null when the connection cannot be made
 * @param client answers questions about it
 */
record StillConnector(String endpoint, @Nullable ClusterView view, SchedulerClient client)
    implements Connector {

  /** The same cluster with another connection, last heard of at {@code asOf}. */
  static ClusterView with(ClusterView view, Connection connection, @Nullable Instant asOf) {
    return new ClusterView(
        view.info(),
        view.jobs(),
        view.nodes(),
        view.partitions(),
        view.reservations(),
        view.figures(),
        view.sequence(),
        view.time(),
        asOf,
        connection);
  }

  @Override
  public Session connect() throws ClientException {
    if (view == null) {
      throw new ClientException.NotConfigured(
          "no configuration: /etc/slurm/slurm.conf does not exist; set SLURM_CONF to the"
              + " cluster’s slurm.conf");
    }
    return new Session(new StillFeed(view), client);
  }
}
