package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Memory;
import dev.yardmaster.model.text.NodeCount;
import dev.yardmaster.model.text.TimeLimits;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a job needs of its nodes, with the defaults of the partition and the cluster applied. */
final class RequestReader {
  private final Options options;
  private final ClusterState state;
  private final ClusterConfig config;
  private final Partition partition;
  private final int leastNodes;
  private final List<String> notices;

  /**
   * @param partition the first that the job asks for, whose defaults apply
   * @param leastNodes what a job of an open number of nodes gets at least (MinNodes)
   * @param notices receives lines for the user
   */
  RequestReader(
      Options options,
      ClusterState state,
      Partition partition,
      int leastNodes,
      List<String> notices) {
    this.options = options;
    this.state = state;
    this.config = state.config();
    this.partition = partition;
    this.leastNodes = leastNodes;
    this.notices = notices;
  }

  JobRequest read() {
    GresOptions gresOptions = new GresOptions(options, config);
    List<GresRequest> gres = TasksPerGpu.implied(options, gresOptions.read());
    Distribution distribution = options.read("distribution", null, Distribution::parse);
    boolean arbitrary =
        distribution != null && distribution.nodes() == Distribution.Nodes.ARBITRARY;
    HostList named = nodeNames("nodelist");
    HostList required = arbitrary ? named : HostList.of(named.stream().distinct().toList());
    if (arbitrary) {
      ArbitraryTasks.check(options, named);
    }
    HostList excluded = nodeNames("exclude");
    if (excluded.stream().anyMatch(required::contains)) {
      throw new Refusal(
          SlurmError.INVALID_NODE_NAME,
          "\n--exclude names a node of --nodelist=" + options.get("nodelist"));
    }
    int perNode = options.count("ntasks-per-node", 1, 0);
    int perGpu = options.count("ntasks-per-gpu", 1, 0);
    NodeCount nodes = nodeCount(required);
    int[] sct = socketsCoresThreads();
    int implied = perNode > 0 || perGpu > 0 ? 0 : tasksOfHardware(nodes, sct);
    boolean tasksGiven = options.has("ntasks") || implied > 0 || arbitrary;
    int tasks =
        options.count(
            "ntasks",
            1,
            arbitrary
                ? (int) named.size()
                : implied > 0 ? implied : tasksOf(nodes, perNode, perGpu, gres));
    nodes = arbitrary ? nodes : fit(nodes, tasks, tasksGiven, perNode);
    boolean ofNodes = perNode > 0 && options.has("nodes") && nodes.min() == nodes.max();
    nodes = GpuCounts.check(options, gres, nodes, tasksGiven || ofNodes);
    if (perGpu > 0 && options.has("nodes") && nodes.min() == nodes.max() && nodes.min() > 1) {
      gres = TasksPerGpu.perNode(gres, nodes.min());
    }
    int cpusPerTask =
        Math.max(options.count("cpus-per-task", 1, 1), Math.max(1, gresOptions.cpusPerTask()));
    JobRequest given =
        asGiven(gres, nodes, tasks, tasksGiven, cpusPerTask, required, excluded, sct, distribution);
    JobRequest request = CombinedGres.of(given, options.has("nodes"));
    request = PartitionRules.asAsked(request, !options.has("cpus-per-gpu"), state, partition);
    return PartitionRules.memoryPerCpu(
        PartitionRules.leastNodes(request, leastNodes, options.has("nodes")), memoryPerCpuCap());
  }

  private JobRequest asGiven(
      List<GresRequest> gres,
      NodeCount nodes,
      int tasks,
      boolean tasksGiven,
      int cpusPerTask,
      HostList required,
      HostList excluded,
      int[] sct,
      @Nullable Distribution distribution) {
    return new JobRequest(
        nodes.min(),
        nodes.max(),
        tasks,
        tasksGiven,
        cpusPerTask,
        options.count("ntasks-per-node", 1, 0),
        options.count("ntasks-per-socket", 1, 0),
        options.count("ntasks-per-core", 1, 0),
        options.count("ntasks-per-gpu", 1, 0),
        options.count("cpus-per-gpu", 1, defaultCpusPerGpu(gres)),
        options.count("mincpus", 1, 0),
        sct[0],
        sct[1],
        sct[2],
        memory(gres),
        options.memory("tmp", 0),
        gres,
        required,
        excluded,
        features("constraint", SlurmError.INVALID_FEATURE),
        exclusivity(),
        options.has("contiguous"),
        licenses(),
        switches(),
        switchesWait(),
        segment(nodes),
        options.has("spread-job"),
        coreSpec(),
        options.has("nodes") && !options.has("use-min-nodes") && nodes.max() != NodeCount.UNBOUNDED,
        features("prefer", SlurmError.INVALID_PREFERRED_FEATURE),
        GresOptions.has(options, config, "enforce-binding", "disable-binding"),
        GresOptions.has(options, config, "one-task-per-sharing", "multiple-tasks-per-sharing"),
        options.has("spread-segments"),
        options.has("consolidate-segments"),
        options.has("external"),
        options.text("licenses", ""),
        distribution,
        options.has("overcommit"),
        null);
  }

