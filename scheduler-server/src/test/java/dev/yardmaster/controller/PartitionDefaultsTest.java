package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.MemoryRequest;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a job gets from its partition when it does not say (slurm.conf(5), JobDefaults). */
class PartitionDefaultsTest {
  private static JobRequest request(String... options) {
    ClusterConfig config = TestCluster.config();
    Bench bench = Bench.ready();
    bench.reconfigure(
        config.with(
            c ->
                c.partitions(
                    config.partitions().stream()
                        .map(
                            p ->
                                p.withJobDefaults(
                                    new TreeMap<>(
                                        Map.of("DefCpuPerGPU", 3L, "DefMemPerGPU", 2000L))))
                        .toList())));
    bench.handle(new Command.Reconfigure(TestCluster.ROOT));
    return bench.job(bench.submit(options)).request();
  }

  @Test
  void aJobWithGpusGetsCpusAndMemoryForEach() {
    JobRequest request = request("gres=gpu:2");
    assertThat(request.cpusPerGpu()).isEqualTo(3);
    assertThat(request.memory()).isEqualTo(new MemoryRequest.PerGpu(2000));
  }

  @Test
  void whatAJobSaysGoesBefore() {
    assertThat(request("gres=gpu:2", "cpus-per-task=4").cpusPerGpu()).isZero();
    assertThat(request("gres=gpu:2", "cpus-per-gpu=5").cpusPerGpu()).isEqualTo(5);
    assertThat(request("gres=gpu:2", "mem=4000").memory())
        .isEqualTo(new MemoryRequest.PerNode(4000));
    assertThat(request("gres=gpu:2", "mem-per-gpu=1000").memory())
        .isEqualTo(new MemoryRequest.PerGpu(1000));
  }

  @Test
  void aJobWithoutGpusGetsNothingOfIt() {
    assertThat(request("ntasks=2").cpusPerGpu()).isZero();
    assertThat(request("ntasks=2").memory()).isNotInstanceOf(MemoryRequest.PerGpu.class);
  }
}
