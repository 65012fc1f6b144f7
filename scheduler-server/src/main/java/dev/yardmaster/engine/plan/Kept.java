package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Reservations.Booking;
import dev.yardmaster.engine.place.Bits;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What the main pass keeps from jobs behind those that it has looked at: partitions, queues of
 * reservations, and nodes.
 */
final class Kept {
  private final Board board;
  private final boolean told;
  private final TreeSet<String> closed = new TreeSet<>();
  private final List<Integer> ahead = new ArrayList<>();
  private final TreeMap<Integer, long[]> kept = new TreeMap<>();
  private final long[] open;
  private @Nullable Partition lastClosed;
  private boolean claims;

  /**
   * @param told whether it will be asked for whom nodes are kept
   */
  Kept(Board board, boolean told) {
    this.board = board;
    this.told = told;
    open = board.up().clone();
  }

  /** The jobs whose partition was closed for them, in order. */
  List<Integer> ahead() {
    return ahead;
  }

  /**
   * A job lacks nodes: nobody behind it starts in its partition, or in its reservation. A job that
   * names all its nodes keeps these alone; one of a reservation that is not bound to its nodes also
   * keeps those of its partition that are in no reservation.
   */
  void close(Entry entry) {
    int id = entry.ticket().job.id();
    long[] named = entry.shape().required();
    boolean namesAll = namesAll(entry.shape());
    if (entry.job().reservation() != null) {
      closed.add(queueOf(entry));
      Booking own = board.reservations().of(entry.job());
      if (own != null && (own.isFlexible() || own.isOfAnyNodes()) && !namesAll) {
        closed.add(entry.partition());
        keepUnreserved(id, entry.partition());
      }
      return;
    }
    ahead.add(id);
    if (namesAll) {
      keep(id, named);
      return;
    }
    closed.add(entry.partition());
    keep(id, board.nodesOf(entry.partition()));
  }

  private static boolean namesAll(Shape shape) {
    return !Bits.isEmpty(shape.required()) && Bits.count(shape.required()) >= shape.minNodes();
  }

  /**
   * A job that names all its nodes does not start, whatever the cause: nobody behind it starts on
   * these nodes, as in Slurm.
   *
   * @param searched whether it came so far that nodes were looked for
   */
  void keepNamed(Entry entry, boolean searched) {
    if (searched && namesAll(entry.shape())) {
      keep(entry.ticket().job.id(), entry.shape().required());
    }
  }

  private void keepUnreserved(int id, String partition) {
    long[] nodes = board.nodesOf(partition).clone();
    for (Booking b : board.reservations().bookings()) {
      Bits.removeAll(nodes, b.nodes());
    }
    keep(id, nodes);
  }

  /** Others were laid over a job's reservation: nobody else starts on its nodes either. */
  void keepReserved(Job job) {
    Booking own = board.reservations().of(job);
    if (own != null) {
      keep(job.id(), own.nodes());
    }
  }

  private void keep(int jobId, long[] nodes) {
    claims = true;
    if (told) {
      kept.merge(jobId, Bits.common(open, nodes), Kept::union);
    }
    Bits.removeAll(open, nodes);
  }

  private static long[] union(long[] a, long[] b) {
    long[] both = a.clone();
    Bits.addAll(both, b);
    return both;
  }

  /** The jobs ahead that keep a node. */
  List<Integer> claimants(int node) {
    return kept.entrySet().stream()
        .filter(e -> Bits.has(e.getValue(), node))
        .map(Map.Entry::getKey)
        .toList();
  }

  boolean isClosed(Entry entry) {
    if (lastClosed != null && entry.isOf(lastClosed)) {
      return true;
    }
    boolean isClosed = !closed.isEmpty() && closed.contains(queueOf(entry));
    if (isClosed && entry.job().reservation() == null) {
      lastClosed = entry.shape().partition();
    }
    return isClosed;
  }

  /** Jobs of a reservation wait for each other, not for the others of their partition. */
  private static String queueOf(Entry entry) {
    String reservation = entry.job().reservation();
    return reservation == null ? entry.partition() : "reservation\n" + reservation;
  }

  /** Whether a partition has too few nodes left for a job, wherever they are. */
  boolean leavesTooFew(Shape shape) {
    return Bits.countCommon(open, board.nodesOf(shape.partition().name())) < shape.minNodes();
  }

  /** Adds the nodes that are kept to a set. */
  void addTo(long[] set) {
    long[] claimed = claimed();
    if (claimed != null) {
      Bits.addAll(set, claimed);
    }
  }

  /** Nodes that jobs and partitions looked at before keep; null when there are none. */
  long @Nullable [] claimed() {
    if (!claims) {
      return null;
    }
    long[] claimed = board.up().clone();
    Bits.removeAll(claimed, open);
    return claimed;
  }
}
