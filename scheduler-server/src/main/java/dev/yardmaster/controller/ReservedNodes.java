package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.ReservationTimes;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.FeatureExpression;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Which nodes and cores a reservation may have, beside other reservations and running jobs. */
final class ReservedNodes {
  /** Occurrences of repeated reservations are compared so far ahead. */
  private static final long LOOK_AHEAD = 30L * 86_400;

  private final Turn turn;
  private final Reservation reservation;
  private final List<Reservation> others = new ArrayList<>();

  /** For a reservation at its time, with its flags. */
  ReservedNodes(Turn turn, Reservation reservation) {
    this.turn = turn;
    this.reservation = reservation;
    for (Reservation other : turn.state().reservations().values()) {
      if (!other.name().equals(reservation.name()) && meets(other)) {
        others.add(other);
      }
    }
  }

  private boolean meets(Reservation other) {
    Instant last = reservation.end().plusSeconds(LOOK_AHEAD);
    for (ReservationTimes.Occurrence a : ReservationTimes.until(reservation, last)) {
      for (ReservationTimes.Occurrence b : ReservationTimes.until(other.at(turn.now()), last)) {
        if (a.start().isBefore(b.end()) && b.start().isBefore(a.end())) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean mayLieOver(Reservation r) {
    return r.has(ReservationFlag.MAINT) || r.has(ReservationFlag.OVERLAP);
  }

  /** Reservations by GRES alone take all cores of a node, whoever else has some of them. */
  private static boolean isByGres(Reservation r) {
    return !r.gres().isEmpty();
  }

  /**
   * Checks that no other reservation has the same nodes, or the same cores of them.
   *
   * @throws Refusal when one has
   */
  void checkOverlap(Reservation r) {
    if (mayLieOver(r)) {
      return;
    }
    for (Reservation other : others) {
      if (mayLieOver(other)) {
        continue;
      }
      for (String node : r.nodes()) {
        if (other.nodes().contains(node) && clash(r, other, node)) {
          throw new Refusal(
              SlurmError.RESERVATION_OVERLAP, "\nreservation " + other.name() + " has " + node);
        }
      }
    }
  }

  private static boolean clash(Reservation a, Reservation b, String node) {
    IndexSet mine = a.cores().get(node);
    IndexSet theirs = b.cores().get(node);
    if (theirs == null) {
      return true;
    }
    if (mine == null) {
      return false; // whole nodes may be laid over cores that another reservation has of them
    }
    return mine.intersects(theirs) && !isByGres(a) && !isByGres(b);
  }

  /**
   * Checks that no running job reaches into it, unless it ignores them. A new one of cores leaves
   * out those of jobs; when it is changed, any job on its nodes that is not its own is in the way.
   *
   * @throws Refusal when one does
   */
  void checkJobs(Reservation r, boolean changed) {
    if (r.has(ReservationFlag.IGNORE_JOBS) || !r.cores().isEmpty() && !changed) {
      return;
    }
    for (String node : r.nodes()) {
      for (Job job : Runs.on(turn, node)) {
        if (reachesIn(job) && !r.name().equals(job.reservation())) {
          throw new Refusal(
              SlurmError.NODES_BUSY,
              "\njob "
                  + job.displayId()
                  + " runs on "
                  + node
                  + " into it; Flags=IGNORE_JOBS lets it");
        }
      }
    }
  }

  private boolean reachesIn(Job job) {
    Instant end = job.ended();
    return end == null || end.isAfter(reservation.start());
  }

  /** Whether a node as a whole is neither reserved nor needed by a running job at that time. */
  boolean isFree(String node) {
    boolean reserved = !mayLieOver(reservation) && isReserved(node);
    boolean busy =
        !reservation.has(ReservationFlag.IGNORE_JOBS)
            && Runs.on(turn, node).stream().anyMatch(this::reachesIn);
    return isUp(turn.state(), node) && !reserved && !busy;
  }

  private boolean isReserved(String node) {
    return others.stream().anyMatch(o -> !mayLieOver(o) && o.nodes().contains(node));
  }

  /** Whether no other reservation has a node at that time, not even one that may lie over. */
  boolean isInNone(String node) {
    return others.stream().noneMatch(o -> o.nodes().contains(node));
  }

  static boolean isUp(ClusterState state, String name) {
    Node node = state.node(name);
    return node != null && node.status().isAvailable();
  }

  /** Whether a node has the features asked for; an empty text asks for none. */
  static boolean hasFeatures(ClusterState state, String name, String features) {
    Node node = state.node(name);
    return features.isEmpty()
        || node != null
            && FeatureExpression.parse(features).matches(new TreeSet<>(node.spec().features()));
  }

  /** The cores of a node that no other reservation has. */
  IndexSet freeCores(NodeSpec spec) {
    IndexSet free = IndexSet.range(0, spec.cores() - 1);
    for (Reservation other : others) {
      if (!mayLieOver(other) && other.nodes().contains(spec.name())) {
        IndexSet theirs = other.cores().get(spec.name());
        free = theirs == null ? IndexSet.EMPTY : free.andNot(theirs);
      }
    }
    return free;
  }

  /** So many of a node's free cores, spread evenly over its sockets, the lowest of each. */
  static IndexSet spread(NodeSpec spec, IndexSet free, int count) {
    int sockets = Math.max(1, spec.sockets());
    int perSocket = Math.max(1, spec.coresPerSocket());
    BitSet chosen = new BitSet();
    for (int s = 0; s < sockets; s++) {
      int share = count / sockets + (s < count % sockets ? 1 : 0);
      for (int core = s * perSocket; core < (s + 1) * perSocket && share > 0; core++) {
        if (free.contains(core)) {
          chosen.set(core);
          share--;
        }
      }
    }
    free.stream()
        .filter(core -> chosen.cardinality() < count && !chosen.get(core))
        .forEach(chosen::set);
    return IndexSet.of(chosen);
  }

  /** How many of a GRES a node has that other reservations do not keep. */
  long freeGres(NodeSpec spec, String tres) {
    long free = 0;
    for (GresDevices devices : spec.gres()) {
      String name = "gres/" + devices.name();
      if (tres.equals(name) || tres.equals(name + ":" + devices.type())) {
        free += devices.count();
      }
    }
    for (Reservation other : others) {
      if (mayLieOver(other) || !other.nodes().contains(spec.name())) {
        continue;
      }
      if (other.isWholeNodes()) {
        return 0;
      }
      for (Map.Entry<String, Long> gres : other.gres().entrySet()) {
        if (gres.getKey().equals(tres)) {
          free -= Math.ceilDiv(gres.getValue(), Math.max(1, other.nodes().size()));
        }
      }
    }
    return free;
  }
}
