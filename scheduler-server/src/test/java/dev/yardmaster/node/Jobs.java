package dev.yardmaster.node;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBatch;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Tres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Running jobs for tests of what nodes do with them. */
public final class Jobs {
  private Jobs() {}

  /** A running job of one task on one CPU of n1. */
  public static Job running(int id, JobOwner owner, String workDir) {
    return Job.waiting(
            id,
            "job",
            owner,
            List.of("main"),
            JobRequest.oneTask()
                .with(r -> r.tasksGiven(true).memory(new MemoryRequest.PerCpu(1000))),
            new JobBatch(true, "", "sbatch job.sh", workDir, "", "", "", "", "vm"),
            30,
            TestCluster.NOW)
        .with(
            j ->
                j.state(JobState.RUNNING)
                    .priority(1)
                    .started(TestCluster.NOW)
                    .ended(TestCluster.NOW.plusSeconds(1800))
                    .allocation(
                        new Allocation(List.of(share("n1", 1)), Tres.of(Map.of(Tres.CPU, 1L)))));
  }

  static Job task(Job job, int arrayJobId, int task) {
    return job.withArray(new ArrayInfo(arrayJobId, task, IndexSet.EMPTY, 0));
  }

  public static NodeShare share(String node, int cpus, int... gpus) {
    List<GresShare> gres =
        gpus.length == 0
            ? List.of()
            : List.of(new GresShare("gpu", "h100", IndexSet.of(gpus), gpus.length));
    return new NodeShare(node, IndexSet.range(0, cpus - 1), cpus, 1000L * cpus, gres);
  }

  public static Job on(Job job, NodeShare... shares) {
    return job.withAllocation(new Allocation(List.of(shares), Tres.NONE));
  }

  /** Whether a process is there and is more than an entry that nobody has collected yet. */
  static boolean isAlive(long pid) {
    try {
      return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
    } catch (IOException e) {
      return false;
    }
  }
}
