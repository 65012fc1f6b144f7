package dev.yardmaster.controller;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.FeatureExpression;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Which nodes and cores a reservation may have, beside other reservations and running jobs. */
final class ReservedNodes {
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
    return ReservedTimes.meet(reservation, other.at(turn.now()), turn.now());
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
   * Checks that no running job that is not its own reaches into it, unless it ignores them.
   *
   * @throws Refusal when one does
   */
  void checkJobs(Reservation r) {
    if (r.has(ReservationFlag.IGNORE_JOBS)) {
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

  /** Which nodes are looked at, one kind after the other, until one has as many as are wanted. */
  private enum Stage {
    /** Those that work and that no other reservation has meanwhile. */
    NOT_RESERVED,
    /** And those of reservations that others may be laid over. */
    UNDER_OTHERS,
    /** All that work, for one that may lie over others. */
    AVAILABLE,
    /** And those that are drained, for maintenance. */
    ON_LINE,
    /** All, for maintenance. */
    ALL
  }

  /**
   * The nodes of a partition for a reservation that has so many whole ones, as a job would be
   * placed; null when there are too few together.
   *
   * @param features what they need; empty for nothing
   * @param excluded nodes that are not to be among them
   */
  @Nullable List<String> pick(Partition pool, String features, Set<String> excluded, int count) {
    boolean maintenance = reservation.has(ReservationFlag.MAINT);
    boolean over = reservation.has(ReservationFlag.OVERLAP);
    for (Stage stage : Stage.values()) {
      boolean tried =
          stage.compareTo(Stage.UNDER_OTHERS) <= 0
              || maintenance
              || over && stage == Stage.AVAILABLE;
      if (tried) {
        List<String> open =
            pool.nodes().stream()
                .filter(n -> !excluded.contains(n) && isOf(stage, n))
                .filter(n -> hasFeatures(turn.state(), n, features))
                .toList();
        List<String> picked = pick(pool, open, count);
        if (picked != null) {
          return picked;
        }
      }
    }
    return null;
  }

  private boolean isOf(Stage stage, String name) {
    Node node = turn.state().node(name);
    if (node == null) {
      return false;
    }
    return switch (stage) {
      case NOT_RESERVED -> isUp(turn.state(), name) && !isTaken(name, true);
      case UNDER_OTHERS -> isUp(turn.state(), name) && !isTaken(name, false);
      case AVAILABLE -> isUp(turn.state(), name);
      case ON_LINE -> node.status().base() == NodeBaseState.IDLE;
      case ALL -> true;
    };
  }

  private boolean isTaken(String node, boolean alsoByThoseUnder) {
    return others.stream()
        .anyMatch(
            o ->
                o.isWholeNodes()
                    && o.nodes().contains(node)
                    && (alsoByThoseUnder || !o.has(ReservationFlag.OVERLAP)));
  }

  /** Of nodes without jobs first; one that ignores jobs takes those of jobs after them. */
  private @Nullable List<String> pick(Partition pool, List<String> open, int count) {
    List<String> free = open.stream().filter(n -> !isBusy(n)).toList();
    if (!reservation.has(ReservationFlag.IGNORE_JOBS)) {
      return free.size() < count ? null : placed(pool, free, count);
    }
    if (open.size() == count) {
      return open;
    }
    Set<String> taken = new TreeSet<>(free);
    for (Job job : turn.state().jobs().values()) {
      if (taken.size() >= count) {
        break;
      }
      if (job.allocation() != null && job.holdsResources() && !endsBefore(job)) {
        job.allocation().shares().stream()
            .map(NodeShare::node)
            .filter(open::contains)
            .forEach(taken::add);
      }
    }
    return taken.size() < count
        ? null
        : open.stream().filter(taken::contains).limit(count).toList();
  }

  /** The cores of a node that jobs have which do not end before it begins. */
  IndexSet coresOfJobs(String node) {
    IndexSet cores = IndexSet.EMPTY;
    for (Job job : Runs.on(turn, node)) {
      if (job.allocation() != null && !endsBefore(job)) {
        for (NodeShare share : job.allocation().shares()) {
          cores = share.node().equals(node) ? cores.or(share.cores()) : cores;
        }
      }
    }
    return cores;
  }

  /** Whether a job is on a node that does not end before it begins. */
  boolean isBusy(String node) {
    return Runs.on(turn, node).stream().anyMatch(job -> !endsBefore(job));
  }

  private boolean endsBefore(Job job) {
    Instant end = job.ended();
    return end != null && end.isBefore(reservation.start());
  }

  /** As a job for so many whole nodes would be placed on these. */
  private @Nullable List<String> placed(Partition pool, List<String> free, int count) {
    Options options =
        new Options(Immutable.sortedMap(Map.of("nodes", Integer.toString(count), "exclusive", "")));
    JobRequest request =
        new RequestReader(options, turn.state(), pool, 0, new ArrayList<>()).read();
    Board board = Board.withoutJobs(turn.state(), turn.now());
    Shape shape = board.shape(request, pool);
    Choice choice =
        board.placer().choose(shape, board.hardware().setOf(free), board.empty(), true, 0);
    return choice == null ? null : board.hardware().names(choice.nodes());
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

  /**
   * Whether what another reservation has is there to be chosen all the same: of one that others may
   * lie over, and where the nodes were named of one for maintenance as well.
   */
  private static boolean leavesRoom(Reservation other, boolean named) {
    return other.has(ReservationFlag.OVERLAP) || named && other.has(ReservationFlag.MAINT);
  }

  /**
   * The cores of a node that no other reservation has.
   *
   * @param named whether the node was named rather than found
   */
  IndexSet freeCores(NodeSpec spec, boolean named) {
    IndexSet free = IndexSet.range(0, spec.cores() - 1);
    for (Reservation other : others) {
      if (!leavesRoom(other, named) && other.nodes().contains(spec.name())) {
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

  /**
   * How many of a GRES a node has that other reservations do not keep.
   *
   * @param named whether the node was named rather than found
   */
  long freeGres(NodeSpec spec, String tres, boolean named) {
    long free = 0;
    for (GresDevices devices : spec.gres()) {
      String name = "gres/" + devices.name();
      if (tres.equals(name) || tres.equals(name + ":" + devices.type())) {
        free += devices.count();
      }
    }
    for (Reservation other : others) {
      if (leavesRoom(other, named) || !other.nodes().contains(spec.name())) {
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
