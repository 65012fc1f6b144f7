package dev.yardmaster.node;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.node.gpu.GpuNames;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The environment of a batch script: what the user gave, and Slurm's variables (sbatch(1)). */
final class JobEnvironment {
  /**
   * Tells a process of a run from every other of the machine, also one that left its session, and
   * also from one of another cluster with the same number and node name.
   */
  static final String MARKER = "YARDMASTER_RUN";

  /** What follows the number of a step before the marker of its run. */
  static final String STEP_MARK = "#";

  private final Job job;
  private final JobScript script;
  private final NodeSpec node;
  private final String cluster;
  private final GpuNames gpus;
  private final List<NodeShare> shares;

  /** What the job has on this node, or on its first; null when it has no nodes. */
  private final @Nullable NodeShare own;

  private final SortedMap<String, String> out = new TreeMap<>();

  private final boolean packs;

  private JobEnvironment(
      Job job,
      JobScript script,
      NodeSpec node,
      String cluster,
      boolean packsByDefault,
      GpuNames gpus) {
    packs = Distribution.packs(job.request().distribution(), packsByDefault);
    this.job = job;
    this.script = script;
    this.node = node;
    this.cluster = cluster;
    this.gpus = gpus;
    Allocation allocation = job.allocation();
    this.shares = allocation == null ? List.of() : allocation.shares();
    NodeShare first = shares.isEmpty() ? null : shares.getFirst();
    this.own = shares.stream().filter(s -> s.node().equals(node.name())).findFirst().orElse(first);
  }

  /**
   * @param node the node the script runs on
   * @param gpus what programs call its GPUs
   */
  static SortedMap<String, String> of(
      Job job, JobScript script, NodeSpec node, String cluster, GpuNames gpus) {
    return of(job, script, node, cluster, false, gpus);
  }

  /**
   * @param node the node the script runs on
   * @param packsByDefault SelectTypeParameters=CR_Pack_Nodes
   * @param gpus what programs call its GPUs
   */
  static SortedMap<String, String> of(
      Job job,
      JobScript script,
      NodeSpec node,
      String cluster,
      boolean packsByDefault,
      GpuNames gpus) {
    JobEnvironment environment =
        new JobEnvironment(job, script, node, cluster, packsByDefault, gpus);
    environment.build();
    return environment.out;
  }

  private void build() {
    out.putAll(script.environment());
    identity();
    array();
    size();
    new GpuEnvironment(job, node, own, gpus, out).ofJob();
    batchStep();
  }

  /**
   * @param spool of the daemon that started the run; no two daemons share one
   */
  static String marker(int jobId, int restarts, Path spool) {
    return jobId + "." + restarts + "@" + spool.toAbsolutePath().normalize();
  }

  /** That of the processes of a step. */
  static String marker(StepDirectory.Key step, Path spool) {
    return step.stepId() + STEP_MARK + marker(step.jobId(), step.restarts(), spool);
  }

  private void put(String name, Object value) {
    out.put(name, value.toString());
  }

  private void putUnlessEmpty(String name, String value) {
    if (value.isEmpty()) {
      out.remove(name);
    } else {
      out.put(name, value);
    }
  }

  private void identity() {
    put("SLURM_JOB_ID", job.id());
    put("SLURM_JOBID", job.id());
    put("SLURM_JOB_NAME", job.name());
    put("SLURM_JOB_USER", job.owner().user());
    put("SLURM_JOB_UID", job.owner().uid());
    put("SLURM_JOB_GID", job.owner().gid());
    putUnlessEmpty("SLURM_JOB_ACCOUNT", job.owner().account());
    putUnlessEmpty("SLURM_JOB_QOS", job.owner().qos());
    put("SLURM_JOB_PARTITION", job.partition());
    put("SLURM_CLUSTER_NAME", cluster);
    put("SLURMD_NODENAME", node.name());
    put("SLURM_SUBMIT_DIR", job.batch().workDir());
    put("SLURM_SUBMIT_HOST", job.batch().submitHost());
    put("SLURM_RESTART_COUNT", job.restarts());
    putUnlessEmpty("SLURM_JOB_RESERVATION", job.reservation() == null ? "" : job.reservation());
    if (job.started() != null) {
      put("SLURM_JOB_START_TIME", job.started().getEpochSecond());
    }
    if (job.ended() != null) {
      put("SLURM_JOB_END_TIME", job.ended().getEpochSecond());
    }
  }

  private void array() {
    ArrayInfo array = job.array();
    if (array != null && array.taskId() != null) {
      put("SLURM_ARRAY_JOB_ID", array.arrayJobId());
      put("SLURM_ARRAY_TASK_ID", array.taskId());
    }
  }

