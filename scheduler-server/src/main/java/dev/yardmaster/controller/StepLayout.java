package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.NodeCount;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which tasks of a new step go to which nodes of its job (srun(1), {@code --distribution}): how
 * many a node gets is found round the nodes, one task at a time or a plane at a time; which ones,
 * block by block, in turn ({@code cyclic}), plane by plane, or by the list of nodes ({@code
 * arbitrary}). A step that packs has no more nodes than its tasks need, unless it says how many,
 * and fills one after the other. Steps do not share CPUs, GPUs and memory unless they say so
 * (--overlap).
 */
final class StepLayout {
  private final Job job;
  private final Options options;
  private final int cpusPerTask;
  private final boolean exact;
  private final boolean shares;
  private final boolean overcommits;
  private final Distribution.Nodes method;
  private final int planeSize;
  private final boolean packs;
  private final Map<String, Integer> taken = new HashMap<>();
  private final StepGpus gpus;
  private final StepMemory memory;

  /**
   * @param running the steps that the job has already
   */
  StepLayout(Job job, Options options, ClusterConfig config, List<JobStep> running) {
    this.job = job;
    this.options = options;
    this.cpusPerTask = options.count("cpus-per-task", 1, 1);
    this.shares = options.has("overlap");
    this.overcommits = options.has("overcommit");
    Distribution wish = options.read("distribution", null, Distribution::parse);
    this.method = wish == null ? Distribution.Nodes.DEFAULT : wish.nodes();
    this.planeSize = wish == null ? 0 : wish.planeSize();
    this.packs = Distribution.packs(wish, config.scheduling().packsNodes());
    this.exact = (options.has("exact") || options.has("cpus-per-task")) && !options.has("whole");
    this.gpus = new StepGpus(job, options.values(), config, running);
    this.memory = new StepMemory(job, options, config.scheduling().countsMemory(), running);
    for (JobStep step : running) {
      step.layout().forEach(n -> taken.merge(n.node(), n.cpus(), Integer::sum));
    }
  }

  /**
   * @throws Refusal when the job has not what the step asks for, or has it not free
   */
  List<JobStep.OnNode> lay() {
    List<NodeShare> nodes = candidates();
    if (method == Distribution.Nodes.ARBITRARY) {
      return byName(nodes);
    }
    int perNode = options.count("ntasks-per-node", 1, 0);
    int asked = options.count("ntasks", 1, 0);
    int wanted = wanted(nodes, asked);
    int tasks = asked > 0 ? asked : wanted * Math.max(1, perNode);
    memory.check();
    boolean gpusSuffice = gpus.suffice(gpus.most(nodes, wanted), false);
    if (capacity(nodes, false) < tasks || !gpusSuffice) {
      if (!gpusSuffice || nodes.stream().mapToLong(n -> gpus.room(n, false)).sum() < tasks) {
        throw new Refusal(
            SlurmError.INVALID_GRES, "\nthe job has not the GPUs that the step asks for");
      }
      if (nodes.stream().mapToLong(this::cpuRoom).sum() >= tasks) {
        // As in Slurm, which looks at the memory of nodes only for what is free of it.
        throw new Refusal(
            SlurmError.NODES_BUSY, "\nthe job has not the memory that the step asks for");
      }
      throw new Refusal(
          SlurmError.TOO_MANY_CPUS,
          "\nthe job has room for "
              + capacity(nodes, false)
              + " tasks of "
              + cpusPerTask
              + " CPUs, the step has "
              + tasks);
    }
    List<NodeShare> chosen = new ArrayList<>();
    for (NodeShare node : nodes) {
      if (chosen.size() < wanted && room(node, true) > 0) {
        chosen.add(node);
      }
    }
    boolean fits = capacity(chosen, true) >= tasks && gpus.suffice(chosen, true);
    if (chosen.size() < wanted || !fits) {
      throw new Refusal(SlurmError.NODES_BUSY, "\nother steps of the job use what it has");
    }
    return numbered(chosen, counts(chosen, tasks, perNode));
  }

  private int cpuRoom(NodeShare node) {
    return overcommits ? Integer.MAX_VALUE : node.cpus() / cpusPerTask;
  }

  private List<NodeShare> candidates() {
    List<NodeShare> all = job.allocation() == null ? List.of() : job.allocation().shares();
    HostList named =
        options.read("nodelist", HostList.EMPTY, HostList::parse, SlurmError.INVALID_NODE_NAME);
    HostList excluded =
        options.read("exclude", HostList.EMPTY, HostList::parse, SlurmError.INVALID_NODE_NAME);
    for (String name : named.expand()) {
      if (all.stream().noneMatch(s -> s.node().equals(name))) {
        throw new Refusal(
            SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE,
            "\n" + name + " is no node of job " + job.displayId());
      }
    }
    List<NodeShare> first = all.stream().filter(s -> named.contains(s.node())).toList();
    List<NodeShare> rest =
        all.stream()
            .filter(s -> !named.contains(s.node()) && !excluded.contains(s.node()))
            .toList();
    List<NodeShare> nodes = new ArrayList<>(first);
    if (first.isEmpty() || options.has("nodes")) {
      nodes.addAll(rest);
    }
    int skip = options.count("relative", 0, 0);
    return nodes.subList(Math.min(skip, nodes.size()), nodes.size());
  }

