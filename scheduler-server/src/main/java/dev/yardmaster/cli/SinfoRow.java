package dev.yardmaster.cli;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NodeStateText;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * One line of sinfo: nodes of a partition that agree in everything that is shown of them one by
 * one. A partition of which no node is listed has a line without nodes.
 *
 * @param order place of the partition in the configuration
 * @param nodes by name
 */
record SinfoRow(Partition partition, int order, LinkedHashMap<String, NodeUse> nodes) {
  SinfoRow(Partition partition, int order) {
    this(partition, order, new LinkedHashMap<>());
  }

  private Collection<NodeUse> uses() {
    return nodes.values();
  }

  boolean isEmpty() {
    return nodes.isEmpty();
  }

  /** The first of the nodes, which agree in what is asked here. */
  NodeUse first() {
    return nodes.values().iterator().next();
  }

  NodeSpec spec() {
    return first().node().spec();
  }

  Node node() {
    return first().node();
  }

  NodeStateText state() {
    return first().state();
  }

  String nodeList() {
    return HostList.fold(nodes.keySet());
  }

  /** The number where all nodes agree, the least with "+" where they do not. */
  String least(ToLongFunction<NodeSpec> value) {
    if (isEmpty()) {
      return "0";
    }
    long min = Long.MAX_VALUE;
    long max = Long.MIN_VALUE;
    for (NodeUse use : uses()) {
      long one = value.applyAsLong(use.node().spec());
      min = Math.min(min, one);
      max = Math.max(max, one);
    }
    return min == max ? Long.toString(min) : min + "+";
  }

  /** Nodes that run something / can start something / neither / all. */
  int[] nodeCounts() {
    int[] counts = new int[4];
    for (NodeUse use : uses()) {
      counts[kind(use)]++;
      counts[3]++;
    }
    return counts;
  }

  /** CPUs held / free / of nodes that cannot be used / all. */
  int[] cpuCounts() {
    int[] counts = new int[4];
    for (NodeUse use : uses()) {
      int total = use.node().spec().cpus();
      int held = Math.min(use.cpus(), total);
      boolean usable = isUsable(use);
      counts[0] += held;
      counts[usable ? 1 : 2] += total - held;
      counts[3] += total;
    }
    return counts;
  }

  private static int kind(NodeUse use) {
    if (!isUsable(use) && use.cpus() == 0) {
      return 2;
    }
    return switch (use.state().base()) {
      case ALLOCATED, MIXED -> 0;
      case IDLE -> use.state().has(NodeFlag.COMPLETING) ? 0 : 1;
      case UNKNOWN, DOWN, ERROR, FUTURE -> 2;
    };
  }

  private static boolean isUsable(NodeUse use) {
    return switch (use.state().base()) {
      case ALLOCATED, MIXED, IDLE ->
          !use.state().has(NodeFlag.DRAIN)
              && !use.state().has(NodeFlag.FAIL)
              && !use.state().has(NodeFlag.NOT_RESPONDING);
      case UNKNOWN, DOWN, ERROR, FUTURE -> false;
    };
  }

  static String slashes(int[] counts, int from, int to) {
    StringBuilder out = new StringBuilder();
    for (int i = from; i < to; i++) {
      out.append(i == from ? "" : "/").append(counts[i]);
    }
    return out.toString();
  }

  /** GRES as slurm.conf writes it: {@code gpu:h100:8}. */
  static String gres(NodeSpec spec) {
    String list =
        spec.gres().stream().map(g -> name(g) + ":" + g.count()).collect(Collectors.joining(","));
    return JobFacts.orNull(list);
  }

  private static String name(GresDevices devices) {
    return devices.type() == null ? devices.name() : devices.name() + ":" + devices.type();
  }

  /** GRES in use with its indices where it has some: {@code gpu:h100:2(IDX:0-1)}. */
  static String gresUsed(NodeUse use) {
    String list =
        use.node().spec().gres().stream()
            .map(
                devices -> {
                  NodeUse.Held held = use.held(devices);
                  if (!devices.haveIndices()) {
                    return name(devices) + ":" + held.count();
                  }
                  String indices = held.devices().isEmpty() ? "N/A" : held.devices().toString();
                  return name(devices) + ":" + held.count() + "(IDX:" + indices + ")";
                })
            .collect(Collectors.joining(","));
    return JobFacts.orNull(list);
  }
}