  private HostList nodeNames(String option) {
    HostList names =
        options.read(option, HostList.EMPTY, HostList::parse, SlurmError.INVALID_NODE_NAME);
    for (String name : names.expand()) {
      if (state.node(name) == null) {
        throw new Refusal(
            SlurmError.INVALID_NODE_NAME, "\n--" + option + ": no node is called " + name);
      }
    }
    return names;
  }

  private NodeCount nodeCount(HostList required) {
    String value = options.get("nodes");
    int listed = (int) required.stream().distinct().count();
    if (value == null) {
      return NodeCount.of(Math.max(1, listed));
    }
    NodeCount count;
    try {
      count = NodeCount.parse(value.startsWith("-") ? "1" + value : value);
    } catch (IllegalArgumentException e) {
      String[] ends = value.split("-", -1);
      if (ends.length == 2 && ends[0].matches("[0-9]{1,9}") && ends[1].matches("[0-9]{1,9}")) {
        throw new Refusal(
            SlurmError.COMMAND_LINE,
            "Maximum node count %s is less than minimum node count %s".formatted(ends[1], ends[0]));
      }
      throw new Refusal(
          SlurmError.COMMAND_LINE,
          "\"" + value + "\" is not a valid node count\n--nodes: " + e.getMessage());
    }
    if (count.max() == 0) {
      return count;
    }
    int min = Math.max(1, count.min());
    return NodeCount.of(min, Math.max(min, count.max()));
  }

  /**
   * The tasks of a job that gives a number of nodes, and sockets, cores or threads of each, but no
   * tasks: one for each of them (sbatch(1), --extra-node-info); 0 when it does not.
   */
  private int tasksOfHardware(NodeCount nodes, int[] sct) {
    boolean asked = options.has("nodes") || options.has("extra-node-info");
    boolean some = sct[0] > 0 || sct[1] > 0 || sct[2] > 0;
    if (!asked || !some || nodes.min() != nodes.max()) {
      return 0;
    }
    long tasks = Math.max(1, nodes.min());
    for (int each : sct) {
      tasks = Math.min(Integer.MAX_VALUE, tasks * Math.max(1, each));
    }
    return (int) tasks;
  }

  private int tasksOf(NodeCount nodes, int perNode, int perGpu, List<GresRequest> gres) {
    if (perGpu > 0) {
      return perGpu * Math.max(1, gpus(gres, nodes.min()));
    }
    for (GresRequest request : gres) {
      if (request.scope() == GresRequest.Scope.TASK) {
        int total = gpus(gres, nodes.min());
        return total > 0 ? (int) Math.max(1, total / request.count()) : nodes.min();
      }
    }
    return nodes.min() * Math.max(1, perNode);
  }

  private static int gpus(List<GresRequest> gres, int nodes) {
    long total = 0;
    for (GresRequest request : gres) {
      if (request.name().equals("gpu")) {
        total +=
            switch (request.scope()) {
              case JOB -> request.count();
              case NODE -> request.count() * nodes;
              case SOCKET, TASK -> 0;
            };
      }
    }
    return (int) Math.min(total, 1 << 20);
  }

  /** Without --nodes a job may spread over as many nodes as it has tasks; never over more. */
  private NodeCount fit(NodeCount nodes, int tasks, boolean tasksGiven, int perNode) {
    if (!options.has("nodes")) {
      int min =
          perNode > 0 && tasksGiven
              ? Math.max(nodes.min(), (tasks + perNode - 1) / perNode)
              : nodes.min();
      return NodeCount.of(min, Math.max(min, tasks));
    }
    if (tasksGiven && tasks < nodes.min() && options.get("nodelist") == null) {
      notices.add(
          "warning: can't run %d processes on %d nodes, setting nnodes to %d"
              .formatted(tasks, nodes.min(), tasks));
      return NodeCount.of(tasks);
    }
    return nodes;
  }

