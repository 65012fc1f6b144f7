package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.ReqTres;
import org.junit.jupiter.api.Test;

/** {@code --overcommit} of allocations: a node counts with one CPU, however many tasks it runs. */
class OvercommitTest {
  private final Bench bench = Bench.ready();

  private JobRequest asked(String... options) {
    return bench.job(bench.submit(options)).request();
  }

  @Test
  void aNodeCountsWithOneCpu() {
    JobRequest tasks = asked("overcommit", "hold", "ntasks=8");
    assertThat(ReqTres.cpus(tasks)).isEqualTo(1);
    assertThat(tasks.tasks()).isEqualTo(8);
    assertThat(ReqTres.cpus(asked("overcommit", "hold", "ntasks=8", "nodes=2"))).isEqualTo(2);
    assertThat(ReqTres.cpus(asked("overcommit", "hold", "ntasks=4", "cpus-per-task=3")))
        .isEqualTo(1);
  }

  @Test
  void cpusOfGpusCountAllTheSame() {
    JobRequest gpus = asked("overcommit", "hold", "ntasks=8", "gpus=2", "cpus-per-gpu=2");
    assertThat(ReqTres.cpus(gpus)).isEqualTo(4);
  }
}
