package dev.yardmaster.controller;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.place.Choice;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.engine.place.Usage;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.SlurmError;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Which cores and GRES of which nodes a reservation has that takes nodes in part. */
final class ReservedCores {
  private final Turn turn;
  private final ReservedNodes places;
  private final Reservation reservation;
  private final int nodeCount;
  private final int coreCount;
  private final TreeMap<String, Long> gres;

  ReservedCores(Turn turn, ReservedNodes places, ReservationDemand demand, Reservation r) {
    this.turn = turn;
    this.places = places;
    reservation = r;
    nodeCount = demand.nodesOr(0);
    coreCount = demand.cores();
    gres = demand.gres();
  }

  /**
   * Cores and GRES of as few of these nodes as asked for, or of all, one core each at least.
   *
   * @param pool the partition that they are of
   */
  Reservation choose(List<String> open, Partition pool) {
    Reservation r = reservation;
    TreeMap<String, IndexSet> cores = new TreeMap<>();
    if (gres.isEmpty() && named()) {
      firstFull(open, nodeCount > 0 ? nodeCount : open.size(), cores);
    } else if (gres.isEmpty()) {
      asOfJob(open, pool, cores);
    } else {
      byGres(open, cores);
    }
    return r.with(
        b ->
            b.nodes(
                    turn.state().nodesInOrder().stream()
                        .map(Node::name)
                        .filter(cores::containsKey)
                        .toList())
                .cores(Immutable.sortedMap(cores))
                .gres(Immutable.sortedMap(gres)));
  }

  private boolean named() {
    return reservation.has(ReservationFlag.SPEC_NODES);
  }

  private static Refusal busy(String detail) {
    return new Refusal(SlurmError.NODES_BUSY, "\n" + detail);
  }

  /**
   * Cores without GRES on nodes that were not named: what Slurm would give to a job with as many
   * tasks of one core each, on the number of nodes given or on any, of what jobs and other
   * reservations leave.
   */
  private void asOfJob(List<String> open, Partition pool, TreeMap<String, IndexSet> cores) {
    TreeMap<String, String> options = new TreeMap<>();
    options.put("nodes", nodeCount > 0 ? Integer.toString(nodeCount) : "1-" + coreCount);
    options.put("ntasks", Integer.toString(coreCount));
    options.put("threads-per-core", "1");
    options.put("ntasks-per-core", "1");
    JobRequest request =
        new RequestReader(new Options(options), turn.state(), pool, 0, new ArrayList<>()).read();
    Board board = Board.withoutJobs(turn.state(), turn.now());
    Usage usage = board.empty().copy();
    List<String> usable = new ArrayList<>();
    for (String name : open) {
      NodeSpec spec = spec(name);
      IndexSet free = places.freeCores(spec, false).andNot(places.coresOfJobs(name));
      if (ReservedNodes.isUp(turn.state(), name) && !free.isEmpty()) {
        usable.add(name);
        IndexSet all = IndexSet.range(0, spec.cores() - 1);
        usage.keep(board.hardware().indexOf(name), all.andNot(free));
      }
    }
    Shape shape = board.shape(request, pool);
    Choice choice = board.placer().choose(shape, board.hardware().setOf(usable), usage, false, 0);
    if (choice == null) {
      throw busy(coreCount + " cores are not free together");
    }
    for (NodeShare share : board.placer().allocate(shape, choice, usage, 0).shares()) {
      cores.put(share.node(), share.cores());
    }
  }

  /** Cores without GRES: as many of the first as it has, one left for each of the others. */
  private void firstFull(List<String> open, int most, TreeMap<String, IndexSet> cores) {
    int left = coreCount;
    int share = Math.max(1, coreCount - (most - 1));
    for (String name : open) {
      NodeSpec spec = spec(name);
      IndexSet free = places.freeCores(spec, named());
      int wanted = Math.min(left, Math.min(share, free.size()));
      boolean usable = ReservedNodes.isUp(turn.state(), name) || named();
      if (cores.size() < most && wanted > 0 && free.size() >= wanted && usable) {
        cores.put(name, ReservedNodes.spread(spec, free, wanted));
        left -= wanted;
        int rest = most - cores.size();
        share = rest == 0 ? share : Math.max(1, left - (rest - 1));
      }
    }
    if (left > 0) {
      throw busy("only " + (coreCount - left) + " of " + coreCount + " cores are free");
    }
  }

  private void byGres(List<String> open, TreeMap<String, IndexSet> cores) {
    TreeMap<String, Long> left = new TreeMap<>(gres);
    int coresLeft = coreCount;
    for (String name : open) {
      NodeSpec spec = spec(name);
      IndexSet free = freeCores(spec);
      boolean full = nodeCount > 0 && cores.size() == nodeCount;
      int wantedCores = wantedCores(coresLeft);
      boolean met = left.values().stream().allMatch(n -> n <= 0);
      boolean taken = coreCount == 0 && !named() && places.isBusy(name);
      if (full || (met && nodeCount == 0) || free.size() < Math.min(wantedCores, 1) || taken) {
        continue;
      }
      if (nodeCount > 0 && !hasShare(spec, free, wantedCores)) {
        continue;
      }
      boolean has =
          left.entrySet().stream().anyMatch(e -> places.freeGres(spec, e.getKey(), named()) > 0);
      if (!has) {
        continue;
      }
      left.replaceAll((tres, n) -> n - Math.min(n, places.freeGres(spec, tres, named())));
      int take = Math.min(wantedCores, free.size());
      cores.put(
          name,
          coreCount == 0
              ? IndexSet.range(0, spec.cores() - 1)
              : ReservedNodes.spread(spec, free, take));
      coresLeft -= take;
    }
    boolean enough = nodeCount == 0 || cores.size() == nodeCount;
    if (!enough
        || left.values().stream().anyMatch(n -> n > 0)
        || (coreCount > 0 && coresLeft > 0)) {
      throw busy("too little of " + gres.keySet() + " is free");
    }
  }

  /** Of nodes that were not named each gives as many cores as all are to have, as in Slurm. */
  private int wantedCores(int left) {
    if (!named()) {
      return coreCount;
    }
    return nodeCount > 0 ? Math.ceilDiv(coreCount, nodeCount) : left;
  }

  private IndexSet freeCores(NodeSpec spec) {
    IndexSet free = places.freeCores(spec, named());
    return named() ? free : free.andNot(places.coresOfJobs(spec.name()));
  }

  private boolean hasShare(NodeSpec spec, IndexSet free, int cores) {
    return free.size() >= cores
        && gres.entrySet().stream()
            .allMatch(
                e ->
                    places.freeGres(spec, e.getKey(), named())
                        >= Math.ceilDiv(e.getValue(), Math.max(1, nodeCount)));
  }

  private NodeSpec spec(String name) {
    Node node = turn.state().node(name);
    if (node == null) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nno node is called " + name);
    }
    return node.spec();
  }
}