  private MemoryRequest memory(List<GresRequest> gres) {
    int given = 0;
    for (String option : List.of("mem", "mem-per-cpu", "mem-per-gpu")) {
      given += options.has(option) ? 1 : 0;
    }
    if (given > 1) {
      throw new Refusal(
          SlurmError.COMMAND_FATAL,
          "--mem, --mem-per-cpu, and --mem-per-gpu are mutually exclusive.");
    }
    if (options.has("mem")) {
      return new MemoryRequest.PerNode(options.read("mem", 0L, Memory::parse));
    }
    if (options.has("mem-per-cpu")) {
      return new MemoryRequest.PerCpu(options.memory("mem-per-cpu", 0));
    }
    if (options.has("mem-per-gpu")) {
      return new MemoryRequest.PerGpu(options.memory("mem-per-gpu", 0));
    }
    return defaultMemory(gres);
  }

  /**
   * slurm.conf(5), DefMemPerCPU and its like, which a job asks for also where memory is not a
   * consumable resource. With memory as a consumable resource and no default at all, a job gets all
   * memory of its nodes (select/cons_tres).
   */
  private MemoryRequest defaultMemory(List<GresRequest> gres) {
    Long perGpu = partition.jobDefaults().get("DefMemPerGPU");
    if (perGpu != null && gres.stream().anyMatch(r -> r.name().equals("gpu"))) {
      return new MemoryRequest.PerGpu(perGpu);
    }
    Long perCpu = partition.defMemPerCpuMib();
    if (perCpu != null && perCpu > 0) {
      return new MemoryRequest.PerCpu(perCpu);
    }
    Long perNode = partition.defMemPerNodeMib();
    if (perNode != null && perNode > 0) {
      return new MemoryRequest.PerNode(perNode);
    }
    if (config.defMemPerCpuMib() > 0) {
      return new MemoryRequest.PerCpu(config.defMemPerCpuMib());
    }
    long allOfIt = config.defMemPerNodeMib();
    return allOfIt <= 0 && !config.scheduling().countsMemory()
        ? MemoryRequest.NONE
        : new MemoryRequest.PerNode(allOfIt);
  }

