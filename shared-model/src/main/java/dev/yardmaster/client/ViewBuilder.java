package dev.yardmaster.client;

import dev.yardmaster.api.ClusterWire;
import dev.yardmaster.api.JobWire;
import dev.yardmaster.api.NodeWire;
import dev.yardmaster.api.PartitionWire;
import dev.yardmaster.api.Pool;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PassFigures;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/** Puts updates together to views. For use by one thread. */
final class ViewBuilder {
  private final Pool pool;
  private @Nullable ClusterInfo info;
  private TreeMap<Integer, Job> snapshotJobs = new TreeMap<>();
  private TreePMap<Integer, Job> jobs = TreePMap.empty();
  private final LinkedHashMap<String, Node> nodes = new LinkedHashMap<>();
  private final LinkedHashMap<String, Partition> partitions = new LinkedHashMap<>();
  // What the last view got; null when something has changed since.
  private @Nullable SequencedMap<String, Node> shownNodes;
  private @Nullable SequencedMap<String, Partition> shownPartitions;
  private TreePMap<String, Reservation> reservations = TreePMap.empty();
  private PassFigures figures = PassFigures.NONE;
  private long sequence;
  private @Nullable Instant time;
  private boolean complete;

  ViewBuilder(Pool pool) {
    this.pool = pool;
  }

  /** Whether a whole snapshot was received. */
  boolean isComplete() {
    return complete;
  }

  /**
   * @return whether there is something new to show
   */
  boolean apply(Rpc.Update update) {
    boolean inSnapshot = update.getPhase() != Rpc.Update.Phase.CHANGES;
    if (update.getPhase() == Rpc.Update.Phase.SNAPSHOT_BEGIN) {
      begin();
    }
    sequence = update.getSequence();
    time = Instant.ofEpochSecond(update.getTime().getSeconds(), update.getTime().getNanos());
    if (update.hasInfo()) {
      info = ClusterWire.read(update.getInfo());
    }
    if (update.hasFigures()) {
      figures = ClusterWire.read(update.getFigures());
    }
    for (Wire.Job wire : update.getJobsList()) {
      Job job = JobWire.read(wire, pool);
      if (inSnapshot) {
        snapshotJobs.put(job.id(), job);
      } else {
        jobs = jobs.plus(job.id(), job);
      }
    }
    for (int id : update.getRemovedJobsList()) {
      jobs = jobs.minus(id);
    }
    applyNodes(update);
    applyPartitions(update);
    for (Wire.Reservation wire : update.getReservationsList()) {
      Reservation reservation = ClusterWire.read(wire);
      reservations = reservations.plus(reservation.name(), reservation);
    }
    for (String name : update.getRemovedReservationsList()) {
      reservations = reservations.minus(name);
    }
    if (update.getPhase() == Rpc.Update.Phase.SNAPSHOT_END) {
      jobs = TreePMap.from(snapshotJobs);
      snapshotJobs = new TreeMap<>();
      complete = true;
    }
    return complete;
  }

  private void begin() {
    complete = false;
    snapshotJobs = new TreeMap<>();
    jobs = TreePMap.empty();
    nodes.clear();
    shownNodes = null;
    partitions.clear();
    shownPartitions = null;
    reservations = TreePMap.empty();
  }

  private void applyNodes(Rpc.Update update) {
    if (update.getNodesCount() + update.getRemovedNodesCount() > 0) {
      update.getNodesList().stream().map(NodeWire::read).forEach(n -> nodes.put(n.name(), n));
      update.getRemovedNodesList().forEach(nodes::remove);
      shownNodes = null;
    }
  }

  private void applyPartitions(Rpc.Update update) {
    if (update.getPartitionsCount() + update.getRemovedPartitionsCount() > 0) {
      update
          .getPartitionsList()
          .forEach(wire -> partitions.put(wire.getName(), PartitionWire.read(wire)));
      update.getRemovedPartitionsList().forEach(partitions::remove);
      shownPartitions = null;
    }
  }

  ClusterView build(Instant heard, Connection connection) {
    if (shownNodes == null) {
      shownNodes = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(nodes));
    }
    if (shownPartitions == null) {
      shownPartitions = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(partitions));
    }
    return new ClusterView(
        info,
        jobs,
        shownNodes,
        shownPartitions,
        reservations,
        figures,
        sequence,
        time,
        heard,
        connection);
  }
}
