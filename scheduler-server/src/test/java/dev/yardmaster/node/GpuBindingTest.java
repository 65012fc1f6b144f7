package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.StepSetup;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.StepGpus;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.StepProgram;
import dev.yardmaster.node.gpu.GpuNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Golden case 50: what the tasks of a step see of the GPUs of their job. */
class GpuBindingTest {
  private static final JobOwner ALICE =
      new JobOwner("alice", 1001, "alice", 1001, "train", "normal", "");
  private static final NodeSpec N1 = TestCluster.config().nodes().getFirst();

  private static Job job(int tasks, Map<String, String> shown, GresRequest... gres) {
    Job job = Jobs.on(Jobs.running(3, ALICE, "/work"), Jobs.share("n1", 4, 2, 3, 4, 5));
    job = job.withRequest(job.request().with(r -> r.tasks(tasks).gres(List.of(gres))));
    return job.withBatch(job.batch().withShown(Immutable.sortedMap(shown)));
  }

  private static SortedMap<String, String> task(
      Job job, int tasks, int local, Map<String, String> options) {
    NodeShare share = Objects.requireNonNull(job.allocation()).shares().getFirst();
    JobStep step =
        new JobStep(
            3,
            0,
            0,
            "env",
            "alice",
            1001,
            "main",
            List.of(
                new JobStep.OnNode(
                    "n1",
                    IntStream.range(0, tasks).boxed().toList(),
                    tasks,
                    new StepGpus(job, options, TestCluster.config(), List.of())
                        .take(share, tasks, 0),
                    0)),
            tasks,
            Instant.EPOCH,
            10);
    StepProgram program =
        new StepProgram(
            List.of("env"),
            Immutable.sortedMap(
                Map.of("CUDA_VISIBLE_DEVICES", "7", "NVIDIA_VISIBLE_DEVICES", "all")),
            "/",
            "",
            0,
            "");
    return StepEnvironment.of(
        new Effect.LaunchStep("n1", job, step, program, new TreeMap<>(options)),
        local,
        N1,
        "lab",
        StepSetup.NONE,
        GpuNames.PLAIN);
  }

  private static String seen(Job job, int tasks, Map<String, String> options) {
    List<String> seen = new ArrayList<>();
    for (int local = 0; local < tasks; local++) {
      SortedMap<String, String> environment = task(job, tasks, local, options);
      String visible = environment.getOrDefault("CUDA_VISIBLE_DEVICES", "unset");
      assertThat(environment.getOrDefault("SLURM_STEP_GPUS", "")).isEqualTo(visible);
      assertThat(environment)
          .containsEntry("ROCR_VISIBLE_DEVICES", visible)
          .containsEntry("GPU_DEVICE_ORDINAL", visible)
          .containsEntry("ZE_AFFINITY_MASK", visible)
          .containsEntry("NVIDIA_VISIBLE_DEVICES", visible.isEmpty() ? "void" : visible);
      seen.add(visible);
    }
    return String.join(" ", seen);
  }

