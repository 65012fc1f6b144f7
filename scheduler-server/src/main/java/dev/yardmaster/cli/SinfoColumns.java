package dev.yardmaster.cli;

import static dev.yardmaster.cli.JobFacts.NOT_APPLICABLE;
import static dev.yardmaster.cli.JobFacts.NULL;
import static dev.yardmaster.cli.JobFacts.orNull;

import dev.yardmaster.client.Credential;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.TimeLimits;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The columns of sinfo(1). Each belongs to a kind: of the partition, of each node by itself (only
 * nodes that agree share a line), or summed up over the nodes of a line.
 */
final class SinfoColumns {
  /** What a column is about. */
  enum Kind {
    /** The name of the partition: every partition has a line, even one without nodes. */
    NAME,
    PARTITION,
    NODE,
    /** Summed up, unless lines are to be exact. */
    SIZE,
    SUM
  }

  private final Map<Character, Layout.Field<SinfoRow>> letters = new HashMap<>();
  private final Map<String, Layout.Field<SinfoRow>> names = new HashMap<>();
  private final Map<Layout.Field<SinfoRow>, Kind> kinds = new IdentityHashMap<>();
  private final Map<String, String> reserved = new HashMap<>();
  private final ZoneId zone;
  private final Machine machine;

  SinfoColumns(ZoneId zone, Machine machine) {
    this.zone = zone;
    this.machine = machine;
    ofPartitions();
    ofNodes();
    sums();
    letters.put(ColumnTable.NO_LETTER, names.get("allocmem"));
  }

  Map<Character, Layout.Field<SinfoRow>> letters() {
    return letters;
  }

  Map<String, Layout.Field<SinfoRow>> names() {
    return names;
  }

  /** Takes the reservations that hold nodes now. */
  void reserve(Collection<Reservation> reservations, Instant now) {
    for (Reservation reservation : reservations) {
      if (reservation.isActive(now)) {
        reservation.nodes().forEach(node -> reserved.put(node, reservation.name()));
      }
    }
  }

  Kind kind(Layout.Field<SinfoRow> field) {
    return kinds.getOrDefault(field, Kind.SUM);
  }

  private void add(Kind kind, String keys, String header, Function<SinfoRow, String> text) {
    boolean whole = WHOLE_HEADS.contains(header);
    Layout.Field<SinfoRow> field =
        new Layout.Field<>(header, text, whole, shown -> false, keys.startsWith("P "));
    kinds.put(field, kind);
    for (String key : keys.split(" ")) {
      if (key.length() == 1) {
        letters.put(key.charAt(0), field);
      } else {
        names.put(key.toLowerCase(Locale.ROOT), field);
      }
    }
  }

  /** Heads that are not cut where their column is narrower and its texts stand to the right. */
  private static final Set<String> WHOLE_HEADS = Set.of("HOSTNAMES", "NODELIST", "NODE_ADDR");

  private void partition(String keys, String header, Function<Partition, String> text) {
    add(Kind.PARTITION, keys, header, row -> text.apply(row.partition()));
  }

  private void node(String keys, String header, String none, Function<SinfoRow, String> text) {
    add(Kind.NODE, keys, header, row -> row.isEmpty() ? none : text.apply(row));
  }

  private void size(String keys, String header, Function<SinfoRow, String> text) {
    add(Kind.SIZE, keys, header, text);
  }

  private void sum(String keys, String header, Function<SinfoRow, String> text) {
    add(Kind.SUM, keys, header, text);
  }

  private void ofPartitions() {
    add(Kind.NAME, "P partition", "PARTITION", row -> name(row.partition()));
    add(Kind.NAME, "R partitionname", "PARTITION", row -> row.partition().name());
    partition("a available", "AVAIL", p -> available(p.state()));
    partition("l time", "TIMELIMIT", p -> limit(p.maxTimeMinutes()));
    partition(
        "L defaulttime",
        "DEFAULTTIME",
        p -> p.defaultTimeMinutes() == null ? "n/a" : limit(p.defaultTimeMinutes()));
    partition(
        "B maxcpuspernode",
        "MAX_CPUS_PER_NODE",
        p ->
            p.maxCpusPerNode() == Partition.UNLIMITED
                ? "UNLIMITED"
                : Integer.toString(p.maxCpusPerNode()));
    partition(
        "g groups",
        "GROUPS",
        p -> p.allowGroups().isEmpty() ? "all" : String.join(",", p.allowGroups()));
    // Only under its old name does it keep the nodes of partitions apart.
    sum("h oversubscribe", "OVERSUBSCRIBE", r -> share(r.partition()));
    partition("share", "OVERSUBSCRIBE", SinfoColumns::share);
    partition(
        "I priorityjobfactor", "PRIO_JOB_FACTOR", p -> Integer.toString(p.priorityJobFactor()));
    partition("p prioritytier", "PRIO_TIER", p -> Integer.toString(p.priorityTier()));
    partition("M preemptmode", "PREEMPT_MODE", p -> p.other().getOrDefault("PreemptMode", "OFF"));
    partition("r root", "ROOT", p -> p.rootOnly() ? "yes" : "no");
    partition("s size", "JOB_SIZE", SinfoColumns::size);
    sum("S allocnodes", "ALLOCNODES", r -> r.partition().other().getOrDefault("AllocNodes", "all"));
    sum("V cluster", "CLUSTER", r -> NOT_APPLICABLE);
  }

