package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.controller.TestCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Slurm's variables of batch scripts, name by name, as a real Slurm has set them (golden case 50):
 * what torchrun and mpirun go by.
 */
class GoldenEnvironmentTest {
  private static final Path CASE =
      Path.of("..", "..", "shared", "golden", "50-gpu-placement", "out");

  /** The case's own submission has them, or they are another each time. */
  private static final Set<String> OF_ITS_OWN =
      Set.of("SLURM_CONF", "SLURM_TIME_FORMAT", "SLURM_JOB_SLUID", "SLURM_TASK_PID");

  /** What depends on where and when a job runs, and who submits it. */
  private static final Set<String> DIFFERENT =
      Set.of(
          "SLURMD_NODENAME",
          "SLURM_JOBID",
          "SLURM_JOB_ID",
          "SLURM_JOB_NAME",
          "SLURM_JOB_ACCOUNT",
          "SLURM_JOB_QOS",
          "SLURM_JOB_GPUS",
          "SLURM_JOB_NODELIST",
          "SLURM_NODELIST",
          "SLURM_TOPOLOGY_ADDR",
          "SLURM_JOB_START_TIME",
          "SLURM_JOB_END_TIME",
          "SLURM_JOB_UID",
          "SLURM_JOB_GID",
          "SLURM_JOB_USER",
          "SLURM_SUBMIT_DIR",
          "SLURM_SUBMIT_HOST");

  private static final Map<String, String> JOBS =
      new TreeMap<>(
          Map.of(
              "one", "ntasks=1 gres=gpu:1",
              "gpus4", "ntasks=2 gpus=4",
              "pt", "ntasks=4 gpus-per-task=1",
              "bind1", "ntasks=4 gpus-per-task=1 gpu-bind=single:1",
              "bind2", "ntasks=2 gpus=4 gpu-bind=map_gpu:0,1",
              "bindnone", "ntasks=2 gpus-per-task=2 gpu-bind=none",
              "cpg", "ntasks=1 gpus=2 cpus-per-gpu=4",
              "mpg", "ntasks=1 gpus=2 mem-per-gpu=3000",
              "npg", "ntasks-per-gpu=2 gpus=2",
              "excl", "nodes=1 exclusive= ntasks=1 gpus=2"));

  @TempDir Path directory;

  private static Map<String, String> variables(List<String> lines) {
    Map<String, String> variables = new TreeMap<>();
    for (String line : lines) {
      if (line.matches("SLURM[A-Z]*_[A-Z_]+=.*")) {
        String[] parts = line.split("=", 2);
        variables.put(parts[0], parts[1]);
      }
    }
    variables.keySet().removeAll(OF_ITS_OWN);
    variables.replaceAll((name, value) -> DIFFERENT.contains(name) ? "…" : value);
    return variables;
  }

  @Test
  void aBatchScriptHasTheVariablesThatSlurmGivesIt() throws Exception {
    assumeTrue(Files.isDirectory(CASE), "the golden cases are there");
    try (DaemonLab lab = new DaemonLab(TestCluster.config(), directory)) {
      for (Map.Entry<String, String> job : JOBS.entrySet()) {
        int id = lab.submit("env", Stream.of(job.getValue().split(" ")).toArray(String[]::new));
        lab.awaitEnd(id);
        List<String> ours = Files.readAllLines(directory.resolve("slurm-" + id + ".out"));
        List<String> real = Files.readAllLines(CASE.resolve("job-" + job.getKey() + ".txt"));
        Map<String, String> wanted = variables(real);
        Map<String, String> has = variables(ours);
        // They stand for who submits, which here has neither.
        wanted.keySet().removeAll(Arrays.asList("SLURM_JOB_ACCOUNT", "SLURM_JOB_QOS"));
        has.keySet().removeAll(Arrays.asList("SLURM_JOB_ACCOUNT", "SLURM_JOB_QOS"));
        assertThat(has).as(job.getKey()).isEqualTo(wanted);
      }
    }
  }
}
