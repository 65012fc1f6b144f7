package dev.yardmaster.controller;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a reservation is of: nodes by name or number, cores, GRES, licences (scontrol(1)). */
final class ReservationResources {
  private static final Set<String> FIELDS =
      Set.of(
          "nodes",
          "nodecnt",
          "corecnt",
          "tres",
          "licenses",
          "features",
          "partitionname",
          "partition");

  private final Turn turn;
  private final Map<String, String> fields;
  private final ReservedNodes places;
  private int nodeCount;
  private int coreCount;
  private final TreeMap<String, Long> gres = new TreeMap<>();
  private final TreeMap<String, Integer> licenses = new TreeMap<>();

  private ReservationResources(Turn turn, Map<String, String> fields, Reservation reservation) {
    this.turn = turn;
    this.fields = fields;
    places = new ReservedNodes(turn, reservation);
  }

  /**
   * The reservation with what the fields give it.
   *
   * @param old as it was before; null for a new one
   * @throws Refusal when it cannot have that
   */
  static Reservation read(
      Turn turn, Map<String, String> fields, Reservation reservation, @Nullable Reservation old) {
    ReservationResources resources = new ReservationResources(turn, fields, reservation);
    Reservation read = reservation;
    if (old == null || FIELDS.stream().anyMatch(fields::containsKey)) {
      resources.count();
      read = resources.choose(reservation, old);
    }
    resources.places.checkOverlap(read);
    resources.places.checkJobs(read, old != null);
    return read;
  }

  private void count() {
    nodeCount = number("NodeCnt", fields.get("nodecnt"), SlurmError.INVALID_NODE_COUNT);
    coreCount = number("CoreCnt", fields.get("corecnt"), SlurmError.INVALID_CPU_COUNT);
    String tres = fields.get("tres");
    if (tres != null) {
      for (String item : tres.split(",", -1)) {
        tres(item);
      }
    }
    String asked = fields.get("licenses");
    if (asked != null && !asked.isBlank()) {
      for (String item : asked.split(",", -1)) {
        String[] parts = item.split("[:=]", 2);
        license(parts[0], parts.length > 1 ? parts[1] : "1");
      }
    }
  }

  private void tres(String item) {
    int equals = item.indexOf('=');
    String name = equals < 0 ? item : item.substring(0, equals);
    String value = equals < 0 ? "" : item.substring(equals + 1);
    if (name.equalsIgnoreCase("cpu")) {
      coreCount = number("TRES cpu", value, SlurmError.INVALID_CPU_COUNT);
    } else if (name.equalsIgnoreCase("node")) {
      nodeCount = number("TRES node", value, SlurmError.INVALID_NODE_COUNT);
    } else if (name.startsWith("gres/")) {
      long count = number("TRES " + name, value, SlurmError.INVALID_GRES);
      gres.put(name, count);
      int colon = name.indexOf(':');
      if (colon > 0) {
        gres.merge(name.substring(0, colon), count, Long::sum);
      }
    } else if (name.startsWith("license/")) {
      license(name.substring("license/".length()), value);
    } else {
      throw ReservationReader.invalid(
          "TRES=" + item + "; cpu=, node=, gres/NAME= and license/NAME= can be reserved");
    }
  }

  private void license(String name, String count) {
    Integer total = turn.state().config().licenses().get(name);
    int wanted = number("Licenses " + name, count, SlurmError.INVALID_LICENSES);
    if (total == null || wanted > total) {
      throw new Refusal(
          SlurmError.INVALID_LICENSES,
          "\nLicenses=" + name + ":" + count + ", there are " + (total == null ? 0 : total));
    }
    licenses.put(name, wanted);
  }

  private static int number(String field, @Nullable String text, SlurmError error) {
    if (text == null) {
      return 0;
    }
    boolean thousands = text.matches("[1-9][0-9]{0,5}[kK]");
    String digits = thousands ? text.substring(0, text.length() - 1) : text;
    if (!digits.matches("[1-9][0-9]{0,8}")) {
      throw new Refusal(error, "\n" + field + "=" + text + "; write a number");
    }
    return Integer.parseInt(digits) * (thousands ? 1024 : 1);
  }

