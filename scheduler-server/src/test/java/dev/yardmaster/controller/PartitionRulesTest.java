package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.Tres;
import org.junit.jupiter.api.Test;

/** MinNodes and MaxMemPerCPU of a partition (slurm.conf(5)). */
class PartitionRulesTest {
  private static final JobRequest THREE_TASKS =
      JobRequest.oneTask().with(r -> r.tasks(3).tasksGiven(true).maxNodes(3).cpusPerTask(2));

  @Test
  void moreMemoryPerCpuBringsMoreCpusThatDoNotCountAsAskedFor() {
    JobRequest wide =
        PartitionRules.memoryPerCpu(THREE_TASKS.withMemory(new MemoryRequest.PerCpu(2500)), 1000);
    assertThat(wide.cpusPerTask()).isEqualTo(6);
    assertThat(wide.memory()).isEqualTo(new MemoryRequest.PerCpu(834));
    assertThat(ReqTres.needed(wide)).isEqualTo(18);
    assertThat(ReqTres.cpus(wide)).isEqualTo(6);
    assertThat(ReqTres.of(wide).get(Tres.MEM)).isEqualTo(15_000);
  }

  @Test
  void memoryOfANodeBringsTheCpusThatMayHaveSoMuch() {
    JobRequest wide =
        PartitionRules.memoryPerCpu(
            THREE_TASKS.with(r -> r.cpusPerTask(1).memory(new MemoryRequest.PerNode(5000))), 1000);
    assertThat(wide.cpusPerTask()).isEqualTo(2);
    assertThat(wide.minCpusPerNode()).isEqualTo(6);
    assertThat(ReqTres.cpus(wide)).isEqualTo(3);
    JobRequest perNode =
        PartitionRules.memoryPerCpu(
            JobRequest.oneTask()
                .with(r -> r.tasksPerNode(2).memory(new MemoryRequest.PerNode(5000))),
            1000);
    assertThat(perNode.cpusPerTask()).isEqualTo(3);
    assertThat(perNode.minCpusPerNode()).isEqualTo(6);
  }

  @Test
  void whatIsWithinTheRulesStaysAsItIs() {
    JobRequest small = THREE_TASKS.withMemory(new MemoryRequest.PerCpu(1000));
    assertThat(PartitionRules.memoryPerCpu(small, 1000)).isSameAs(small);
    assertThat(PartitionRules.memoryPerCpu(small, 0)).isSameAs(small);
    assertThat(PartitionRules.leastNodes(small, 1, false)).isSameAs(small);
  }

  @Test
  void anOpenNumberOfNodesBeginsWithTheLeastOfThePartition() {
    JobRequest raised = PartitionRules.leastNodes(THREE_TASKS, 2, false);
    assertThat(raised.minNodes()).isEqualTo(2);
    assertThat(raised.maxNodes()).isEqualTo(3);
    JobRequest one = JobRequest.oneTask();
    assertThat(ReqTres.of(PartitionRules.leastNodes(one, 2, false)).get(Tres.NODE)).isEqualTo(2);
    assertThat(ReqTres.cpus(PartitionRules.leastNodes(one, 2, false))).isEqualTo(1);
    assertThat(PartitionRules.leastNodes(one, 2, true)).isSameAs(one);
  }

  @Test
  void fewerTasksThanTheLeastNodesAreRefused() {
    assertThatThrownBy(() -> PartitionRules.leastNodes(THREE_TASKS, 4, false))
        .isInstanceOf(Refusal.class);
  }
}
