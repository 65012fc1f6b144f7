package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.node.Jobs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What steps of one job get beside each other; each answer was asked of a real Slurm. */
class StepSharesTest {
  private static final JobOwner ALICE =
      new JobOwner("alice", 1001, "alice", 1001, "train", "normal", "");
  private final List<JobStep> running = new ArrayList<>();
  private Job job = job(new MemoryRequest.PerCpu(1000), "", 0, Jobs.share("n1", 4, 0, 1));

  /** A job that has asked for so many GPUs, in the unit of a scope. */
  private static Job job(MemoryRequest memory, String scope, int gpus, NodeShare... shares) {
    Job job = Jobs.on(Jobs.running(3, ALICE, "/work"), shares);
    List<GresRequest> asked =
        scope.isEmpty()
            ? List.of(new GresRequest("gpu", null, 2, GresRequest.Scope.JOB))
            : List.of(new GresRequest("gpu", null, gpus, GresRequest.Scope.valueOf(scope)));
    return job.withRequest(job.request().with(r -> r.gres(asked).memory(memory)));
  }

  /** What a step gets, as {@code NODE[TASKS] GPUS}, or the name of why it does not start. */
  private String step(String options) {
    TreeMap<String, String> map = new TreeMap<>();
    for (String option : options.split(" ")) {
      String[] parts = option.split("=", 2);
      map.put(parts[0], parts.length == 2 ? parts[1] : "");
    }
    List<JobStep.OnNode> layout;
    try {
      layout =
          new StepLayout(job, new Options(Immutable.sortedMap(map)), TestCluster.config(), running)
              .lay();
    } catch (Refusal e) {
      return e.reply().error().name();
    }
    running.add(
        new JobStep(
            3, 0, running.size(), "s", "alice", 1001, "main", layout, 1, Instant.EPOCH, 10));
    StringBuilder out = new StringBuilder();
    for (JobStep.OnNode on : layout) {
      out.append(out.isEmpty() ? "" : " ").append(on.node()).append(on.tasks()).append(on.gpus());
    }
    return out.toString().replace(", ", ",");
  }

  @Test
  void stepsBesideEachOtherGetDifferentGpus() {
    assertThat(step("exact ntasks=1 gpus=1")).isEqualTo("n1[0][0]");
    assertThat(step("exact ntasks=1 gres=gpu:1")).isEqualTo("n1[0][1]");
    assertThat(step("exact ntasks=1 gpus=1")).isEqualTo("NODES_BUSY");
    assertThat(step("exact ntasks=1")).isEqualTo("NODES_BUSY");
    assertThat(step("exact ntasks=1 gres=none")).isEqualTo("n1[0][]");
    assertThat(step("exact ntasks=1 gpus=0")).isEqualTo("n1[0][]");
    running.removeFirst();
    assertThat(step("exact ntasks=1 gpus-per-task=1")).isEqualTo("n1[0][0]");
  }

  @Test
  void aStepThatOverlapsTakesNothingFromOthers() {
    assertThat(step("overlap ntasks=1 gpus=1")).isEqualTo("n1[0][0]");
    assertThat(step("overlap ntasks=1 gpus=1")).isEqualTo("n1[0][0]");
    assertThat(step("exact ntasks=1 gpus=2")).isEqualTo("n1[0][0,1]");
    assertThat(step("overlap ntasks=1")).isEqualTo("n1[0][0,1]");
  }

  @Test
  void whatTheJobHasNotIsRefusedAtOnce() {
    assertThat(step("exact ntasks=1 gpus=3")).isEqualTo("INVALID_GRES");
    assertThat(step("exact ntasks=1 gres=gpu:3")).isEqualTo("INVALID_GRES");
    assertThat(step("exact ntasks=1 gpus-per-task=3")).isEqualTo("INVALID_GRES");
    assertThat(step("exact ntasks=1 gres=gpu:a100:1")).isEqualTo("INVALID_GRES");
    assertThat(step("exact ntasks=1 gres=gpu:h100:1")).isEqualTo("n1[0][0]");
  }

  @Test
  void gpusOfAStepAreSpreadOverItsNodes() {
    job =
        job(
            new MemoryRequest.PerCpu(1000),
            "JOB",
            4,
            Jobs.share("n1", 4, 0, 1, 2),
            Jobs.share("n2", 4, 5));
    // As many as the job has asked for in all: one node has not so many.
    assertThat(step("exact nodes=1 ntasks=1")).isEqualTo("INVALID_GRES");
    assertThat(step("exact nodes=2 ntasks=2 gpus=2")).isEqualTo("n1[0][0] n2[1][5]");
    assertThat(step("exact nodes=1 ntasks=1 gpus=1")).isEqualTo("n1[0][1]");
    assertThat(step("exact nodes=1 ntasks=1 gpus=1")).isEqualTo("n1[0][2]");
    assertThat(step("exact nodes=1 ntasks=1 gpus=1")).isEqualTo("NODES_BUSY");
    running.clear();
    assertThat(step("exact nodes=2 ntasks=2")).isEqualTo("n1[0][0,1,2] n2[1][5]");
    running.clear();
    assertThat(step("exact ntasks=2 gpus-per-node=1")).isEqualTo("n1[0][0] n2[1][5]");
  }

  @Test
  void memoryOfStepsIsCountedWhereTheySayHowMuch() {
    job = job(new MemoryRequest.PerNode(4000), "", 0, Jobs.share("n1", 4, 0, 1));
    assertThat(step("exact ntasks=1 gres=none mem=5000")).isEqualTo("TASK_MEMORY");
    assertThat(step("exact ntasks=1 gres=none mem=3000")).isEqualTo("n1[0][]");
    assertThat(step("exact ntasks=1 gres=none mem=2000")).isEqualTo("NODES_BUSY");
    assertThat(step("overlap ntasks=1 gres=none mem=2000")).isEqualTo("n1[0][]");
    assertThat(step("exact ntasks=1 gres=none mem=0")).isEqualTo("n1[0][]");
    assertThat(step("exact ntasks=1 gres=none mem-per-cpu=1000")).isEqualTo("n1[0][]");
    assertThat(step("exact ntasks=1 gres=none mem-per-cpu=1")).isEqualTo("NODES_BUSY");
    job = job(new MemoryRequest.PerCpu(1000), "", 0, Jobs.share("n1", 4, 0, 1));
    running.clear();
    assertThat(step("exact ntasks=1 gres=none mem=5000")).isEqualTo("NODES_BUSY");
  }

  @Test
  void gpusInTheOldWayOfWritingAreFound() {
    assertThat(step("exact ntasks=1 gres=gres/gpu:1")).isEqualTo("n1[0][0]");
    assertThat(step("exact ntasks=1 gres=gres:gpu:1")).isEqualTo("n1[0][1]");
  }
}