  private Reservation choose(Reservation r, @Nullable Reservation old) {
    String features = fields.getOrDefault("features", r.features());
    checkFeatures(features);
    String named = fields.get("nodes");
    Partition partition = partition(r);
    boolean whole = coreCount == 0 && gres.isEmpty();
    Reservation with =
        r.with(b -> b.features(features).licenses(licenses.isEmpty() ? r.licenses() : licenses));
    if (named != null && !named.isEmpty()) {
      List<String> nodes = named(named, partition, old);
      boolean all = named.equalsIgnoreCase("ALL");
      boolean ofPartition = with.has(ReservationFlag.PART_NODES);
      if (ofPartition && (!all || partition == null)) {
        throw ReservationReader.invalid(
            "Flags=PART_NODES goes with Nodes=ALL and PartitionName= of the partition");
      }
      Set<String> flags = new TreeSet<>(with.flags());
      flags.add(ReservationFlag.SPEC_NODES.name());
      if (all && !ofPartition) {
        flags.add(ReservationFlag.ALL_NODES.name());
      }
      Reservation placed = with.with(b -> b.nodes(nodes).flags(flags));
      return whole
          ? placed.withPartition(partition == null ? "" : partition.name())
          : inPart(placed, orDefault(partition).name(), nodes);
    }
    if (nodeCount == 0 && whole && partition != null && named == null && old == null) {
      nodeCount = partition.nodes().size();
    }
    if (nodeCount == 0 && whole) {
      return withoutNodes(with, old);
    }
    Partition pool = orDefault(partition);
    List<String> open =
        pool.nodes().stream()
            .filter(n -> ReservedNodes.hasFeatures(turn.state(), n, features))
            .toList();
    if (!whole) {
      return inPart(with, pool.name(), open);
    }
    List<String> kept = old == null ? List.of() : old.nodes().stream().limit(nodeCount).toList();
    List<String> chosen = new ArrayList<>(kept);
    // A node that one for maintenance, or to be laid over, has is taken only for want of others.
    for (boolean beside : new boolean[] {false, true}) {
      open.stream()
          .filter(n -> chosen.size() < nodeCount && !chosen.contains(n) && places.isFree(n))
          .filter(n -> beside || places.isInNone(n))
          .forEach(chosen::add);
    }
    if (chosen.size() < nodeCount) {
      throw busy("only " + chosen.size() + " of " + nodeCount + " nodes are free");
    }
    Set<String> flags = new TreeSet<>(with.flags());
    flags.remove(ReservationFlag.SPEC_NODES.name());
    return with.with(b -> b.nodes(inOrder(chosen)).partition(pool.name()).flags(flags));
  }

  private Reservation withoutNodes(Reservation r, @Nullable Reservation old) {
    boolean licensesOnly = r.has(ReservationFlag.ANY_NODES) && !r.licenses().isEmpty();
    if (old == null && !licensesOnly) {
      throw ReservationReader.invalid(
          r.licenses().isEmpty()
              ? "Nodes, NodeCnt, CoreCnt, TRES or Licenses is missing"
              : "Licenses without nodes need Flags=LICENSE_ONLY");
    }
    return r;
  }

  private static void checkFeatures(String features) {
    if (!features.isEmpty()) {
      try {
        FeatureExpression.parse(features);
      } catch (IllegalArgumentException e) {
        throw new Refusal(SlurmError.INVALID_FEATURE, "\n" + e.getMessage());
      }
    }
  }

  private @Nullable Partition partition(Reservation r) {
    String name = fields.getOrDefault("partitionname", fields.get("partition"));
    if (name == null && !r.allowedPartitions().isEmpty()) {
      String first = r.allowedPartitions().getFirst();
      name = first.startsWith("-") ? null : first;
    }
    if (name == null) {
      return r.partition().isEmpty() ? null : turn.state().partitions().get(r.partition());
    }
    Partition partition = turn.state().partitions().get(name);
    if (partition == null) {
      throw new Refusal(SlurmError.INVALID_PARTITION_NAME, "\n" + name);
    }
    return partition;
  }

  private Partition orDefault(@Nullable Partition partition) {
    if (partition != null) {
      return partition;
    }
    return turn.state().partitions().values().stream()
        .filter(Partition::isDefault)
        .findFirst()
        .orElseThrow(() -> new Refusal(SlurmError.DEFAULT_PARTITION_NOT_SET));
  }

