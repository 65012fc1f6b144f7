package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.text.Distribution;
import dev.yardmaster.node.gpu.GpuNames;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JobEnvironmentTest {
  private static final JobOwner ALICE =
      new JobOwner("alice", 1001, "alice", 1001, "train", "normal", "");
  private static final NodeSpec N1 = TestCluster.config().nodes().getFirst();

  private static SortedMap<String, String> environment(Job job, NodeSpec node) {
    JobScript script =
        new JobScript(
            "", List.of(), Immutable.sortedMap(Map.of("HOME", "/h", "CUDA_VISIBLE_DEVICES", "3")));
    return JobEnvironment.of(job, script, node, "lab", GpuNames.PLAIN);
  }

  private static Job job() {
    return Jobs.running(3, ALICE, "/work");
  }

  /** Golden case 50, job "one", without what only its machine knows. */
  @Test
  void aOneGpuJobSeesItsGpuAndSlurmsVariables() {
    Job job =
        Jobs.on(job(), Jobs.share("n1", 1, 5))
            .withRequest(
                job()
                    .request()
                    .with(
                        r ->
                            r.tasksGiven(true)
                                .gres(
                                    List.of(
                                        new GresRequest("gpu", null, 1, GresRequest.Scope.NODE)))));
    assertThat(environment(job, N1))
        .containsAllEntriesOf(
            Map.ofEntries(
                Map.entry("SLURMD_NODENAME", "n1"),
                Map.entry("SLURM_CLUSTER_NAME", "lab"),
                Map.entry("SLURM_CPUS_ON_NODE", "1"),
                Map.entry("SLURM_GPUS_ON_NODE", "1"),
                Map.entry("SLURM_JOBID", "3"),
                Map.entry("SLURM_JOB_ACCOUNT", "train"),
                Map.entry("SLURM_JOB_CPUS_PER_NODE", "1"),
                Map.entry("SLURM_JOB_EXCLUSIVE", "NO"),
                Map.entry("SLURM_JOB_GPUS", "5"),
                Map.entry("SLURM_JOB_NODELIST", "n1"),
                Map.entry("SLURM_JOB_NUM_NODES", "1"),
                Map.entry("SLURM_JOB_QOS", "normal"),
                Map.entry("SLURM_MEM_PER_CPU", "1000"),
                Map.entry("SLURM_NTASKS", "1"),
                Map.entry("SLURM_RESTART_COUNT", "0"),
                Map.entry("SLURM_STEP_ID", "-5"),
                Map.entry("SLURM_SUBMIT_DIR", "/work"),
                Map.entry("SLURM_TASKS_PER_NODE", "1"),
                Map.entry("CUDA_VISIBLE_DEVICES", "5"),
                Map.entry("GPU_DEVICE_ORDINAL", "5"),
                Map.entry("ROCR_VISIBLE_DEVICES", "5"),
                Map.entry("HOME", "/h")))
        .doesNotContainKeys("SLURM_GPUS", "SLURM_GPUS_PER_NODE", "SLURM_CPUS_PER_TASK");
  }

  /** Golden case 50, job "gpus10": 4 tasks, 3 CPUs on one node and 1 on the other. */
  @Test
  void tasksFollowTheCpusOfEachNode() {
    Job job =
        Jobs.on(job(), Jobs.share("n3", 3, 0, 1, 2), Jobs.share("n4", 1, 0, 1))
            .withRequest(
                job()
                    .request()
                    .with(
                        r ->
                            r.tasks(4)
                                .gres(
                                    List.of(
                                        new GresRequest("gpu", null, 10, GresRequest.Scope.JOB)))));
    assertThat(environment(job, N1))
        .containsEntry("SLURM_TASKS_PER_NODE", "3,1")
        .containsEntry("SLURM_JOB_CPUS_PER_NODE", "3,1")
        .containsEntry("SLURM_NODELIST", "n[3-4]")
        .containsEntry("SLURM_GPUS", "10")
        .containsEntry("SLURM_GPUS_ON_NODE", "3");
  }

  @Test
  void packedTasksFillOneNodeAfterTheOther() {
    Job job = Jobs.on(job(), Jobs.share("n1", 4), Jobs.share("n2", 4), Jobs.share("n3", 4));
    Job six = job.withRequest(job.request().withTasks(6));
    Job spread =
        six.withRequest(six.request().withDistribution(Distribution.parse("block,nopack")));
    assertThat(tasks(six, false)).isEqualTo("2(x3)");
    assertThat(tasks(six, true)).isEqualTo("4,1(x2)");
    assertThat(tasks(spread, true)).isEqualTo("2(x3)");
  }

  private static @Nullable String tasks(Job job, boolean packs) {
    JobScript script = new JobScript("", List.of(), Immutable.sortedMap());
    return JobEnvironment.of(job, script, N1, "lab", packs, GpuNames.PLAIN)
        .get("SLURM_TASKS_PER_NODE");
  }

  @Test
  void equalNodesAreFolded() {
    Job job = Jobs.on(job(), Jobs.share("n1", 2), Jobs.share("n2", 2));
    job = job.withRequest(job.request().withTasks(4));
    assertThat(environment(job, N1))
        .containsEntry("SLURM_TASKS_PER_NODE", "2(x2)")
        .containsEntry("SLURM_JOB_CPUS_PER_NODE", "2(x2)");
  }

  @Test
  void withoutAGpuNoneIsVisibleWhateverTheUserSays() {
    assertThat(environment(job(), N1))
        .containsEntry("CUDA_VISIBLE_DEVICES", "")
        .containsEntry("ROCR_VISIBLE_DEVICES", "")
        .doesNotContainKeys("SLURM_JOB_GPUS", "SLURM_GPUS_ON_NODE");
  }

  @Test
  void gpusAreNamedByTheNumbersOfTheirFiles() {
    List<String> files = List.of("/dev/nvidia4", "/dev/nvidia5", "/dev/nvidia6", "/dev/nvidia7");
    NodeSpec node =
        N1.withGres(List.of(new GresDevices("gpu", "h100", 4, 0, files, List.of(), List.of())));
    assertThat(environment(Jobs.on(job(), Jobs.share("n1", 1, 0, 2)), node))
        .containsEntry("CUDA_VISIBLE_DEVICES", "4,6");
  }

  @Test
  void memoryIsSaidAsItWasAsked() {
    Job perNode = job().withRequest(job().request().withMemory(new MemoryRequest.PerNode(2000)));
    assertThat(environment(perNode, N1))
        .containsEntry("SLURM_MEM_PER_NODE", "2000")
        .doesNotContainKey("SLURM_MEM_PER_CPU");
  }

  @Test
  void anArrayTaskKnowsItsArray() {
    assertThat(environment(Jobs.task(job(), 60, 4), N1))
        .containsEntry("SLURM_ARRAY_JOB_ID", "60")
        .containsEntry("SLURM_ARRAY_TASK_ID", "4")
        .containsEntry("SLURM_JOB_ID", "3");
  }
}
