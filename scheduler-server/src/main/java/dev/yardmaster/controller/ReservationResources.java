package dev.yardmaster.controller;

import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.ReservationFlag;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a reservation is of: nodes by name or number, cores, GRES, licences (scontrol(1)). */
final class ReservationResources {
  private final Turn turn;
  private final ReservationFields fields;
  private final ReservedNodes places;
  private final ReservationDemand demand;

  private ReservationResources(Turn turn, ReservationFields fields, Reservation reservation) {
    this.turn = turn;
    this.fields = fields;
    places = new ReservedNodes(turn, reservation);
    demand = ReservationDemand.read(turn, fields, reservation);
  }

  /**
   * A new reservation with what the fields give it.
   *
   * @throws Refusal when it cannot have that
   */
  static Reservation create(Turn turn, ReservationFields fields, Reservation read) {
    return new ReservationResources(turn, fields, read).create(read);
  }

  private Reservation create(Reservation r) {
    Partition partition = partition(r);
    if (r.has(ReservationFlag.PART_NODES)) {
      checkWholePartition();
    }
    String features = fields.text("features", "");
    checkFeatures(features);
    Reservation with = r.with(b -> b.features(features).licenses(demand.licenses()));
    Reservation placed =
        fields.has("nodes")
            ? named(with, partition)
            : with.has(ReservationFlag.ANY_NODES) ? anywhere(with, partition) : found(with);
    if (placed.has(ReservationFlag.ANY_NODES)
        && placed.nodes().isEmpty()
        && placed.licenses().isEmpty()) {
      throw ReservationFields.invalid("Flags=ANY_NODES without nodes goes with Licenses=");
    }
    return placed;
  }

