package dev.yardmaster.server;

import com.google.protobuf.Timestamp;
import dev.yardmaster.api.ClusterWire;
import dev.yardmaster.api.JobWire;
import dev.yardmaster.api.NodeWire;
import dev.yardmaster.api.PartitionWire;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.controller.NodeMeasures;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PassFigures;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.util.function.Consumer;

/** Cuts what a reader has chosen of a state into updates of bounded size. */
final class Updates {
  /** About what one message may hold, well below the limit of a client. */
  private static final int CHUNK_BYTES = 1 << 20;

  private final Chosen chosen;
  private final NodeMeasures measures;
  private final Consumer<Rpc.Update> out;
  private Rpc.Update.Builder chunk = Rpc.Update.newBuilder();
  private int bytes;
  private boolean snapshot;
  private boolean begun;

  /**
   * @param measures what is known of the machines of nodes
   */
  Updates(Chosen chosen, NodeMeasures measures, Consumer<Rpc.Update> out) {
    this.measures = measures;
    this.chosen = chosen;
    this.out = out;
  }

  static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }

  /** Everything that is chosen. */
  void snapshot(ClusterState state, long sequence, ClusterInfo info, PassFigures figures) {
    open(state, sequence, true);
    chunk.setInfo(ClusterWire.write(info)).setFigures(ClusterWire.write(figures));
    if (chosen.partitions()) {
      for (Partition configured : state.config().partitions()) {
        Partition partition = state.partitions().get(configured.name());
        if (partition != null) {
          add(partition);
        }
      }
      for (Partition partition : state.partitions().values()) {
        if (state.config().partition(partition.name()).isEmpty()) {
          add(partition);
        }
      }
    }
    if (chosen.nodes()) {
      state.nodesInOrder().forEach(this::add);
    }
    if (chosen.reservations()) {
      state.reservations().values().stream().filter(chosen::test).forEach(this::add);
    }
    state.jobs().values().stream().filter(chosen::test).forEach(this::add);
    close(state, sequence);
  }

  /** What is chosen of the things that may have changed. */
  void changes(ClusterState state, long sequence, Touched touched, PassFigures figures) {
    open(state, sequence, false);
    chunk.setFigures(ClusterWire.write(figures));
    if (chosen.partitions()) {
      for (String name : touched.partitions()) {
        Partition partition = state.partitions().get(name);
        if (partition == null) {
          chunk.addRemovedPartitions(name);
        } else {
          add(partition);
        }
      }
    }
    if (chosen.nodes()) {
      for (String name : touched.nodes()) {
        Node node = state.node(name);
        if (node == null) {
          chunk.addRemovedNodes(name);
        } else {
          add(node);
        }
      }
    }
    if (chosen.reservations()) {
      for (String name : touched.reservations()) {
        Reservation reservation = state.reservations().get(name);
        if (reservation == null || !chosen.test(reservation)) {
          chunk.addRemovedReservations(name);
        } else {
          add(reservation);
        }
      }
    }
    for (int id : touched.jobs()) {
      Job job = state.job(id);
      if (job != null && chosen.test(job)) {
        add(job);
      } else {
        chunk.addRemovedJobs(id);
      }
    }
    close(state, sequence);
  }

  private void open(ClusterState state, long sequence, boolean isSnapshot) {
    snapshot = isSnapshot;
    begun = false;
    next(state.time(), sequence);
  }

  private void next(Instant time, long sequence) {
    chunk = Rpc.Update.newBuilder().setSequence(sequence).setTime(timestamp(time));
    bytes = 0;
  }

  private void close(ClusterState state, long sequence) {
    if (snapshot && !begun) {
      send(Rpc.Update.Phase.SNAPSHOT_BEGIN);
      next(state.time(), sequence);
    }
    send(snapshot ? Rpc.Update.Phase.SNAPSHOT_END : Rpc.Update.Phase.CHANGES);
  }

  private void send(Rpc.Update.Phase phase) {
    begun = true;
    out.accept(chunk.setPhase(phase).build());
  }

  private void grow(int size) {
    bytes += size;
    if (bytes >= CHUNK_BYTES) {
      Rpc.Update.Phase part =
          begun ? Rpc.Update.Phase.SNAPSHOT_PART : Rpc.Update.Phase.SNAPSHOT_BEGIN;
      Timestamp time = chunk.getTime();
      long sequence = chunk.getSequence();
      send(snapshot ? part : Rpc.Update.Phase.CHANGES);
      chunk = Rpc.Update.newBuilder().setSequence(sequence).setTime(time);
      bytes = 0;
    }
  }

  private void add(Job job) {
    Wire.Job wire = JobWire.write(job);
    chunk.addJobs(wire);
    grow(wire.getSerializedSize());
  }

  private void add(Node node) {
    Wire.Node wire = NodeWire.write(measures.of(node));
    chunk.addNodes(wire);
    grow(wire.getSerializedSize());
  }

  private void add(Partition partition) {
    Wire.Partition wire = PartitionWire.write(partition);
    chunk.addPartitions(wire);
    grow(wire.getSerializedSize());
  }

  private void add(Reservation reservation) {
    Wire.Reservation wire = ClusterWire.write(reservation);
    chunk.addReservations(wire);
    grow(wire.getSerializedSize());
  }
}
