package dev.yardmaster.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** The options of sbatch(1), and how those of the several places where they may stand add up. */
final class SbatchOptions {
  /**
   * All of them; the letter first where there is one, ":" for a value, "::" for an optional one.
   */
  static final List<String> TABLE =
      List.of(
          "A account:",
          "acctg-freq:",
          "a array:",
          "batch:",
          "bb:",
          "bbf:",
          "b begin:",
          "D chdir:",
          "cluster-constraint:",
          "M clusters:",
          "comment:",
          "consolidate-segments",
          "C constraint:",
          "container:",
          "container-id:",
          "contiguous",
          "S core-spec:",
          "cores-per-socket:",
          "cpu-freq:",
          "cpus-per-gpu:",
          "c cpus-per-task:",
          "deadline:",
          "delay-boot:",
          "d dependency:",
          "m distribution:",
          "e error:",
          "x exclude:",
          "exclusive::",
          "export:",
          "export-file:",
          "external",
          "extra:",
          "B extra-node-info:",
          "get-user-env",
          "gid:",
          "gpu-bind:",
          "gpu-freq:",
          "G gpus:",
          "gpus-per-node:",
          "gpus-per-socket:",
          "gpus-per-task:",
          "gres:",
          "gres-flags:",
          "h help",
          "hint:",
          "H hold",
          "ignore-pbs",
          "i input:",
          "J job-name:",
          "kill-on-invalid-dep:",
          "L licenses:",
          "mail-type:",
          "mail-user:",
          "mcs-label:",
          "mem:",
          "mem-bind:",
          "mem-per-cpu:",
          "mem-per-gpu:",
          "mincpus:",
          "network:",
          "nice::",
          "k no-kill::",
          "no-requeue",
          "F nodefile:",
          "w nodelist:",
          "N nodes:",
          "n ntasks:",
          "ntasks-per-core:",
          "ntasks-per-tres|ntasks-per-gpu:",
          "ntasks-per-node:",
          "ntasks-per-socket:",
          "oom-kill-step::",
          "open-mode:",
          "o output:",
          "O overcommit",
          "s oversubscribe",
          "parsable",
          "p partition:",
          "prefer:",
          "priority:",
          "profile:",
          "propagate::",
          "q qos:",
          "Q quiet",
          "reboot",
          "requeue",
          "reservation:",
          "resources:",
          "resv-ports::",
          "segment:",
          "share",
          "signal:",
          "sockets-per-node:",
          "spread-job",
          "spread-segments",
          "stepmgr",
          "switches:",
          "test-only",
          "thread-spec:",
          "threads-per-core:",
          "t time:",
          "time-min:",
          "tmp:",
          "tres-bind:",
          "tres-per-task:",
          "uid:",
          "usage",
          "use-min-nodes",
          "v verbose",
          "V version",
          "W wait",
          "wait-all-nodes:",
          "wckey:",
          "wrap:");

  /** What sbatch itself obeys; the rest is for the controller. */
  private static final Set<String> OF_THE_COMMAND =
      Set.of(
          "export-file",
          "help",
          "ignore-pbs",
          "parsable",
          "quiet",
          "test-only",
          "usage",
          "verbose",
          "version",
          "wait");

