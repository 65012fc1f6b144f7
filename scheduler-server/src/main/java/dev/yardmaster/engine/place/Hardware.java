package dev.yardmaster.engine.place;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Topology;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes are made of, in flat arrays by node index; the index is the place of the node in
 * the configuration, which is the order in which Slurm looks at nodes. Never changed after it was
 * made, so passes, forks and plans share it.
 */
public final class Hardware {
  /** One kind of generic resource, for example gpu of type h100. */
  public record Kind(String name, @Nullable String type) {
    /** As users write it: {@code gpu:h100}. */
    public String text() {
      return type == null ? name : name + ":" + type;
    }

    boolean isGpu() {
      return name.equals("gpu");
    }

    /** Whether it is a part of a GPU rather than a device of its own. */
    boolean sharing() {
      return name.equals("shard") || name.equals("mps");
    }

    /** Whether jobs share one GPU of a node at a time, as with mps (gres.conf(5)). */
    boolean onOneGpu() {
      return name.equals("mps");
    }
  }

  /** Greater weights count as this. */
  private static final int MOST_WEIGHT = (1 << 21) - 1;

  static final GresDevices NONE = GresDevices.counted("", null, 0);

  final int size;
  final List<NodeSpec> specs;
  final int[] sockets;
  final int[] coresPerSocket;
  final int[] cpusPerCore;
  final int[] cpus;

  /** 1 for nodes that boot, 2 for those that sleep: jobs get them last, whatever their Weight. */
  private final int[] asleep;

  final long[] memory;

  /** Words per node in a map of cores. */
  final int coreWords;

  /** Cores that jobs may use, by node: all but the specialized ones (CoreSpecCount). */
  final long[] usableCores;

  final List<Kind> kinds;

  /** By kind and node; {@link #NONE} where the node has none. */
  final GresDevices[][] devices;

  /** The kinds of which a node has devices near to some of its cores. */
  private final BitSet nearKinds = new BitSet();

  private final Set<String> names = new TreeSet<>();
  private final Map<String, Integer> index = new LinkedHashMap<>();
  private final List<Set<String>> features;

  /** By name of the topology; nothing for one that does not matter. */
  private final Map<String, Wiring> wirings = new TreeMap<>();

  private final Map<String, Blocks> blocks = new TreeMap<>();

  private final Map<String, Units> units = new TreeMap<>();
  private final String usual;

  /** Made when first asked for, always of the same lines of the configuration. */
  private @Nullable HeldNodes heldNodes;

  private Hardware(List<Node> nodes, List<Topology> topologies, boolean specCoresFirst) {
    specs = nodes.stream().map(Node::spec).toList();
    asleep =
        nodes.stream()
            .map(Node::status)
            .mapToInt(s -> s.has(NodeFlag.POWERED_DOWN) ? 2 : s.bootsFirst() ? 1 : 0)
            .toArray();
    size = specs.size();
    sockets = new int[size];
    coresPerSocket = new int[size];
    cpusPerCore = new int[size];
    cpus = new int[size];
    memory = new long[size];
    features = new ArrayList<>(size);
    int mostCores = 1;
    TreeMap<String, Kind> byText = new TreeMap<>();
    for (int n = 0; n < size; n++) {
      NodeSpec spec = specs.get(n);
      index.put(spec.name(), n);
      sockets[n] = Math.max(1, spec.sockets());
      coresPerSocket[n] = Math.max(1, spec.coresPerSocket());
      int cores = sockets[n] * coresPerSocket[n];
      cpus[n] = Math.max(1, spec.cpus());
      cpusPerCore[n] = Math.max(1, cpus[n] / cores);
      memory[n] = Math.max(0, spec.realMemoryMib() - spec.memSpecLimitMib());
      features.add(new TreeSet<>(spec.features()));
      mostCores = Math.max(mostCores, cores);
      for (GresDevices gres : spec.gres()) {
        Kind kind = new Kind(gres.name(), gres.type());
        byText.put(kind.text(), kind);
      }
    }
    coreWords = (mostCores + 63) >> 6;
    usableCores = new long[size * coreWords];
    kinds = List.copyOf(byText.values());
    devices = new GresDevices[kinds.size()][size];
    for (GresDevices[] row : devices) {
      Arrays.fill(row, NONE);
    }
    for (int n = 0; n < size; n++) {
      markUsableCores(n, specCoresFirst);
      for (GresDevices gres : specs.get(n).gres()) {
        int kind = kinds.indexOf(new Kind(gres.name(), gres.type()));
        devices[kind][n] = gres;
        if (!gres.cores().isEmpty()) {
          nearKinds.set(kind);
        }
      }
    }
    usual = topologies.getFirst().name();
    for (Topology topology : topologies) {
      names.add(topology.name());
      Wiring wiring = Wiring.of(topology, this);
      if (wiring != null) {
        wirings.put(topology.name(), wiring);
      }
      Rings rings = Rings.of(topology, this);
      Units parts = rings == null ? Tori.of(topology, this) : rings;
      if (parts != null) {
        units.put(topology.name(), parts);
      }
      Blocks own = Blocks.of(topology, this);
      if (own != null) {
        blocks.put(topology.name(), own);
      }
    }
  }

