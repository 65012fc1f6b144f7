package dev.yardmaster.controller;

import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.SlurmError;
import java.util.Set;
import java.util.TreeSet;

/** Every option of sbatch(1) by its long name, sorted by what the controller does with it. */
final class OptionNames {
  /** Read by the controller. */
  static final Set<String> READ =
      Set.of(
          "account",
          "array",
          "begin",
          "chdir",
          "clusters",
          "comment",
          "constraint",
          "contiguous",
          "core-spec",
          "cores-per-socket",
          "cpus-per-gpu",
          "cpus-per-task",
          "deadline",
          "dependency",
          "distribution",
          "error",
          "exclude",
          "exclusive",
          "export",
          "external",
          "extra-node-info",
          "gpu-bind",
          "gpus",
          "gpus-per-node",
          "gpus-per-socket",
          "gpus-per-task",
          "gres",
          "gres-flags",
          "hint",
          "hold",
          "immediate",
          "input",
          "job-name",
          "kill-on-invalid-dep",
          "licenses",
          "mail-type",
          "mem",
          "mem-per-cpu",
          "mem-per-gpu",
          "mincpus",
          "nice",
          "no-requeue",
          "nodelist",
          "nodes",
          "ntasks",
          "ntasks-per-core",
          "ntasks-per-gpu",
          "ntasks-per-node",
          "ntasks-per-socket",
          "open-mode",
          "output",
          "overcommit",
          "oversubscribe",
          "partition",
          "prefer",
          "priority",
          "profile",
          "qos",
          "requeue",
          "reservation",
          "consolidate-segments",
          "spread-segments",
          "segment",
          "signal",
          "sockets-per-node",
          "spread-job",
          "switches",
          "thread-spec",
          "threads-per-core",
          "time",
          "time-min",
          "tmp",
          "tres-per-task",
          "uid",
          "use-min-nodes",
          "gid",
          "wckey",
          "wrap");

  /** Without a part in where, when or as whom a job runs; taken and not used. */
  static final Set<String> WITHOUT_EFFECT =
      Set.of(
          "acctg-freq",
          "cluster-constraint",
          "cpu-freq",
          "delay-boot",
          "extra",
          "get-user-env",
          "gpu-freq",
          "ignore-pbs",
          "mail-user",
          "mcs-label",
          "mem-bind",
          "network",
          "no-kill",
          "oom-kill-step",
          "power",
          "propagate",
          "resv-ports",
          "tres-bind",
          "wait-all-nodes");

  /** Kept with a job to be shown; none of them has a part in where or when it runs. */
  static final Set<String> SHOWN =
      Set.of(
          "acctg-freq",
          "cpu-freq",
          "cpus-per-task",
          "delay-boot",
          "extra",
          "gpu-bind",
          "gpu-freq",
          "gpus",
          "gpus-per-node",
          "gpus-per-socket",
          "gpus-per-task",
          "gres-flags",
          "mail-type",
          "mail-user",
          "network",
          "no-kill",
          "profile",
          JobSubmission.REQUEST_ID,
          "tres-bind");

  /** For the command that sends the job, not for the controller. */
  static final Set<String> OF_THE_CLIENT =
      Set.of(
          "batch",
          "export-file",
          "help",
          "parsable",
          "quiet",
          JobSubmission.REQUEST_ID,
          "test-only",
          "usage",
          "verbose",
          "version",
          "wait");

  /** Not supported yet: refused, so that a job never runs otherwise than it was meant. */
  static final Set<String> NOT_SUPPORTED =
      Set.of("bb", "bbf", "container", "container-id", "nodefile", "reboot", "stepmgr");

  private OptionNames() {}

  /**
   * @throws Refusal for a name that sbatch does not know, and for one that is not supported yet
   */
  static void check(Iterable<String> names) {
    for (String name : names) {
      if (NOT_SUPPORTED.contains(name)) {
        throw new Refusal(SlurmError.NOT_SUPPORTED, "--" + name + " is not supported yet");
      }
      if (!READ.contains(name) && !WITHOUT_EFFECT.contains(name) && !OF_THE_CLIENT.contains(name)) {
        throw new Refusal(
            SlurmError.COMMAND_LINE, "unrecognized option '--" + name + "'\n" + nearest(name));
      }
    }
  }

  private static String nearest(String name) {
    TreeSet<String> all = new TreeSet<>(READ);
    all.addAll(WITHOUT_EFFECT);
    for (String known : all) {
      if (name.length() >= 3 && (known.startsWith(name) || name.startsWith(known))) {
        return "is --" + known + " meant?";
      }
    }
    return "option names are those of sbatch(1)";
  }
}