  private int wanted(List<NodeShare> nodes, int tasks) {
    int there = nodes.size();
    String text = options.get("nodes");
    if (text == null) {
      return packs && tasks > 0 ? fewest(nodes, tasks) : tasks > 0 ? Math.min(there, tasks) : there;
    }
    NodeCount count = options.read("nodes", NodeCount.of(1), NodeCount::parse);
    if (count.min() > there) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Only allocated %d nodes asked for %d".formatted(there, count.min()));
    }
    if (packs && tasks > 0) {
      return Math.max(Math.max(1, count.min()), Math.min(fewest(nodes, tasks), tasks));
    }
    int most = Math.min(count.max(), there);
    return Math.max(1, tasks > 0 ? Math.min(most, tasks) : Math.max(count.min(), 1));
  }

  /** How many of the first nodes hold so many tasks; all when they do not. */
  private int fewest(List<NodeShare> nodes, int tasks) {
    long held = 0;
    int count = 0;
    while (count < nodes.size() && held < tasks) {
      held += room(nodes.get(count++), false);
    }
    return count;
  }

  private long capacity(List<NodeShare> nodes, boolean free) {
    return nodes.stream().mapToLong(n -> room(n, free)).sum();
  }

  /** Tasks that a node takes, with all that the job has there or what no other step has of it. */
  private int room(NodeShare node, boolean free) {
    int used = free && !shares ? taken.getOrDefault(node.node(), 0) : 0;
    int cpus = overcommits ? Integer.MAX_VALUE : Math.max(0, node.cpus() - used) / cpusPerTask;
    return Math.min(cpus, Math.min(gpus.room(node, free), memory.room(node, free, cpusPerTask)));
  }

  private int[] counts(List<NodeShare> nodes, int tasks, int perNode) {
    int[] counts = new int[nodes.size()];
    int left = tasks;
    for (int i = 0; i < counts.length && left > 0; i++) {
      counts[i] = perNode > 0 ? Math.min(perNode, left) : 1;
      left -= counts[i];
    }
    int together = 1;
    if (method == Distribution.Nodes.PLANE) {
      Arrays.fill(counts, 0);
      left = tasks;
      together = planeSize;
    } else if (packs) {
      together = Integer.MAX_VALUE;
    }
    for (int i = 0; left > 0; i = (i + 1) % counts.length) {
      int room = room(nodes.get(i), true) - counts[i];
      int more = Math.min(left, Math.min(together, room));
      counts[i] += Math.max(0, more);
      left -= Math.max(0, more);
    }
    return counts;
  }

  private List<JobStep.OnNode> numbered(List<NodeShare> nodes, int[] counts) {
    List<List<Integer>> tasks = new ArrayList<>();
    nodes.forEach(n -> tasks.add(new ArrayList<>()));
    int next = 0;
    boolean inTurn = method == Distribution.Nodes.CYCLIC || method == Distribution.Nodes.PLANE;
    if (inTurn) {
      int together = Math.max(1, planeSize);
      for (int before = -1; next != before; ) {
        before = next;
        for (int i = 0; i < counts.length; i++) {
          int more = Math.min(together, counts[i] - tasks.get(i).size());
          for (int k = 0; k < more; k++) {
            tasks.get(i).add(next++);
          }
        }
      }
    } else {
      for (int i = 0; i < counts.length; i++) {
        for (int k = 0; k < counts[i]; k++) {
          tasks.get(i).add(next++);
        }
      }
    }
    return layout(nodes, counts, tasks);
  }

  /** The list of nodes names the node of each task, in their order. */
  private List<JobStep.OnNode> byName(List<NodeShare> nodes) {
    HostList named =
        options.has("nodelist")
            ? options.read(
                "nodelist", HostList.EMPTY, HostList::parse, SlurmError.INVALID_NODE_NAME)
            : job.request().requiredNodes();
    ArbitraryTasks.check(options, named);
    List<NodeShare> chosen = nodes.stream().filter(n -> named.contains(n.node())).toList();
    List<List<Integer>> tasks = new ArrayList<>();
    chosen.forEach(n -> tasks.add(new ArrayList<>()));
    int next = 0;
    for (String name : named) {
      for (int i = 0; i < chosen.size(); i++) {
        if (chosen.get(i).node().equals(name)) {
          tasks.get(i).add(next);
        }
      }
      next++;
    }
    int[] counts = tasks.stream().mapToInt(List::size).toArray();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > room(chosen.get(i), true)) {
        throw new Refusal(
            SlurmError.NODES_BUSY,
            "\n" + chosen.get(i).node() + " has no room for " + counts[i] + " tasks of the step");
      }
    }
    return layout(chosen, counts, tasks);
  }

  private List<JobStep.OnNode> layout(
      List<NodeShare> nodes, int[] counts, List<List<Integer>> tasks) {
    List<JobStep.OnNode> layout = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      NodeShare share = nodes.get(i);
      int cpus = exact ? Math.min(share.cpus(), counts[i] * cpusPerTask) : share.cpus();
      if (counts[i] > 0) {
        int after = (int) Arrays.stream(counts, i + 1, counts.length).filter(c -> c > 0).count();
        layout.add(
            new JobStep.OnNode(
                share.node(),
                tasks.get(i),
                shares ? 0 : cpus,
                gpus.take(share, counts[i], after),
                shares ? 0 : memory.of(share, cpus)));
      }
    }
    return layout;
  }
}