  /** The hardware of a state's nodes, by name: of equal nodes Slurm takes the first by name. */
  public static Hardware of(ClusterState state) {
    return new Hardware(
        state.nodesInOrder().stream()
            .sorted(Comparator.comparing(Node::name, HostList.ORDER))
            .toList(),
        Stream.concat(
                Stream.of(state.config().topology()), state.config().otherTopologies().stream())
            .toList(),
        state.config().scheduling().parameters().containsKey("spec_cores_first"));
  }

  /** Weight of slurm.conf; nodes that have to boot first come after all others. */
  int weight(int node) {
    return Math.min(specs.get(node).weight(), MOST_WEIGHT) + asleep[node] * (MOST_WEIGHT + 1);
  }

  /** Which nodes are alike, for limits on nodes that others hold already. */
  HeldNodes heldNodes() {
    HeldNodes known = heldNodes;
    if (known == null) {
      known = new HeldNodes(this);
      heldNodes = known;
    }
    return known;
  }

  /**
   * CPUs fewer than cores leave the last cores out. Specialized cores are taken round the sockets,
   * from the last core of the last one, or from the first of the first (slurm.conf(5),
   * SchedulerParameters=spec_cores_first).
   */
  private void markUsableCores(int n, boolean fromFirst) {
    int cores = Math.min(sockets[n] * coresPerSocket[n], cpus[n]);
    for (int core = 0; core < cores; core++) {
      usableCores[n * coreWords + (core >> 6)] |= 1L << core;
    }
    int left = specs.get(n).coreSpecCount();
    for (int i = 0; i < sockets[n] * coresPerSocket[n] && left > 0; i++) {
      int place = fromFirst ? i : sockets[n] * coresPerSocket[n] - 1 - i;
      // place by place over the sockets: the core of a socket changes last
      int core = place % sockets[n] * coresPerSocket[n] + place / sockets[n];
      if (core < cores) {
        usableCores[n * coreWords + (core >> 6)] &= ~(1L << core);
        left--;
      }
    }
  }

  /** How the nodes are wired; null when that does not matter. */
  @Nullable Wiring wiring(String topology) {
    return wirings.get(topology);
  }

  /** The name of the topology that a partition's jobs are placed by (Topology=). */
  String topologyOf(Partition partition) {
    String own = partition.other().getOrDefault("Topology", "");
    return names.contains(own) ? own : usual;
  }

  /**
   * Whether units of a topology can be one job's alone (--exclusive=topo): blocks and rings, where
   * the usual topology has them as well. Others are told, and planned, but not kept free.
   */
  boolean keepsUnits(String topology) {
    return hasUnits(usual) && hasUnits(topology);
  }

  private boolean hasUnits(String topology) {
    return blocks.containsKey(topology) || units.get(topology) instanceof Rings;
  }

  /** The rings or tori of the nodes; null without. */
  @Nullable Units units(String topology) {
    return units.get(topology);
  }

  /** The nodes of the base block, leaf switch, ring or torus of a node; else the node alone. */
  public long[] unitOf(String topology, int node) {
    Blocks ofBlocks = blocks.get(topology);
    Wiring ofSwitches = wirings.get(topology);
    Units parts = units.get(topology);
    List<long[]> ofParts = parts != null ? parts.sets() : List.of();
    List<long[]> sets =
        ofBlocks != null ? ofBlocks.base() : ofSwitches != null ? ofSwitches.leaves() : ofParts;
    for (long[] unit : sets) {
      if (Bits.has(unit, node)) {
        return unit;
      }
    }
    long[] alone = Bits.of(size);
    Bits.add(alone, node);
    return alone;
  }

  /** The blocks of the nodes; null without topology/block. */
  @Nullable Blocks blocks(String topology) {
    return blocks.get(topology);
  }

  public int size() {
    return size;
  }

  public NodeSpec spec(int node) {
    return specs.get(node);
  }

  public String name(int node) {
    return specs.get(node).name();
  }

  /** Whether no daemon serves it, so that only jobs that need none may have it. */
  public boolean external(int node) {
    return specs.get(node).external();
  }

  public Set<String> features(int node) {
    return features.get(node);
  }

  /** The index of a node, or -1. */
  public int indexOf(String name) {
    return index.getOrDefault(name, -1);
  }

  /** The set of the named nodes; unknown names are left out. */
  public long[] setOf(Collection<String> names) {
    long[] set = Bits.of(size);
    for (String name : names) {
      int node = indexOf(name);
      if (node >= 0) {
        Bits.add(set, node);
      }
    }
    return set;
  }

  /** The names of a set's members, in configuration order. */
  public List<String> names(long[] set) {
    List<String> names = new ArrayList<>();
    for (int n = Bits.next(set, 0); n >= 0; n = Bits.next(set, n + 1)) {
      names.add(name(n));
    }
    return names;
  }

