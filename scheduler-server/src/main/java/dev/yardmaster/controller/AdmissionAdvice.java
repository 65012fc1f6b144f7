package dev.yardmaster.controller;

import dev.yardmaster.engine.Admission.Kind;
import dev.yardmaster.engine.Admission.Problem;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.text.Memory;
import dev.yardmaster.model.text.TimeLimits;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/** What a refused job asks for and what its partition has or allows, beside Slurm's own words. */
final class AdmissionAdvice {
  private AdmissionAdvice() {}

  /** One sentence without a full stop; empty where nothing is to be added. */
  static String of(ClusterState state, Job job, Problem problem) {
    Partition p = state.partitions().get(problem.partition());
    return p == null ? "" : "partition " + p.name() + " " + said(state, job, p, problem.kind());
  }

  private static String said(ClusterState state, Job job, Partition p, Kind kind) {
    JobRequest r = job.request();
    return switch (kind) {
      case PARTITION_UNAVAILABLE -> "is " + p.state() + ", it takes no jobs";
      case ACCESS_DENIED ->
          p.rootOnly()
              ? "takes jobs of root only (RootOnly=YES)"
              : "takes jobs in a reservation only (ReqResv=YES)";
      case ACCOUNT_NOT_ALLOWED ->
          rule("Accounts", p.allowAccounts(), p.denyAccounts(), job.owner().account());
      case QOS_NOT_ALLOWED -> rule("Qos", p.allowQos(), p.denyQos(), job.owner().qos());
      case GROUP_NOT_ALLOWED -> rule("Groups", p.allowGroups(), List.of(), job.owner().group());
      case PARTITION_SIZE ->
          "allows "
              + nodes(p.maxNodes())
              + " a job (MaxNodes), and the job's tasks may come to more";
      case NODE_COUNT -> nodeCount(p, r);
      case CPU_COUNT -> "has " + cpus(state, p) + " CPUs on all its nodes together";
      case MEMORY_LIMIT -> memoryLimit(p, r);
      case TIME_LIMIT ->
          "allows a time limit of "
              + TimeLimits.formatSqueue(p.maxTimeMinutes() * 60)
              + " (MaxTime)";
      case NODE_CONFIG -> nodeConfig(state, p, r);
      case TOPO_CONFIG -> "has no ring or torus with a place of that form";
      case NODE_NAME -> "lacks a node that the job names, or the job excludes what it names";
      case FEATURE, LICENSE, RESERVATION, RESERVATION_ACCESS -> "refuses it";
    };
  }

  private static String rule(String what, List<String> allowed, List<String> denied, String asked) {
    String rule =
        allowed.isEmpty()
            ? "Deny" + what + "=" + String.join(",", denied)
            : "Allow" + what + "=" + String.join(",", allowed);
    return "has " + rule + ", and the job comes with " + (asked.isEmpty() ? "none" : asked);
  }

  private static String nodeCount(Partition p, JobRequest r) {
    if (r.maxNodes() < p.minNodes()) {
      return "wants at least " + nodes(p.minNodes()) + " a job (MinNodes)";
    }
    return p.maxNodes() != Partition.UNLIMITED && r.minNodes() > p.maxNodes()
        ? "allows "
            + nodes(p.maxNodes())
            + " a job (MaxNodes), and the job asks for "
            + r.minNodes()
        : "has " + nodes(p.nodes().size()) + ", and the job asks for " + r.minNodes();
  }

  private static String nodes(long count) {
    return count == 1 ? "1 node" : count + " nodes";
  }

  private static String memoryLimit(Partition p, JobRequest r) {
    Long most = p.maxMemPerNodeMib();
    return most != null && r.memory() instanceof MemoryRequest.PerNode(long mib)
        ? "allows %s of memory on a node (MaxMemPerNode), and the job asks for %s"
            .formatted(Memory.format(most), Memory.format(mib))
        : "allows less memory on a node (MaxMemPerNode)";
  }

  /** The first thing of which no node of the partition has enough. */
  private static String nodeConfig(ClusterState state, Partition p, JobRequest r) {
    long cpus = most(state, p, NodeSpec::cpus);
    long asked =
        Math.max((long) r.cpusPerTask() * Math.max(1, r.tasksPerNode()), r.minCpusPerNode());
    if (asked > cpus) {
      return "has at most " + cpus + " CPUs on a node, and the job asks for " + asked + " on one";
    }
    long memory = most(state, p, n -> n.realMemoryMib() - n.memSpecLimitMib());
    if (r.memory() instanceof MemoryRequest.PerNode(long mib) && mib > memory) {
      return "has at most %s of memory on a node, and the job asks for %s"
          .formatted(Memory.format(memory), Memory.format(mib));
    }
    for (GresRequest g : r.gres()) {
      long there = most(state, p, n -> devices(n, g));
      if (g.scope() != Scope.JOB && g.count() > there) {
        return "has at most %d of %s on a node, and the job asks for %d"
            .formatted(there, g.tresName().substring("gres/".length()), g.count());
      }
    }
    return "has no nodes that have all that the job asks for together";
  }

  private static long devices(NodeSpec node, GresRequest asked) {
    return node.gres().stream()
        .filter(
            g ->
                g.name().equals(asked.name())
                    && (asked.type() == null || asked.type().equals(g.type())))
        .mapToLong(g -> g.count())
        .sum();
  }

  private static long most(ClusterState state, Partition p, ToLongFunction<NodeSpec> of) {
    return specs(state, p).stream().mapToLong(of).max().orElse(0);
  }

  private static long cpus(ClusterState state, Partition p) {
    return specs(state, p).stream().mapToLong(NodeSpec::cpus).sum();
  }

  private static List<NodeSpec> specs(ClusterState state, Partition p) {
    Set<String> names = Set.copyOf(p.nodes());
    return state.nodesInOrder().stream()
        .map(Node::spec)
        .filter(n -> names.contains(n.name()))
        .toList();
  }
}
