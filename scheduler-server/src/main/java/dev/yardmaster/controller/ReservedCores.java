package dev.yardmaster.controller;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.SlurmError;
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

  /** Cores and GRES of as few of these nodes as asked for, or of all, one core each at least. */
  Reservation choose(List<String> open) {
    Reservation r = reservation;
    TreeMap<String, IndexSet> cores = new TreeMap<>();
    if (gres.isEmpty()) {
      int most =
          nodeCount > 0
              ? nodeCount
              : named() ? open.size() : Math.min(Math.toIntExact(withCores(open)), coreCount);
      firstFull(open, most, cores);
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

  private long withCores(List<String> open) {
    return open.stream()
        .filter(
            n ->
                ReservedNodes.isUp(turn.state(), n)
                    && !places.freeCores(spec(n), named()).isEmpty())
        .count();
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
      IndexSet free = places.freeCores(spec, named());
      boolean full = nodeCount > 0 && cores.size() == nodeCount;
      int wantedCores = nodeCount > 0 ? Math.ceilDiv(coreCount, nodeCount) : coresLeft;
      boolean met = left.values().stream().allMatch(n -> n <= 0);
      if (full || (met && nodeCount == 0) || free.size() < Math.min(wantedCores, 1)) {
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