  /**
   * Variables that act as options (sbatch(1), INPUT ENVIRONMENT VARIABLES). Those that a job finds
   * in its environment (SLURM_JOB_NAME and the like) never do.
   */
  private static final Map<String, String> VARIABLES =
      Map.ofEntries(
          Map.entry("SBATCH_ACCOUNT", "account"),
          Map.entry("SBATCH_ACCTG_FREQ", "acctg-freq"),
          Map.entry("SBATCH_ARRAY_INX", "array"),
          Map.entry("SBATCH_BATCH", "batch"),
          Map.entry("SBATCH_CLUSTERS", "clusters"),
          Map.entry("SBATCH_CONSTRAINT", "constraint"),
          Map.entry("SBATCH_CONTAINER", "container"),
          Map.entry("SBATCH_CONTAINER_ID", "container-id"),
          Map.entry("SBATCH_CORE_SPEC", "core-spec"),
          Map.entry("SBATCH_CPUS_PER_GPU", "cpus-per-gpu"),
          Map.entry("SBATCH_DELAY_BOOT", "delay-boot"),
          Map.entry("SBATCH_DISTRIBUTION", "distribution"),
          Map.entry("SBATCH_ERROR", "error"),
          Map.entry("SBATCH_EXCLUSIVE", "exclusive"),
          Map.entry("SBATCH_EXPORT", "export"),
          Map.entry("SBATCH_GET_USER_ENV", "get-user-env"),
          Map.entry("SBATCH_GPU_BIND", "gpu-bind"),
          Map.entry("SBATCH_GPU_FREQ", "gpu-freq"),
          Map.entry("SBATCH_GPUS", "gpus"),
          Map.entry("SBATCH_GPUS_PER_NODE", "gpus-per-node"),
          Map.entry("SBATCH_GPUS_PER_TASK", "gpus-per-task"),
          Map.entry("SBATCH_GRES", "gres"),
          Map.entry("SBATCH_GRES_FLAGS", "gres-flags"),
          Map.entry("SBATCH_HINT", "hint"),
          Map.entry("SBATCH_INPUT", "input"),
          Map.entry("SBATCH_JOB_NAME", "job-name"),
          Map.entry("SBATCH_MEM_BIND", "mem-bind"),
          Map.entry("SBATCH_MEM_PER_CPU", "mem-per-cpu"),
          Map.entry("SBATCH_MEM_PER_GPU", "mem-per-gpu"),
          Map.entry("SBATCH_MEM_PER_NODE", "mem"),
          Map.entry("SBATCH_NETWORK", "network"),
          Map.entry("SBATCH_NO_KILL", "no-kill"),
          Map.entry("SBATCH_NO_REQUEUE", "no-requeue"),
          Map.entry("SBATCH_OPEN_MODE", "open-mode"),
          Map.entry("SBATCH_OUTPUT", "output"),
          Map.entry("SBATCH_OVERCOMMIT", "overcommit"),
          Map.entry("SBATCH_PARTITION", "partition"),
          Map.entry("SBATCH_PROFILE", "profile"),
          Map.entry("SBATCH_QOS", "qos"),
          Map.entry("SBATCH_REQUEUE", "requeue"),
          Map.entry("SBATCH_REQ_SWITCH", "switches"),
          Map.entry("SBATCH_RESERVATION", "reservation"),
          Map.entry("SBATCH_SEGMENT_SIZE", "segment"),
          Map.entry("SBATCH_SIGNAL", "signal"),
          Map.entry("SBATCH_SPREAD_JOB", "spread-job"),
          Map.entry("SBATCH_THREADS_PER_CORE", "threads-per-core"),
          Map.entry("SBATCH_THREAD_SPEC", "thread-spec"),
          Map.entry("SBATCH_TIMELIMIT", "time"),
          Map.entry("SBATCH_TRES_BIND", "tres-bind"),
          Map.entry("SBATCH_TRES_PER_TASK", "tres-per-task"),
          Map.entry("SBATCH_USE_MIN_NODES", "use-min-nodes"),
          Map.entry("SBATCH_WAIT", "wait"),
          Map.entry("SBATCH_WAIT_ALL_NODES", "wait-all-nodes"),
          Map.entry("SBATCH_WCKEY", "wckey"));

  /** Options of which a later place replaces all that an earlier one gave. */
  private static final List<Set<String>> RIVALS =
      List.of(
          Set.of("mem", "mem-per-cpu", "mem-per-gpu"),
          Set.of("requeue", "no-requeue"),
          Set.of("exclusive", "oversubscribe"));

  private SbatchOptions() {}

  /**
   * The options of one place, the last of each; dependencies of several options must all be met.
   */
  static Map<String, String> collect(List<GetOpt.Given> given) {
    Map<String, String> options = new LinkedHashMap<>();
    for (GetOpt.Given option : given) {
      String name = option.name().equals("share") ? "oversubscribe" : option.name();
      if (name.equals("requeue") || name.equals("no-requeue")) {
        options.remove("requeue");
        options.remove("no-requeue");
      }
      if (name.equals("dependency")) {
        options.merge(name, option.value(), (first, second) -> first + "," + second);
      } else {
        options.put(name, option.value());
      }
    }
    return options;
  }

  /** The options that the environment gives. */
  static Map<String, String> ofEnvironment(Map<String, String> environment) {
    return ofEnvironment("SBATCH_", environment);
  }

  /** The same for a command whose variables begin otherwise. */
  static Map<String, String> ofEnvironment(String prefix, Map<String, String> environment) {
    Map<String, String> options = new TreeMap<>();
    VARIABLES.forEach(
        (variable, option) -> {
          String value = environment.get(variable.replace("SBATCH_", prefix));
          if (value != null) {
            options.put(option, takesValue(option) ? value : "");
          }
        });
    return options;
  }

  private static boolean takesValue(String option) {
    return TABLE.stream()
        .anyMatch(line -> line.endsWith(option + ":") || line.endsWith(option + "::"));
  }

  /** Adds the options of a place that counts more. */
  static void override(Map<String, String> options, Map<String, String> stronger) {
    for (String name : stronger.keySet()) {
      for (Set<String> rivals : RIVALS) {
        if (rivals.contains(name)) {
          options.keySet().removeAll(rivals);
        }
      }
    }
    options.putAll(stronger);
  }

  /** What is sent to the controller. */
  static SortedMap<String, String> forController(Map<String, String> options) {
    SortedMap<String, String> sent = new TreeMap<>(options);
    sent.keySet().removeAll(OF_THE_COMMAND);
    // Resources are licences that the site has put in a hierarchy (sbatch(1), --resources).
    String resources = sent.remove("resources");
    if (resources != null) {
      sent.merge("licenses", resources, (licenses, more) -> licenses + "," + more);
    }
    if (sent.containsKey("external")) {
      sent.remove("wrap");
    }
    return sent;
  }
}
