package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.node.cgroup.ControlGroups;
import dev.yardmaster.node.cgroup.Limits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps jobs to what they have on a node by control groups (cgroup.conf(5)), each step in a group
 * of its own within that of its job.
 */
final class Confinement {
  private static final Logger LOG = LoggerFactory.getLogger(Confinement.class);
  private static final String BATCH = "batch";

  private final NodeSpec spec;
  private final ControlGroups groups;
  private final CpuMap cpus;

  Confinement(NodeDaemon.Setup setup) {
    spec = setup.spec();
    groups =
        ControlGroups.of(
            setup.settings().cgroups(), setup.spool(), spec.name(), spec.realMemoryMib());
    cpus = CpuMap.of(Path.of("/"));
    groups.missing().forEach(line -> LOG.warn("{}: not enforced: {}", spec.name(), line));
    if (setup.settings().cgroups().cores() && !cpus.isLike(spec)) {
      LOG.warn(
          "{}: not enforced: jobs are not kept to their cores: slurm.conf has {} cores of {}"
              + " threads and the machine has not",
          spec.name(),
          spec.cores(),
          spec.threadsPerCore());
    }
  }

  /**
   * Makes the groups of a batch script.
   *
   * @return as {@link ControlGroups#enter}
   */
  String batch(Job job, Command.RunningJob run) throws IOException {
    Limits limits = limits(job);
    return groups.enter(name(run), limits, BATCH, limits);
  }

  /** Makes the groups of a step. */
  String step(Effect.LaunchStep launch) throws IOException {
    if (!groups.inUse()) {
      return ControlGroups.NOWHERE;
    }
    Limits job = limits(launch.job());
    Command.RunningJob run = new Command.RunningJob(launch.jobId(), launch.restarts());
    String step = Integer.toString(launch.step().stepId());
    return groups.enter(name(run), job, step, limits(launch, job));
  }

  private Limits limits(Effect.LaunchStep launch, Limits job) {
    for (JobStep.OnNode part : launch.step().layout()) {
      if (part.node().equals(spec.name())) {
        BitSet own = new BitSet();
        part.gpus().forEach(own::set);
        boolean shares = shares(launch.job(), "shard") || shares(launch.job(), "mps");
        return new Limits(
            part.memoryMib() > 0 ? part.memoryMib() : job.memoryMib(),
            job.cpus(),
            shares ? job.denied() : denied(launch.job(), IndexSet.of(own)));
      }
    }
    return job;
  }

  private Limits limits(Job job) {
    NodeShare share = share(job);
    if (share == null || !groups.inUse()) {
      return new Limits(0, "", List.of());
    }
    return new Limits(
        share.memoryMib(),
        cpus.isLike(spec) ? cpus.cpusOf(share.cores(), spec).toString() : "",
        denied(job, null));
  }

  private @Nullable NodeShare share(Job job) {
    return job.allocation() == null
        ? null
        : job.allocation().shares().stream()
            .filter(s -> s.node().equals(spec.name()))
            .findFirst()
            .orElse(null);
  }

  private boolean shares(Job job, String gres) {
    NodeShare share = share(job);
    return share != null && share.gres().stream().anyMatch(g -> g.name().equals(gres));
  }

  /**
   * The device files of the node that are not the job's.
   *
   * @param gpus those that count as its own; null for those of the job
   */
  private List<Path> denied(Job job, @Nullable IndexSet gpus) {
    NodeShare share = share(job);
    Set<String> shared = Set.of("shard", "mps");
    List<Path> closed = new ArrayList<>();
    for (GresDevices devices : spec.gres()) {
      if (shared.contains(devices.name())) {
        // Their files are those of the GPUs.
        continue;
      }
      boolean gpu = devices.name().equals("gpu");
      IndexSet own = gpu && gpus != null ? gpus : IndexSet.EMPTY;
      if (share != null && !(gpu && gpus != null)) {
        for (GresShare held : share.gres()) {
          boolean counts =
              held.name().equals(devices.name()) || gpu && shared.contains(held.name());
          own = counts ? own.or(held.devices()) : own;
        }
      }
      for (int i = 0; i < devices.files().size(); i++) {
        if (!own.contains(devices.firstIndex() + i)) {
          for (String file : devices.files().get(i).split(",")) {
            closed.add(Path.of(file.strip()));
          }
        }
      }
    }
    return closed;
  }

  private static String name(Command.RunningJob run) {
    return run.jobId() + "." + run.restarts();
  }

  /** How many processes of a step the kernel has killed for want of memory. */
  long outOfMemory(StepDirectory.Key step) {
    return groups.outOfMemory(name(step.run()), Integer.toString(step.stepId()));
  }

  /**
   * How a batch script has ended: one of which the kernel has killed something has run out of
   * memory, however it ended itself.
   *
   * @param users to say so in its output
   */
  RunDirectory.Status status(RunDirectory directory, RunDirectory.Status status, Users users) {
    long killed = groups.outOfMemory(name(directory.run()), BATCH);
    if (killed == 0 || status.exit().signal() == ExitCode.OUT_OF_MEMORY) {
      return status;
    }
    RunDirectory.Status found =
        new RunDirectory.Status(new ExitCode(0, ExitCode.OUT_OF_MEMORY), status.at());
    try {
      directory.saveStatus(found);
    } catch (IOException e) {
      LOG.warn("{}: {}", directory.path(), e.toString());
    }
    OwnerOutput.say(users, directory, killed(killed, directory.run().jobId() + "." + BATCH));
    return found;
  }

  /** What Slurm says of such a step. */
  static String killed(long times, String step) {
    return "Detected "
        + times
        + " oom_kill event"
        + (times == 1 ? "" : "s")
        + " in StepId="
        + step
        + ". Some of the step tasks have been OOM Killed.";
  }

  /** A step is over. */
  void over(StepDirectory.Key step) {
    groups.remove(name(step.run()), Integer.toString(step.stepId()));
  }

  /** A run is over. */
  void over(Command.RunningJob run) {
    groups.remove(name(run), null);
  }

  /** What is in the groups of a run or step, by the marker of its processes. */
  static Set<Integer> left(String marker) {
    Marked of = Marked.of(marker);
    return ControlGroups.processes(of.spool, of.run, of.step);
  }

  /** Kills what is in the groups of a run or step at once, where the kernel can do that. */
  static void kill(String marker) {
    Marked of = Marked.of(marker);
    ControlGroups.kill(of.spool, of.run, of.step);
  }

  /** What {@link JobEnvironment#marker} has put together. */
  private record Marked(Path spool, String run, @Nullable String step) {
    static Marked of(String marker) {
      int at = marker.indexOf('@');
      int mark = marker.substring(0, at).indexOf(JobEnvironment.STEP_MARK);
      return new Marked(
          Path.of(marker.substring(at + 1)),
          marker.substring(mark + 1, at),
          mark < 0 ? null : marker.substring(0, mark));
    }
  }
}