  /** MaxMemPerCPU: a job that asks for more gets more CPUs instead. */
  private long memoryPerCpuCap() {
    Long ofPartition = partition.maxMemPerCpuMib();
    if (ofPartition != null && ofPartition > 0) {
      return ofPartition;
    }
    try {
      return config.setting("MaxMemPerCPU").map(Long::parseLong).orElse(0L);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private int defaultCpusPerGpu(List<GresRequest> gres) {
    Long cpus = partition.jobDefaults().get("DefCpuPerGPU");
    boolean gpu = gres.stream().anyMatch(r -> r.name().equals("gpu"));
    return cpus == null || !gpu || options.has("cpus-per-task") ? 0 : cpus.intValue();
  }

  private int[] socketsCoresThreads() {
    int[] sct = {
      options.count("sockets-per-node", 1, 0),
      options.count("cores-per-socket", 1, 0),
      options.count("threads-per-core", 1, 0)
    };
    String info = options.get("extra-node-info");
    if (info != null && !info.isEmpty()) {
      String[] parts = info.split(":", -1);
      for (int i = 0; i < parts.length; i++) {
        if (i > 2 || !parts[i].matches("[0-9]{1,9}|\\*")) {
          throw options.invalid("extra-node-info", "write SOCKETS[:CORES[:THREADS]]");
        }
        sct[i] = parts[i].equals("*") ? 0 : Integer.parseInt(parts[i]);
      }
    }
    String hint = options.get("hint");
    if (hint != null) {
      switch (hint) {
        case "nomultithread", "compute_bound" -> sct[2] = 1;
        case "memory_bound" -> {
          sct[1] = 1;
          sct[2] = 1;
        }
        case "multithread" -> {}
        default ->
            throw new Refusal(
                SlurmError.COMMAND_VALUE,
                "unrecognized --hint argument \"%s\", see --hint=help".formatted(hint));
      }
    }
    return sct;
  }

  private @Nullable FeatureExpression features(String option, SlurmError error) {
    String value = options.get(option);
    if (value == null || value.isEmpty()) {
      return null;
    }
    FeatureExpression expression = options.read(option, null, FeatureExpression::parse, error);
    if (expression == null) {
      return null;
    }
    Set<String> known = new TreeSet<>();
    state.nodes().values().forEach(n -> known.addAll(n.spec().availableFeatures()));
    boolean any = has("ignore_" + option + "_validation");
    for (String name : expression.names()) {
      if (!any && !known.contains(name)) {
        throw new Refusal(
            error, "\n--" + option + "=" + value + ": no node has the feature " + name);
      }
    }
    return expression;
  }

  /** Whether SchedulerParameters has an option. */
  private boolean has(String parameter) {
    return config.scheduling().parameters().containsKey(parameter);
  }

  private Exclusivity exclusivity() {
    String value = options.get("exclusive");
    if (value == null) {
      return options.has("oversubscribe") ? Exclusivity.OVERSUBSCRIBE : Exclusivity.DEFAULT;
    }
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "", "yes", "node" -> Exclusivity.NODE;
      case "no" -> Exclusivity.DEFAULT;
      case "user" -> Exclusivity.USER;
      case "mcs" -> Exclusivity.MCS;
      case "topo" -> Exclusivity.TOPO;
      default -> throw options.invalid("exclusive", "write it alone, or user, mcs or topo");
    };
  }

  private SortedMap<String, Integer> licenses() {
    String value = options.get("licenses");
    if (value == null || value.isEmpty()) {
      return Immutable.sortedMap();
    }
    SortedMap<String, Integer> wanted = new TreeMap<>();
    boolean anyOne = value.contains("|");
    if (anyOne && value.matches(".*[,;].*")) {
      throw new Refusal(
          SlurmError.INVALID_LICENSES,
          "\n--licenses=" + value + ": divide by , when all are needed, by | when one will do");
    }
    for (String part : value.split(anyOne ? "[|]" : "[,;]")) {
      if (part.isEmpty()) {
        continue;
      }
      String[] nameAndCount = part.split("[:=]", 2);
      Integer total = config.licenses().get(nameAndCount[0]);
      int count = -1;
      if (nameAndCount.length == 1) {
        count = 1;
      } else if (nameAndCount[1].matches("[0-9]{1,9}")) {
        count = Integer.parseInt(nameAndCount[1]);
      }
      if (count == 0) {
        continue;
      }
      boolean tooMany = total != null && count > total && !has("allow_zero_lic");
      if (total == null || count < 0 || tooMany) {
        throw new Refusal(
            SlurmError.INVALID_LICENSES,
            "\n--licenses=" + value + ": \"" + part + "\"; the cluster has " + config.licenses());
      }
      wanted.merge(nameAndCount[0], count, Integer::sum);
    }
    return Immutable.sortedMap(wanted);
  }

  private int switches() {
    String value = options.get("switches");
    if (value == null) {
      return 0;
    }
    String count = value.split("@", 2)[0];
    if (!count.matches("[0-9]{1,9}") || count.matches("0+")) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Invalid numeric value \"%s\" for --switches.\nwrite COUNT or COUNT@TIME"
              .formatted(value));
    }
    return Integer.parseInt(count);
  }

  /** Seconds; max_switch_wait bounds it (slurm.conf(5), SchedulerParameters). */
  private long switchesWait() {
    String value = options.get("switches");
    String most = config.scheduling().parameters().getOrDefault("max_switch_wait", "300");
    long limit = most.matches("[0-9]{1,9}") ? Long.parseLong(most) : 300;
    if (value == null) {
      return 0;
    }
    try {
      long seconds = TimeLimits.requestSeconds(value.replaceFirst("^[^@]*@?", ""));
      return seconds < 0 ? limit : Math.min(limit, seconds);
    } catch (IllegalArgumentException e) {
      // As in Slurm, what is no time, or none, is no bound of its own.
      return limit;
    }
  }

  private int segment(NodeCount nodes) {
    int segment = "".equals(options.get("segment")) ? 0 : options.count("segment", 0, 0);
    boolean several = options.has("nodes") && nodes.min() > segment;
    if (segment > 0 && several && nodes.min() % segment != 0) {
      throw new Refusal(
          SlurmError.COMMAND_FATAL,
          ("--segment=%d does not fit the job size (%d): node count must be evenly divisible by"
                  + " segment size")
              .formatted(segment, nodes.min()));
    }
    return segment;
  }

  private int coreSpec() {
    int cores = "".equals(options.get("core-spec")) ? 0 : options.count("core-spec", 0, 0);
    int threads = options.count("thread-spec", 0, 0);
    if (cores == 0 && threads == 0) {
      return 0;
    }
    boolean allowed =
        config
            .setting("AllowSpecResourcesUsage")
            .map(v -> v.equalsIgnoreCase("yes") || v.equals("1"))
            .orElse(false);
    if (!allowed) {
      notices.add(
          "error: Ignoring -S since it's not allowed by configuration"
              + " (AllowSpecResourcesUsage = No)");
      return 0;
    }
    return cores;
  }
}