  private static GresRequest gpus(int count, GresRequest.Scope scope) {
    return new GresRequest("gpu", null, count, scope);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "single:1|2 3 4 5",
        "single:2|2 2 3 3",
        "verbose,single:1|2 3 4 5",
        "per_task:2|2,3 4,5 2 2",
        "per_task:1|2 3 4 5",
        "map_gpu:5,3|5 3 5 3",
        "map:2*2,4*2|2 2 4 4",
        "map_gpu:9|2 2 2 2",
        "mask_gpu:0x0c,0x30|2,3 4,5 2,3 4,5",
        "none|2,3,4,5 2,3,4,5 2,3,4,5 2,3,4,5",
        "closest|2,3,4,5 2,3,4,5 2,3,4,5 2,3,4,5",
      })
  void tasksGetTheGpusThatAreBoundToThem(String bind, String seen) {
    Job job = job(4, Map.of(), gpus(4, GresRequest.Scope.NODE));
    assertThat(seen(job, 4, Map.of("gpu-bind", bind))).isEqualTo(seen);
    assertThat(seen(job, 4, Map.of("tres-bind", "gres/gpu:" + bind))).isEqualTo(seen);
    assertThat(seen(job(4, Map.of("gpu-bind", bind), gpus(4, GresRequest.Scope.NODE)), 4, Map.of()))
        .isEqualTo(seen);
  }

  @Test
  void gpusOfEachTaskAreBoundToItUnlessTheJobDoesNotWantThat() {
    GresRequest each = gpus(1, GresRequest.Scope.TASK);
    assertThat(seen(job(4, Map.of(), each), 4, Map.of())).isEqualTo("2 3 4 5");
    assertThat(
            seen(job(2, Map.of("gpu-bind", "none"), gpus(2, GresRequest.Scope.TASK)), 2, Map.of()))
        .isEqualTo("2,3,4,5 2,3,4,5");
    assertThat(
            seen(
                job(4, Map.of(), gpus(4, GresRequest.Scope.JOB)), 4, Map.of("ntasks-per-gpu", "2")))
        .isEqualTo("2 2 3 3");
  }

  /** With --exclusive a job has all GPUs of its node; its steps have what it has asked for. */
  @Test
  void aStepHasWhatItOrItsJobAskedFor() {
    assertThat(seen(job(1, Map.of(), gpus(2, GresRequest.Scope.JOB)), 1, Map.of()))
        .isEqualTo("2,3");
    assertThat(seen(job(1, Map.of()), 1, Map.of())).isEqualTo("");
    Job four = job(1, Map.of(), gpus(4, GresRequest.Scope.NODE));
    assertThat(seen(four, 1, Map.of("gres", "none"))).isEqualTo("");
    assertThat(seen(four, 1, Map.of("gpus", "1"))).isEqualTo("2");
    assertThat(seen(four, 1, Map.of("gres", "gpu:h100:3"))).isEqualTo("2,3,4");
    assertThat(seen(four, 1, Map.of("gpus-per-node", "2"))).isEqualTo("2,3");
    assertThat(seen(four, 2, Map.of("gpus-per-task", "2"))).isEqualTo("2,3 4,5");
  }

  private static SortedMap<String, String> batch(Job job, NodeSpec node, GpuNames names) {
    return JobEnvironment.of(
        job,
        new JobScript("", List.of(), Immutable.sortedMap(Map.of("ROCR_VISIBLE_DEVICES", "0-7"))),
        node,
        "lab",
        names);
  }

  @Test
  void theJobsRequestIsThereForItsSteps() {
    Job job =
        job(
            4,
            Map.of("gpu-freq", "low"),
            gpus(1, GresRequest.Scope.TASK),
            new GresRequest("gpu", "a100", 1, GresRequest.Scope.JOB),
            new GresRequest("gpu", "1g.10gb", 1, GresRequest.Scope.JOB));
    assertThat(batch(job, N1, GpuNames.PLAIN))
        .containsEntry("SLURM_TRES_PER_TASK", "gres/gpu=1")
        .containsEntry("SLURM_TRES_BIND", "gres/gpu:per_task:1")
        .containsEntry("SLURM_GPUS", "a100:1,1g.10gb:1")
        .containsEntry("SLURM_TRES_FREQ", "gpu:low")
        .containsEntry("SLURM_JOB_GPUS", "2,3,4,5")
        .containsEntry("SLURM_GPUS_ON_NODE", "4")
        .doesNotContainKeys("SLURM_GPUS_PER_TASK", "SLURM_STEP_GPUS");
  }

  @Test
  void partsOfGpusShowTheGpuAndHowMuchOfItThereIs() {
    GresDevices four =
        new GresDevices(
            "gpu", null, 2, 0, List.of("/dev/nvidia0", "/dev/nvidia1"), List.of(), List.of());
    NodeSpec node =
        N1.withGres(
            List.of(
                four,
                new GresDevices("mps", null, 200, 0, List.of("/dev/nvidia0"), List.of(), List.of()),
                new GresDevices(
                    "mps", null, 400, 200, List.of("/dev/nvidia1"), List.of(), List.of()),
                GresDevices.counted("shard", null, 8)));
    NodeShare own =
        new NodeShare(
            "n1",
            IndexSet.of(0),
            1,
            100,
            List.of(
                new GresShare("mps", null, IndexSet.of(1), 100),
                new GresShare("shard", null, IndexSet.of(1), 3)));
    Job job = Jobs.on(Jobs.running(3, ALICE, "/work"), own);
    assertThat(batch(job, node, GpuNames.PLAIN))
        .containsEntry("CUDA_VISIBLE_DEVICES", "1")
        .containsEntry("SLURM_JOB_GPUS", "1")
        .containsEntry("SLURM_GPUS_ON_NODE", "1")
        .containsEntry("SLURM_SHARDS_ON_NODE", "3")
        .containsEntry("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "25");
  }

  /** What a driver has told goes before what the names of files suggest. */
  @Test
  void programsAreToldTheNamesThatTheirDriverKnows() {
    NodeSpec node =
        N1.withGres(
            List.of(
                new GresDevices(
                    "gpu",
                    null,
                    3,
                    0,
                    List.of("/dev/nvidia5", "/dev/nvidia4", "/dev/nvidia9"),
                    List.of(),
                    List.of())));
    List<String> visible = new ArrayList<>(List.of("0", "MIG-1"));
    visible.add(null);
    List<String> numbers = new ArrayList<>(List.of("0", "1"));
    numbers.add(null);
    GpuNames names = new GpuNames(visible, numbers, Set.of("CUDA_VISIBLE_DEVICES"));
    Job job = Jobs.on(Jobs.running(3, ALICE, "/work"), Jobs.share("n1", 1, 0, 1, 2));
    assertThat(batch(job, node, names))
        .containsEntry("CUDA_VISIBLE_DEVICES", "0,MIG-1,9")
        .containsEntry("SLURM_JOB_GPUS", "0,1,9")
        .doesNotContainKey("GPU_DEVICE_ORDINAL");
  }
}
