package dev.yardmaster.client;

import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PassFigures;
import dev.yardmaster.model.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/**
 * What a client knows of a cluster at one moment: immutable, and all of it from one state of the
 * controller.
 *
 * @param info the controller's card; null before the first answer
 * @param jobs by id
 * @param nodes by name, in the order of the configuration
 * @param partitions by name, in the order of the configuration
 * @param sequence number of the controller's state
 * @param time when the last event of this state happened, by the controller's clock; null before
 *     the first answer
 * @param asOf when the controller was last heard of, by this machine's clock; null before the first
 *     answer
 */
public record ClusterView(
    @Nullable ClusterInfo info,
    SortedMap<Integer, Job> jobs,
    SequencedMap<String, Node> nodes,
    SequencedMap<String, Partition> partitions,
    SortedMap<String, Reservation> reservations,
    PassFigures figures,
    long sequence,
    @Nullable Instant time,
    @Nullable Instant asOf,
    Connection connection) {
  /** Nothing known yet. */
  public static final ClusterView EMPTY =
      new ClusterView(
          null,
          TreePMap.empty(),
          Collections.unmodifiableSequencedMap(new LinkedHashMap<>()),
          Collections.unmodifiableSequencedMap(new LinkedHashMap<>()),
          TreePMap.empty(),
          PassFigures.NONE,
          0,
          null,
          null,
          new Connection.Connecting());

  /** Whether it is what the controller has now. */
  public boolean isLive() {
    return connection instanceof Connection.Live;
  }

  /** How old it is; null when nothing was ever received. */
  public @Nullable Duration age(Instant now) {
    return asOf == null ? null : Duration.between(asOf, now);
  }

  /** The job with this id, or null. */
  public @Nullable Job job(int id) {
    return jobs.get(id);
  }

  ClusterView withConnection(Connection now) {
    return new ClusterView(
        info, jobs, nodes, partitions, reservations, figures, sequence, time, asOf, now);
  }
}