  /**
   * What nodes must agree in to share a line where a column is shown. Partitions that say what
   * holds for them without a word, and those that keep nodes whole, are others to Slurm though they
   * read the same.
   */
  String key(Layout.Field<SinfoRow> field, SinfoRow row) {
    Partition partition = row.partition();
    return switch (field.header()) {
      case "PREEMPT_MODE" -> field.text().apply(row) + partition.other().containsKey("PreemptMode");
      case "OVERSUBSCRIBE" -> partition.overSubscribe();
      default -> field.text().apply(row);
    };
  }

  private static String name(Partition partition) {
    return partition.isDefault() ? partition.name() + "*" : partition.name();
  }

  /** Jobs that may share the CPUs of its nodes; whole nodes are another matter to Slurm. */
  private static String share(Partition partition) {
    String share = partition.overSubscribe();
    return share.equals("EXCLUSIVE") ? "NO" : share;
  }

  private static String available(PartitionState state) {
    return switch (state) {
      case UP -> "up";
      case DOWN -> "down";
      case DRAIN -> "drain";
      case INACTIVE -> "inactive";
    };
  }

  private static String limit(long minutes) {
    return minutes == Partition.UNLIMITED ? "infinite" : TimeLimits.formatSqueue(60 * minutes);
  }

  private static String size(Partition partition) {
    int min = Math.max(1, partition.minNodes());
    if (partition.maxNodes() == Partition.UNLIMITED) {
      return min + "-infinite";
    }
    return min == partition.maxNodes() ? Integer.toString(min) : min + "-" + partition.maxNodes();
  }

  private void ofNodes() {
    node("t statecompact", "STATE", "n/a", r -> r.state().sinfo());
    node("T statelong", "STATE", "n/a", r -> r.state().sinfoLong());
    node(
        "statecomplete",
        "STATECOMPLETE",
        "n/a",
        r -> r.state().toString().toLowerCase(Locale.ROOT));
    node("b features_act", "ACTIVE_FEATURES", NULL, r -> features(r.spec().features()));
    node("f features", "AVAIL_FEATURES", NULL, r -> features(r.spec().availableFeatures()));
    node("G gres", "GRES", NULL, r -> SinfoRow.gres(r.spec()));
    node("gresused", "GRES_USED", NULL, r -> SinfoRow.gresUsed(r.first()));
    node(
        "E reason",
        "REASON",
        "none",
        r -> r.node().status().reason().isEmpty() ? "none" : r.node().status().reason());
    node("H timestamp", "TIMESTAMP", "Unknown", this::reasonTime);
    node("u user", "USER", "Unknown", r -> reasonUser(r, "Unknown"));
    node("U userlong", "USER", "Unknown", this::longReasonUser);
    node("n nodehost", "HOSTNAMES", "", r -> r.spec().hostname());
    node("o nodeaddr", "NODE_ADDR", "", r -> r.spec().address());
    node("v version", "VERSION", NOT_APPLICABLE, r -> orNull(r.node().status().version()));
    node("allocmem", "ALLOCMEM", "0", r -> Long.toString(r.first().memoryMib()));
    node("comment", "COMMENT", NULL, r -> orNull(r.node().status().comment()));
    node("extra", "EXTRA", NULL, r -> orNull(r.node().status().extra()));
    node(
        "i reservation",
        "RESERVATION",
        "",
        r -> reserved.getOrDefault(r.first().node().name(), ""));
  }

  private static String features(List<String> names) {
    return orNull(String.join(",", names));
  }

  private String reasonTime(SinfoRow row) {
    return row.node().status().reasonTime() == null
        ? "Unknown"
        : Instants.format(row.node().status().reasonTime(), zone);
  }

  private static String reasonUser(SinfoRow row, String none) {
    String user = row.node().status().reasonUser();
    return user.isEmpty() ? none : user;
  }

  /** With the user's number, where this machine knows it. */
  private String longReasonUser(SinfoRow row) {
    String user = reasonUser(row, "Unknown");
    Credential known = user.equals("Unknown") ? null : machine.find(user);
    return known == null ? user : user + "(" + known.uid() + ")";
  }

  private void sums() {
    sum("N nodelist", "NODELIST", SinfoRow::nodeList);
    sum("D nodes", "NODES", r -> Integer.toString(r.nodes().size()));
    sum("A nodeai", "NODES(A/I)", r -> SinfoRow.slashes(r.nodeCounts(), 0, 2));
    sum("F nodeaiot", "NODES(A/I/O/T)", r -> SinfoRow.slashes(r.nodeCounts(), 0, 4));
    sum("C cpusstate", "CPUS(A/I/O/T)", r -> SinfoRow.slashes(r.cpuCounts(), 0, 4));
    size("c cpus", "CPUS", r -> r.least(NodeSpec::cpus));
    size("m memory", "MEMORY", r -> r.least(NodeSpec::realMemoryMib));
    size("d disk", "TMP_DISK", r -> r.least(NodeSpec::tmpDiskMib));
    size("w weight", "WEIGHT", r -> r.least(NodeSpec::weight));
    size("X sockets", "SOCKETS", r -> r.least(NodeSpec::sockets));
    size("Y cores", "CORES", r -> r.least(NodeSpec::coresPerSocket));
    size("Z threads", "THREADS", r -> r.least(NodeSpec::threadsPerCore));
    size(
        "z socketcorethread",
        "S:C:T",
        r ->
            r.least(NodeSpec::sockets)
                + ":"
                + r.least(NodeSpec::coresPerSocket)
                + ":"
                + r.least(NodeSpec::threadsPerCore));
    size("port", "PORT", r -> r.isEmpty() ? "0" : Integer.toString(r.spec().port()));
    size("e freemem", "FREE_MEM", r -> r.range(NodeMeasure::freeMib, NodeText::free));
    size("O cpusload", "CPU_LOAD", r -> r.range(NodeMeasure::cpuLoadPercent, NodeText::load));
  }
}
