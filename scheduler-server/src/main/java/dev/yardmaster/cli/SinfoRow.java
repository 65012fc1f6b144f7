package dev.yardmaster.cli;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeUse;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NodeStateText;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LongSummaryStatistics;
import java.util.function.LongFunction;
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

  Collection<NodeUse> uses() {
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

  /** What nodes have measured: the number where all agree, else the least and the most. */
  String range(ToLongFunction<NodeMeasure> value, LongFunction<String> text) {
    LongSummaryStatistics all =
        uses().stream()
            .mapToLong(use -> value.applyAsLong(use.node().measure()))
            .summaryStatistics();
    if (isEmpty()) {
      return text.apply(0);
    }
    String min = text.apply(all.getMin());
    return all.getMin() == all.getMax() ? min : min + "-" + text.apply(all.getMax());
  }

  /** The least of what its nodes have measured. */
  long measured(ToLongFunction<NodeMeasure> value) {
    return uses().stream()
        .mapToLong(use -> value.applyAsLong(use.node().measure()))
        .min()
        .orElse(0);
  }

  /** The least of a number of its nodes. */
  long minimum(ToLongFunction<NodeSpec> value) {
    return uses().stream().mapToLong(use -> value.applyAsLong(use.node().spec())).min().orElse(0);
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
      counts[0] += held;
      counts[isOut(use) ? 2 : 1] += total - held;
      counts[3] += total;
    }
    return counts;
  }

  private static int kind(NodeUse use) {
    NodeBaseState base = use.state().base();
    if (base == NodeBaseState.ALLOCATED
        || base == NodeBaseState.MIXED
        || use.state().has(NodeFlag.COMPLETING)) {
      return 0;
    }
    return isOut(use) ? 2 : 1;
  }

  /** Whether nothing new is started on it, as sinfo counts that: drained or down. */
  private static boolean isOut(NodeUse use) {
    return use.state().has(NodeFlag.DRAIN) || use.state().base() == NodeBaseState.DOWN;
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
