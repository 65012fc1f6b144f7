package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.MemoryRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** NODES of a job that waits, as squeue(1) shows it, on nodes of 16 CPUs, 64,000 MiB and 8 GPUs. */
class ExpectedNodesTest {
  private final Lab lab =
      Lab.with().nodes("n[1-8]").partition("main", "n[1-8]", p -> p.withIsDefault(true)).build();

  private Job submitted(JobSpec spec) {
    return lab.job(lab.submit(spec));
  }

  private int expected(JobSpec spec) {
    return Admission.judge(lab.state(), submitted(spec), lab.now()).nodes();
  }

  private int byTasks(JobSpec spec) {
    return ExpectedNodes.byTasks(lab.state(), submitted(spec));
  }

  @Test
  void itIsWhatTheJobWouldGetIfNothingRan() {
    submitted(JobSpec.job("full").nodes(8).exclusive());
    lab.pass();
    assertThat(expected(JobSpec.job("one").tasks(16))).isEqualTo(1);
    assertThat(expected(JobSpec.job("two").tasks(17))).isEqualTo(2);
    JobSpec memory = JobSpec.job("memory").tasks(6);
    assertThat(expected(memory.requestOf(r -> r.withMemory(new MemoryRequest.PerCpu(30_000)))))
        .isEqualTo(3);
  }

  @Test
  void whatNothingCanHostIsCountedByItsTasks() {
    assertThat(expected(JobSpec.job("all").tasks(200))).isEqualTo(13);
    assertThat(expected(JobSpec.job("gpus").tasks(20).gpus(99))).isEqualTo(2);
  }

  @Test
  void whatLimitsNeverAllowIsCountedByItsTasks() {
    Lab limited =
        Lab.with()
            .nodes("n[1-8]")
            .partition("main", "n[1-8]", p -> p.withIsDefault(true))
            .setting("AccountingStorageEnforce", "limits,qos")
            .build();
    limited.accounts(List.of("add", "account", "few"));
    limited.accounts(List.of("add", "user", "alice", "account=few"));
    limited.accounts(List.of("modify", "user", "alice", "set", "MaxTRESPerJob=node=2"));
    assertThat(nodes(limited, 1, 5)).isEqualTo(2);
    assertThat(nodes(limited, 3, 5)).isEqualTo(3);
  }

  private static int nodes(Lab lab, int least, int most) {
    JobSpec range = JobSpec.job("range").account("few").tasks(most);
    int id =
        lab.submit(
            range.requestOf(r -> r.with(b -> b.minNodes(least).maxNodes(most).nodesGiven(true))));
    return Admission.judge(lab.state(), lab.job(id), lab.now()).nodes();
  }

  @Test
  void tasksAreCountedByTheLargestNode() {
    assertThat(byTasks(JobSpec.job("tasks").tasks(33))).isEqualTo(3);
    assertThat(byTasks(JobSpec.job("per-node").tasks(20).tasksPerNode(2))).isEqualTo(10);
    // Whole nodes are counted, and the rest is not, as Slurm does it.
    assertThat(byTasks(JobSpec.job("wide").tasks(7).cpusPerTask(8))).isEqualTo(3);
    assertThat(byTasks(JobSpec.job("nodes").nodes(5))).isEqualTo(5);
  }

  @Test
  void aChangeOfItsSizeMakesAnEstimateOfIt() {
    Job job = submitted(JobSpec.job("one").tasks(4)).withExpectedNodes(2);
    Job renamed = job.withName("other");
    Job larger = job.withRequest(job.request().withTasks(40));
    assertThat(ExpectedNodes.changed(lab.state(), job, renamed).expectedNodes()).isEqualTo(2);
    assertThat(ExpectedNodes.changed(lab.state(), job, larger).expectedNodes()).isEqualTo(3);
  }

  @Test
  void oneThatComesBackToTheQueueIsShownWithTheNodesItHad() {
    int id = lab.submit(JobSpec.job("spread").tasks(40));
    lab.pass();
    assertThat(lab.job(id).allocation()).isNotNull();
    lab.requeue(id);
    assertThat(lab.job(id).expectedNodes()).isEqualTo(3);
  }
}