  private void checkWholePartition() {
    if (!fields.has("partitionname")) {
      throw new Refusal(
          SlurmError.INVALID_PARTITION_NAME, "\nFlags=PART_NODES needs PartitionName=");
    }
    if (!fields.text("nodes", "").equalsIgnoreCase("ALL")) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nFlags=PART_NODES needs Nodes=ALL");
    }
  }

  private Reservation named(Reservation r, @Nullable Partition partition) {
    String text = fields.text("nodes", "");
    boolean all = text.equalsIgnoreCase("ALL");
    Set<String> flags = new TreeSet<>(r.flags());
    flags.add(ReservationFlag.SPEC_NODES.name());
    if (all && !r.has(ReservationFlag.PART_NODES)) {
      flags.add(ReservationFlag.ALL_NODES.name());
    }
    if (!all) {
      flags.remove(ReservationFlag.PART_NODES.name());
    }
    List<String> nodes =
        all && partition != null && r.has(ReservationFlag.PART_NODES)
            ? partition.nodes()
            : all ? everyNode() : known(expand(text));
    if (nodes.isEmpty()) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\nNodes= names none");
    }
    Reservation placed = r.with(b -> b.nodes(nodes).flags(flags));
    places.checkOverlap(placed);
    if (demand.cores() == 0) {
      places.checkJobs(placed);
    }
    return demand.ofParts()
        ? inPart(placed, orDefault(partition), nodes)
        : placed.withPartition(partition == null ? "" : partition.name());
  }

  private Reservation anywhere(Reservation r, @Nullable Partition partition) {
    if (demand.cores() > 0) {
      throw new Refusal(
          SlurmError.INVALID_CPU_COUNT, "\nFlags=ANY_NODES goes with licences, not with cores");
    }
    return r.withPartition(partition == null ? "" : partition.name());
  }

  private Reservation found(Reservation r) {
    Set<String> flags = new TreeSet<>(r.flags());
    flags.remove(ReservationFlag.PART_NODES.name());
    Reservation free = r.withFlags(flags);
    if (demand.nodes() == null && !demand.ofParts()) {
      throw new Refusal(
          SlurmError.INVALID_NODE_NAME,
          r.licenses().isEmpty()
              ? "\nNodes, NodeCnt, CoreCnt, TRES or Licenses is missing"
              : "\nLicenses without nodes need Flags=LICENSE_ONLY");
    }
    Partition pool = pool(r);
    if (demand.ofParts()) {
      List<String> open =
          pool.nodes().stream()
              .filter(n -> ReservedNodes.hasFeatures(turn.state(), n, r.features()))
              .toList();
      return inPart(free, pool, open);
    }
    int count = demand.nodesOr(1);
    List<String> nodes = places.pick(pool, r.features(), Set.of(), count);
    if (nodes == null) {
      throw busy("no " + count + " nodes of partition " + pool.name() + " are free together");
    }
    return free.with(b -> b.nodes(nodes).partition(pool.name()));
  }

  /**
   * Checks that an update leaves alone which cores or nodes a reservation of cores has.
   *
   * @throws Refusal when it does not
   */
  static void checkParts(ReservationFields fields, Reservation old) {
    String tres = fields.text("tres", "");
    boolean cores = fields.has("corecnt") || tres.contains("cpu=");
    boolean nodes = fields.has("nodecnt") || fields.has("nodes") || tres.contains("node=");
    if (cores || nodes && !old.isWholeNodes()) {
      throw ReservationFields.error(
          SlurmError.CORE_RESERVATION_UPDATE,
          "Updating core/node TRES not supported for core-based reservations");
    }
  }

  /**
   * A reservation with what an update changes of its resources.
   *
   * @param old as it was before
   * @throws Refusal when it cannot have that
   */
  static Reservation update(
      Turn turn, ReservationFields fields, Reservation read, Reservation old) {
    return new ReservationResources(turn, fields, read).update(read, old);
  }

  private Reservation update(Reservation r, Reservation old) {
    if (fields.clears("partitionname")) {
      throw ReservationFields.error(
          SlurmError.INVALID_PARTITION_NAME, "Reservation partition cannot be removed");
    }
    Partition partition = fields.has("partitionname") ? partition(r) : null;
    Reservation changed = partition == null ? r : r.withPartition(partition.name());
    if (fields.clears("licenses") && old.nodes().isEmpty() && demand.nodesOr(0) == 0) {
      throw new Refusal(SlurmError.INVALID_LICENSES, "\nit is of licences alone");
    }
    if (fields.has("licenses") || !demand.licenses().isEmpty()) {
      changed = changed.withLicenses(demand.licenses());
    }
    if (fields.fills("features")) {
      throw new Refusal(
          SlurmError.NOT_SUPPORTED, "\nfeatures are chosen when a reservation is made");
    }
    if (fields.has("features")) {
      changed = changed.withFeatures("");
    }
    changed = nodes(changed, old);
    places.checkOverlap(changed);
    places.checkJobs(changed);
    return changed;
  }

  private Reservation nodes(Reservation r, Reservation old) {
    Reservation changed = r;
    Integer count = demand.nodes();
    if (fields.clears("nodes")) {
      changed =
          changed.with(
              b ->
                  b.nodes(List.of())
                      .flags(
                          without(
                              r.flags(), ReservationFlag.SPEC_NODES, ReservationFlag.ALL_NODES)));
      count = count == null ? Integer.valueOf(old.nodes().size()) : count;
    } else if (fields.has("nodes")) {
      changed = renamed(changed);
    }
    return count == null ? changed : resized(changed, count);
  }

  private Reservation renamed(Reservation r) {
    if (r.has(ReservationFlag.REPLACE) || r.has(ReservationFlag.REPLACE_DOWN)) {
      throw ReservationFields.error(
          SlurmError.NOT_SUPPORTED,
          "Reservation can't be updated with Nodes option; it is incompatible with REPLACE[_DOWN]");
    }
    String text = fields.text("nodes", "");
    boolean all = text.equalsIgnoreCase("ALL");
    Partition partition = turn.state().partitions().get(r.partition());
    boolean part = all && partition != null && r.has(ReservationFlag.PART_NODES);
    Set<String> flags =
        without(r.flags(), all ? ReservationFlag.SPEC_NODES : ReservationFlag.ALL_NODES);
    if (!part) {
      flags = without(flags, ReservationFlag.PART_NODES);
    }
    if (all && !part) {
      flags.add(ReservationFlag.ALL_NODES.name());
    }
    flags.add(ReservationFlag.SPEC_NODES.name());
    List<String> nodes =
        part && partition != null
            ? partition.nodes()
            : all ? everyNode() : changed(r.nodes(), text);
    Set<String> then = flags;
    return r.with(b -> b.nodes(nodes).flags(then));
  }

  private static Set<String> without(Set<String> flags, ReservationFlag... taken) {
    Set<String> left = new TreeSet<>(flags);
    for (ReservationFlag flag : taken) {
      left.remove(flag.name());
    }
    return left;
  }

  /** Fewer nodes: idle ones leave first, in their order. More: as for a new reservation. */
  private Reservation resized(Reservation r, int count) {
    Reservation free =
        r.withFlags(without(r.flags(), ReservationFlag.PART_NODES, ReservationFlag.ALL_NODES));
    int surplus = r.nodes().size() - count;
    if (surplus == 0) {
      return free;
    }
    if (surplus > 0) {
      List<String> left = new ArrayList<>(r.nodes());
      r.nodes().stream()
          .filter(node -> Runs.on(turn, node).isEmpty())
          .limit(surplus)
          .forEach(left::remove);
      return free.withNodes(left.stream().limit(count).toList());
    }
    Partition pool = pool(r);
    List<String> more = places.pick(pool, r.features(), Set.copyOf(r.nodes()), -surplus);
    if (more == null) {
      throw busy("no " + -surplus + " more nodes of partition " + pool.name() + " are free");
    }
    List<String> nodes = new ArrayList<>(r.nodes());
    nodes.addAll(more);
    return free.with(b -> b.nodes(inOrder(nodes)).partition(pool.name()));
  }

  /**
   * Checks that a reservation without nodes is one of licences.
   *
   * @throws Refusal when it is not
   */
  static void checkHasSome(Reservation r) {
    if (r.nodes().isEmpty() && (!r.has(ReservationFlag.ANY_NODES) || r.licenses().isEmpty())) {
      throw ReservationFields.invalid("without nodes it needs Flags=ANY_NODES and licences");
    }
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

  /** The partition that was named; null when none was. */
  private @Nullable Partition partition(Reservation r) {
    String name = fields.get("partitionname");
    if (name == null) {
      return r.partition().isEmpty() ? null : turn.state().partitions().get(r.partition());
    }
    Partition partition = turn.state().partitions().get(name);
    if (partition == null) {
      throw new Refusal(SlurmError.INVALID_PARTITION_NAME, "\n" + name);
    }
    return partition;
  }

  /**
   * The partition from which nodes are taken: the first in which it may be used, or the default.
   */
  private Partition pool(Reservation r) {
    Partition named = partition(r);
    if (named == null && !r.allowedPartitions().isEmpty()) {
      String first = r.allowedPartitions().getFirst().replaceFirst("^-", "");
      named = turn.state().partitions().get(first);
    }
    return orDefault(named);
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

  private List<String> everyNode() {
    return turn.state().nodesInOrder().stream().map(Node::name).toList();
  }

  private static List<String> expand(String text) {
    try {
      return HostList.parse(text).expand();
    } catch (IllegalArgumentException e) {
      throw new Refusal(SlurmError.INVALID_NODE_NAME, "\n" + e.getMessage());
    }
  }

  /** Nodes=n[1-2], and changes of those it had: +n3,-n1 and Nodes+=n3. */
  private List<String> changed(List<String> before, String text) {
    boolean signed = text.startsWith("+=") || text.startsWith("-=");
    if (!signed && !text.startsWith("+") && !text.startsWith("-")) {
      return known(expand(text));
    }
    Set<String> nodes = new TreeSet<>(before);
    String list = signed ? text.substring(2) : text;
    for (String part : signed ? new String[] {list} : list.split(",(?=[+-])", -1)) {
      List<String> names = known(expand(signed ? part : part.substring(1)));
      if ((signed ? text : part).startsWith("+")) {
        nodes.addAll(names);
      } else {
        names.forEach(nodes::remove);
      }
    }
    return inOrder(nodes);
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

  /** Cores and GRES of as few nodes as asked for, or of all of them. */
  private Reservation inPart(Reservation r, Partition pool, List<String> open) {
    return new ReservedCores(turn, places, demand, r).choose(open, pool).withPartition(pool.name());
  }
}