  /** CPUs of all nodes of a set. */
  public int cpusOf(long[] nodes) {
    int total = 0;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      total += cpus[n];
    }
    return total;
  }

  /** Memory of all nodes of a set, in MiB, without what the system keeps. */
  public long memoryOf(long[] nodes) {
    long total = 0;
    for (int n = Bits.next(nodes, 0); n >= 0; n = Bits.next(nodes, n + 1)) {
      total += memory[n];
    }
    return total;
  }

  public int totalCpus() {
    int total = 0;
    for (int c : cpus) {
      total += c;
    }
    return total;
  }

  long deviceCount(int kind, int node) {
    return devices[kind][node].count();
  }

  /** How many GPUs of any type a node has. */
  int gpus(int node) {
    long count = 0;
    for (int k = 0; k < kinds.size(); k++) {
      count += kinds.get(k).isGpu() ? devices[k][node].count() : 0;
    }
    return (int) Math.min(64, count);
  }

  /** How much of a sharing resource one GPU carries: Count spread evenly over the GPUs. */
  long sharedOn(int gpu, int kind, int node) {
    int gpus = Math.max(1, gpus(node));
    long count = devices[kind][node].count();
    return count / gpus + (gpu < count % gpus ? 1 : 0);
  }

  /** The cores that a GPU is near to; none where it is near to none in particular. */
  IndexSet coresOfGpu(int node, int gpu) {
    for (int k = 0; k < kinds.size(); k++) {
      int at = gpu - devices[k][node].firstIndex();
      if (kinds.get(k).isGpu() && at >= 0 && at < devices[k][node].count()) {
        List<IndexSet> near = devices[k][node].cores();
        return at < near.size() ? near.get(at) : IndexSet.EMPTY;
      }
    }
    return IndexSet.EMPTY;
  }

  /** The socket that a GPU is near to; -1 for none. */
  int socketOfGpu(int node, int gpu) {
    return socketOf(node, coresOfGpu(node, gpu));
  }

  /** What is left of it on one GPU, given what is used by node and GPU, 64 to a node. */
  long sharedLeft(int gpu, int kind, int node, int[] used) {
    int here = used[(node << 6) + gpu];
    boolean usedBeside =
        kinds.get(kind).onOneGpu() && Arrays.stream(used, node << 6, (node + 1) << 6).sum() > here;
    return usedBeside ? 0 : sharedOn(gpu, kind, node) - here;
  }

  /** Whether a shape asks for devices of which some are near to cores (gres.conf, Cores=). */
  boolean hasNearDevices(Shape shape) {
    for (Shape.Demand demand : shape.demands) {
      for (int kind : demand.kinds()) {
        if (nearKinds.get(kind)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the devices of this kind on this node can be told apart. */
  boolean hasIndices(int kind, int node) {
    return devices[kind][node].haveIndices();
  }

  /** So many CPUs, rounded up to whole cores. */
  long wholeCores(int node, long cpus) {
    return Math.ceilDiv(cpus, cpusPerCore[node]) * cpusPerCore[node];
  }

  /** The socket on which the first of some cores lies; -1 for no core. */
  int socketOf(int node, IndexSet cores) {
    int first = cores.toBitSet().nextSetBit(0);
    return first < 0 ? -1 : first / coresPerSocket[node];
  }

  /** Cores of a node that jobs may use. */
  int usableCoresOf(int node) {
    int usable = 0;
    for (int w = node * coreWords; w < (node + 1) * coreWords; w++) {
      usable += Long.bitCount(usableCores[w]);
    }
    return usable;
  }

  /** Cores of a socket that jobs may use. */
  int usableCoresOf(int node, int socket) {
    int usable = 0;
    for (int c = socket * coresPerSocket[node]; c < (socket + 1) * coresPerSocket[node]; c++) {
      usable += (usableCores[node * coreWords + (c >> 6)] & 1L << c) != 0 ? 1 : 0;
    }
    return usable;
  }

  /** CPUs of one whole socket of a node. */
  int cpusPerSocket(int node) {
    return Math.max(1, coresPerSocket[node] * cpusPerCore[node]);
  }

  /**
   * The kind of what a job holds, or -1. Of parts of GPUs that have no kind of that type, the one
   * without a type is meant, or any.
   */
  int kindOf(GresShare share) {
    int kind = -1;
    for (int k = 0; k < kinds.size(); k++) {
      Kind candidate = kinds.get(k);
      if (!candidate.name().equals(share.name())) {
        continue;
      }
      if (Objects.equals(candidate.type(), share.type())) {
        return k;
      }
      boolean untyped = kind < 0 || candidate.type() == null;
      kind = candidate.sharing() && untyped ? k : kind;
    }
    return kind;
  }

  /** The kinds that satisfy a request for this name and type. */
  int[] kindsOf(String name, @Nullable String type) {
    int[] found = new int[kinds.size()];
    int count = 0;
    for (int k = 0; k < kinds.size(); k++) {
      Kind kind = kinds.get(k);
      if (kind.name().equals(name) && (type == null || type.equals(kind.type()))) {
        found[count++] = k;
      }
    }
    return Arrays.copyOf(found, count);
  }
}