  /** Nodes=n[1-2], ALL, and changes of those it had: +n3,-n1 and Nodes+=n3. */
  private List<String> named(
      String text, @Nullable Partition partition, @Nullable Reservation old) {
    if (text.equalsIgnoreCase("ALL")) {
      return partition != null
          ? partition.nodes()
          : turn.state().nodesInOrder().stream().map(Node::name).toList();
    }
    try {
      if (text.startsWith("+=") || text.startsWith("-=")) {
        boolean add = text.startsWith("+=");
        return changed(old, add, HostList.parse(text.substring(2)).expand());
      }
      if (text.startsWith("+") || text.startsWith("-")) {
        List<String> nodes = old == null ? List.of() : old.nodes();
        for (String part : text.split(",(?=[+-])", -1)) {
          Set<String> set = new TreeSet<>(nodes);
          List<String> names = HostList.parse(part.substring(1)).expand();
          if (part.startsWith("+")) {
            set.addAll(names);
          } else {
            set.removeAll(names);
          }
          nodes = known(set);
        }
        return nodes;
      }
      return known(HostList.parse(text).expand());
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + e.getMessage());
    }
  }

  private List<String> changed(@Nullable Reservation old, boolean add, List<String> names) {
    Set<String> nodes = new TreeSet<>(old == null ? List.of() : old.nodes());
    if (add) {
      nodes.addAll(names);
    } else {
      nodes.removeAll(names);
    }
    return known(nodes);
  }

  private List<String> known(Collection<String> names) {
    for (String name : names) {
      if (turn.state().node(name) == null) {
        throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nno node is called " + name);
      }
    }
    return inOrder(names);
  }

  private List<String> inOrder(Collection<String> names) {
    Set<String> set = new TreeSet<>(names);
    return turn.state().nodesInOrder().stream().map(Node::name).filter(set::contains).toList();
  }

  private static Refusal busy(String detail) {
    return new Refusal(SlurmError.NODES_BUSY, "\n" + detail);
  }

  /** Cores and GRES of as few nodes as asked for, or of all of them, one core each at least. */
  private Reservation inPart(Reservation r, String partition, List<String> open) {
    boolean named = r.has(ReservationFlag.SPEC_NODES);
    TreeMap<String, IndexSet> cores = new TreeMap<>();
    if (gres.isEmpty()) {
      int most =
          nodeCount > 0
              ? nodeCount
              : named ? open.size() : Math.min(Math.toIntExact(withCores(open)), coreCount);
      evenly(r, open, most, named || nodeCount > 0, cores);
    } else {
      byGres(open, cores);
    }
    return r.with(
        b ->
            b.nodes(inOrder(cores.keySet()))
                .cores(Immutable.sortedMap(cores))
                .gres(Immutable.sortedMap(gres))
                .partition(partition));
  }

  private long withCores(List<String> open) {
    return open.stream()
        .filter(n -> ReservedNodes.isUp(turn.state(), n) && !places.freeCores(spec(n)).isEmpty())
        .count();
  }

  /** Cores without GRES: an equal share of each node, or one of each and the rest of the first. */
  private void evenly(
      Reservation r, List<String> open, int most, boolean equal, TreeMap<String, IndexSet> cores) {
    int left = coreCount;
    int share = equal ? Math.ceilDiv(coreCount, most) : Math.max(1, coreCount - (most - 1));
    for (String name : open) {
      NodeSpec spec = spec(name);
      IndexSet free = places.freeCores(spec);
      int wanted = Math.min(left, Math.min(share, equal ? share : free.size()));
      boolean usable = ReservedNodes.isUp(turn.state(), name) || r.has(ReservationFlag.SPEC_NODES);
      if (cores.size() < most && wanted > 0 && free.size() >= wanted && usable) {
        cores.put(name, ReservedNodes.spread(spec, free, wanted));
        left -= wanted;
        int rest = most - cores.size();
        share = equal || rest == 0 ? share : Math.max(1, left - (rest - 1));
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
      IndexSet free = places.freeCores(spec);
      boolean full = nodeCount > 0 && cores.size() == nodeCount;
      int wantedCores = nodeCount > 0 ? Math.ceilDiv(coreCount, nodeCount) : coresLeft;
      boolean met = left.values().stream().allMatch(n -> n <= 0);
      if (full || (met && nodeCount == 0) || free.size() < Math.min(wantedCores, 1)) {
        continue;
      }
      if (nodeCount > 0 && !hasShare(spec, free, wantedCores)) {
        continue;
      }
      boolean has = left.entrySet().stream().anyMatch(e -> places.freeGres(spec, e.getKey()) > 0);
      if (!has) {
        continue;
      }
      left.replaceAll((tres, n) -> n - Math.min(n, places.freeGres(spec, tres)));
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
      throw busy("too little of " + fields.get("tres") + " is free");
    }
  }

  private boolean hasShare(NodeSpec spec, IndexSet free, int cores) {
    return free.size() >= cores
        && gres.entrySet().stream()
            .allMatch(
                e ->
                    places.freeGres(spec, e.getKey())
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