  private void size() {
    JobRequest request = job.request();
    String nodes = job.allocation() == null ? node.name() : job.allocation().nodes().toString();
    put("SLURM_NNODES", shares.size());
    put("SLURM_JOB_NUM_NODES", shares.size());
    put("SLURM_NODELIST", nodes);
    put("SLURM_JOB_NODELIST", nodes);
    put("SLURM_CPUS_ON_NODE", own == null ? 0 : own.cpus());
    put("SLURM_JOB_CPUS_PER_NODE", repeated(shares.stream().mapToInt(NodeShare::cpus).toArray()));
    put("SLURM_TASKS_PER_NODE", repeated(tasksPerNode(request)));
    if (request.tasksGiven() || request.tasksPerGpu() > 0) {
      put("SLURM_NTASKS", request.tasks());
      put("SLURM_NPROCS", request.tasks());
    }
    if (request.overcommit()) {
      put("SLURM_OVERCOMMIT", 1);
    }
    if (request.cpusPerTask() > 1 || job.batch().shown().containsKey("cpus-per-task")) {
      put("SLURM_CPUS_PER_TASK", request.cpusPerTask());
    }
    Distribution distribution = request.distribution();
    if (distribution != null) {
      put("SLURM_DISTRIBUTION", distribution.toString().replaceFirst("=.*", ""));
      positive("SLURM_DIST_PLANESIZE", distribution.planeSize());
    }
    positive("SLURM_NTASKS_PER_NODE", request.tasksPerNode());
    positive("SLURM_NTASKS_PER_SOCKET", request.tasksPerSocket());
    positive("SLURM_NTASKS_PER_CORE", request.tasksPerCore());
    positive("SLURM_NTASKS_PER_GPU", request.tasksPerGpu());
    positive("SLURM_CPUS_PER_GPU", request.cpusPerGpu());
    positive("SLURM_THREADS_PER_CORE", request.threadsPerCore());
    switch (request.memory()) {
      case MemoryRequest.PerNode m -> put("SLURM_MEM_PER_NODE", m.mib());
      case MemoryRequest.PerCpu m -> positive("SLURM_MEM_PER_CPU", m.mib());
      case MemoryRequest.PerGpu m -> put("SLURM_MEM_PER_GPU", m.mib());
    }
    put("SLURM_JOB_EXCLUSIVE", exclusive(request.exclusivity()));
    put(
        "SLURM_JOB_OVERSUBSCRIBE",
        request.exclusivity() == Exclusivity.OVERSUBSCRIBE ? "YES" : "NO");
  }

  private void positive(String name, long value) {
    if (value > 0) {
      put(name, value);
    }
  }

  private static String exclusive(Exclusivity exclusivity) {
    return switch (exclusivity) {
      case NODE, USER, MCS, TOPO -> exclusivity.name();
      case DEFAULT, OVERSUBSCRIBE -> "NO";
    };
  }

  /**
   * Tasks go round the nodes, one each, as long as a node has CPUs for another; where they are
   * packed, after the first of each node the nodes are filled one by one.
   */
  private int[] tasksPerNode(JobRequest request) {
    int[] tasks = new int[shares.size()];
    if (tasks.length == 0) {
      return tasks;
    }
    if (request.tasksPerNode() > 0 && !request.tasksGiven()) {
      Arrays.fill(tasks, request.tasksPerNode());
      return tasks;
    }
    int left = request.tasks();
    boolean placed = true;
    while (left > 0 && placed) {
      placed = false;
      for (int i = 0; i < tasks.length && left > 0; i++) {
        int cap =
            request.overcommit()
                ? Integer.MAX_VALUE
                : Math.max(1, shares.get(i).cpus() / Math.max(1, request.cpusPerTask()));
        if (tasks[i] < cap) {
          int more = packs && tasks[i] > 0 ? Math.min(left, cap - tasks[i]) : 1;
          tasks[i] += more;
          left -= more;
          placed = true;
        }
      }
    }
    tasks[0] += left;
    return tasks;
  }

  /** {@code 3,1} or {@code 1(x2)}. */
  static String repeated(int[] counts) {
    List<String> parts = new ArrayList<>();
    int i = 0;
    while (i < counts.length) {
      int from = i;
      while (i < counts.length && counts[i] == counts[from]) {
        i++;
      }
      parts.add(i - from == 1 ? "" + counts[from] : counts[from] + "(x" + (i - from) + ")");
    }
    return String.join(",", parts);
  }

  private void batchStep() {
    Map<String, String> fixed =
        Map.of(
            "SLURM_PROCID", "0",
            "SLURM_LOCALID", "0",
            "SLURM_NODEID", "0",
            "SLURM_GTIDS", "0",
            "SLURM_STEP_ID", "-5",
            "SLURM_STEPID", "-5",
            "SLURM_PRIO_PROCESS", "0",
            "SLURM_OOM_KILL_STEP", "0",
            "SLURM_TOPOLOGY_ADDR", node.name(),
            "SLURM_TOPOLOGY_ADDR_PATTERN", "node");
    out.putAll(fixed);
  }
}
