package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The options of salloc(1) and srun(1): most are those of sbatch(1). */
final class InteractiveOptions {
  private static final Set<String> NOT_OF_SALLOC =
      Set.of(
          "array",
          "batch",
          "error",
          "export",
          "export-file",
          "ignore-pbs",
          "input",
          "no-requeue",
          "open-mode",
          "output",
          "parsable",
          "propagate",
          "requeue",
          "share",
          "test-only",
          "wait",
          "wrap");

  private static final Set<String> NOT_OF_SRUN =
      Set.of(
          "array",
          "batch",
          "export-file",
          "get-user-env",
          "gid",
          "ignore-pbs",
          "no-requeue",
          "parsable",
          "requeue",
          "share",
          "uid",
          "wait",
          "wait-all-nodes",
          "wrap");

  static final List<String> SALLOC =
      table(
          NOT_OF_SALLOC,
          "bell",
          "I immediate::",
          "K kill-command::",
          "no-bell",
          "no-shell",
          "x11::");

  /** Options that srun obeys itself, for its step or for its own doing. */
  private static final List<String> OF_SRUN =
      List.of(
          "accel-bind:",
          "bcast::",
          "bcast-exclude::",
          "compress::",
          "cpu-bind:",
          "X disable-status",
          "epilog:",
          "exact",
          "external-launcher",
          "het-group:",
          "I immediate::",
          "jobid:",
          "K kill-on-bad-exit::",
          "l label",
          "mpi:",
          "msg-timeout:",
          "multi-prog",
          "Z no-allocate",
          "overlap",
          "E preserve-env",
          "prolog:",
          "pty::",
          "quit-on-interrupt",
          "r relative:",
          "send-libs::",
          "slurmd-debug:",
          "task-epilog:",
          "task-prolog:",
          "T threads:",
          "treewidth:",
          "u unbuffered",
          "W wait:",
          "whole",
          "x11::");

  static final List<String> SRUN = table(NOT_OF_SRUN, OF_SRUN.toArray(String[]::new));

  /** Variables that act as options of srun, in an allocation and outside. */
  private static final Map<String, String> SRUN_VARIABLES =
      Map.ofEntries(
          Map.entry("SLURM_CPU_BIND", "cpu-bind"),
          Map.entry("SLURM_CPUS_PER_TASK", "cpus-per-task"),
          Map.entry("SLURM_DISABLE_STATUS", "disable-status"),
          Map.entry("SLURM_DISTRIBUTION", "distribution"),
          Map.entry("SLURM_EXACT", "exact"),
          Map.entry("SLURM_IMMEDIATE", "immediate"),
          Map.entry("SLURM_KILL_BAD_EXIT", "kill-on-bad-exit"),
          Map.entry("SLURM_LABELIO", "label"),
          Map.entry("SLURM_MEM_PER_CPU", "mem-per-cpu"),
          Map.entry("SLURM_MEM_PER_NODE", "mem"),
          Map.entry("SLURM_MPI_TYPE", "mpi"),
          Map.entry("SLURM_NTASKS", "ntasks"),
          Map.entry("SLURM_NTASKS_PER_NODE", "ntasks-per-node"),
          Map.entry("SLURM_OVERCOMMIT", "overcommit"),
          Map.entry("SLURM_OVERLAP", "overlap"),
          Map.entry("SLURM_STEP_GRES", "gres"),
          Map.entry("SLURM_UNBUFFEREDIO", "unbuffered"),
          Map.entry("SLURM_WAIT", "wait"),
          Map.entry("SLURM_WORKING_DIR", "chdir"),
          Map.entry("SRUN_ERROR", "error"),
          Map.entry("SRUN_EXPORT_ENV", "export"),
          Map.entry("SRUN_INPUT", "input"),
          Map.entry("SRUN_OUTPUT", "output"));

  /** Further ones where srun asks for an allocation of its own. */
  private static final Map<String, String> OUTSIDE =
      Map.ofEntries(
          Map.entry("SLURM_ACCOUNT", "account"),
          Map.entry("SLURM_CONSTRAINT", "constraint"),
          Map.entry("SLURM_CPUS_PER_GPU", "cpus-per-gpu"),
          Map.entry("SLURM_DEPENDENCY", "dependency"),
          Map.entry("SLURM_EXCLUSIVE", "exclusive"),
          Map.entry("SLURM_GPUS", "gpus"),
          Map.entry("SLURM_GPUS_PER_NODE", "gpus-per-node"),
          Map.entry("SLURM_GPUS_PER_TASK", "gpus-per-task"),
          Map.entry("SLURM_GRES", "gres"),
          Map.entry("SLURM_HINT", "hint"),
          Map.entry("SLURM_JOB_NAME", "job-name"),
          Map.entry("SLURM_MEM_PER_GPU", "mem-per-gpu"),
          Map.entry("SLURM_NNODES", "nodes"),
          Map.entry("SLURM_PARTITION", "partition"),
          Map.entry("SLURM_QOS", "qos"),
          Map.entry("SLURM_REQ_SWITCH", "switches"),
          Map.entry("SLURM_RESERVATION", "reservation"),
          Map.entry("SLURM_SPREAD_JOB", "spread-job"),
          Map.entry("SLURM_TIMELIMIT", "time"),
          Map.entry("SLURM_USE_MIN_NODES", "use-min-nodes"),
          Map.entry("SLURM_WCKEY", "wckey"));

  private InteractiveOptions() {}

  private static List<String> table(Set<String> without, String... more) {
    List<String> table = new ArrayList<>();
    for (String line : SbatchOptions.TABLE) {
      if (!without.contains(name(line))) {
        table.add(line);
      }
    }
    table.addAll(List.of(more));
    return List.copyOf(table);
  }

  private static String name(String line) {
    int before = Math.max(line.indexOf(' '), line.lastIndexOf('|'));
    return line.substring(before + 1).replace(":", "");
  }

  /** The options that the environment of salloc gives. */
  static Map<String, String> ofEnvironment(String prefix, Map<String, String> environment) {
    return SbatchOptions.ofEnvironment(prefix, environment);
  }

  /**
   * The options that the environment of srun gives.
   *
   * @param inside whether it runs in an allocation, whose variables then mean that allocation
   * @param group the component of a heterogeneous job whose variables count more than those of all
   */
  static Map<String, String> ofSrunEnvironment(
      boolean inside, int group, Map<String, String> environment) {
    Map<String, String> options = new TreeMap<>();
    for (String suffix : List.of("", "_PACK_GROUP_" + group, "_HET_GROUP_" + group)) {
      SRUN_VARIABLES.forEach((name, option) -> take(name + suffix, option, environment, options));
      if (!inside) {
        OUTSIDE.forEach((name, option) -> take(name + suffix, option, environment, options));
      }
    }
    return options;
  }

  private static void take(
      String variable, String option, Map<String, String> from, Map<String, String> to) {
    String value = from.get(variable);
    if (value == null || value.isEmpty()) {
      return;
    }
    boolean flag = SRUN.stream().anyMatch(line -> name(line).equals(option) && !line.contains(":"));
    if (!flag) {
      to.put(option, value);
    } else if (!value.equals("0") && !value.equalsIgnoreCase("no")) {
      to.put(option, "");
    }
  }

  /** Whether the controller has nothing to do with an option of srun when it allocates. */
  static boolean isOfSrun(String option) {
    return OF_SRUN.stream().anyMatch(line -> name(line).equals(option));
  }
}
