package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.ClusterConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that sites have published, and the configurations of recorded cases. */
class RealConfigsTest {
  private static final String CONFIGS = "data/configs";

  /** One row for each slurm.conf: nodes, GPUs, partitions, and whether a server would start. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "AMDResearch--slurm.conf | 2 | 0 | 1 | starts",
        "Azure--slurm-limits.conf | 0 | 0 | 0 | not a setting",
        "ClusterCockpit--slurm.conf | 1 | 0 | 1 | starts",
        "ENCCS--slurm.conf | 1 | 0 | 1 | not a key=value pair",
        "ReverseSage--slurm.conf | 1 | 1 | 1 | starts",
        "UCO-HPC--slurm.conf | 127 | 0 | 3 | starts",
        "arabidopsis--slurm.conf | 1 | 0 | 1 | starts",
        "arlk--slurm.conf | 1 | 8 | 1 | starts",
        "aws01--slurm_parallelcluster.conf | 0 | 0 | 0 | the included file does not exist",
        "aws03--slurm_parallelcluster_gpu_partition.conf | 15 | 90 | 1 | ClusterName is missing",
        "aws05--slurm_parallelcluster_multiple_spot_partition_mem_sched.conf | 15 | 0 | 1"
            + " | ClusterName is missing",
        "aws08--slurm_parallelcluster_efa_partition.conf | 5 | 0 | 1 | ClusterName is missing",
        "aws12--slurm_parallelcluster_externaldbd.conf | 0 | 0 | 0 | the included file does",
        "aws20--slurm_parallelcluster.conf | 0 | 0 | 0 | the included file does not exist",
        "giovtorres--26.05-slurm.conf | 0 | 0 | 2 | starts",
        "giovtorres--slurm.conf | 0 | 0 | 2 | starts",
        "sOmEoNe2lOvEgIt--slurm.conf | 0 | 0 | 0 | the included file does not exist",
        "stackhpc--slurm.conf.ohpc | 4 | 0 | 1 | starts",
        "stanfordhpccenter--slurm.conf | 1 | 0 | 1 | node power9-compute-1 not described",
        "waldur--slurm.conf | 4 | 16 | 1 | starts",
      })
  void slurmConfsOfSites(String file, int nodes, int gpus, int partitions, String outcome) {
    ConfigResult result = ConfigReader.readSlurmConf(SharedFolder.folder(CONFIGS).resolve(file));
    ClusterConfig draft = Objects.requireNonNull(result.draft());
    assertThat(draft.nodes()).hasSize(nodes);
    assertThat(draft.nodes().stream().mapToLong(n -> n.gresCount("gpu")).sum()).isEqualTo(gpus);
    assertThat(draft.partitions()).hasSize(partitions);
    if (outcome.equals("starts")) {
      assertThat(result.config()).as(result.fatal().toString()).isNotNull();
    } else {
      assertThat(result.config()).isNull();
      assertThat(result.fatal()).anySatisfy(f -> assertThat(f.message()).contains(outcome));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Azure--cgroup.conf | 4",
        "Azure--cgroup.conf.template | 3",
        "ClusterCockpit--cgroup.conf | 5",
        "ENCCS--cgroup.conf | 5",
        "GoogleCloudPlatform--cgroup.conf.tpl | 6",
        "GoogleCloudPlatform--etc-cgroup.conf.tpl | 4",
        "NVIDIA--cgroup.conf | 4",
        "giovtorres--cgroup.conf | 6",
        "oracle-quickstart--cgroup.conf | 3",
        "sOmEoNe2lOvEgIt--cgroup.conf | 6",
      })
  void cgroupConfsOfSites(String file, int settings) {
    SettingsResult result = ConfigReader.readCgroupConf(SharedFolder.folder(CONFIGS).resolve(file));
    assertThat(result.settings()).hasSize(settings);
    assertThat(result.findings()).noneMatch(f -> f.severity().atLeast(Severity.ERROR));
  }

  @Test
  void listOfDevicesIsNoCgroupConf() {
    Path file =
        SharedFolder.folder(CONFIGS).resolve("ComputeCanada--cgroup_allowed_devices_file.conf");
    SettingsResult result = ConfigReader.readCgroupConf(file);
    assertThat(result.settings()).isEmpty();
    assertThat(result.findings()).isNotEmpty().allMatch(f -> f.message().equals("not a setting"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ClusterCockpit--slurmdbd.conf",
        "ENCCS--slurmdbd.conf",
        "sOmEoNe2lOvEgIt--slurmdbd.conf",
      })
  void slurmdbdConfsOfSites(String file) {
    SettingsResult result =
        ConfigReader.readSlurmdbdConf(SharedFolder.folder(CONFIGS).resolve(file));
    assertThat(result.findings()).isEmpty();
    assertThat(result.settings()).containsKeys("DbdHost", "StorageType");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ReverseSage--gres.conf",
        "arlk--gres.conf",
        "giovtorres--gres-wsl.conf",
        "giovtorres--gres.conf",
        "sOmEoNe2lOvEgIt--gres.conf",
      })
  void gresConfsOfSites(String file) {
    assertThat(ConfigReader.checkGresConf(SharedFolder.folder(CONFIGS).resolve(file)))
        .noneMatch(f -> f.severity().atLeast(Severity.ERROR));
  }

  @Test
  void topologyConfOfASite() {
    Path file = SharedFolder.folder(CONFIGS).resolve("sOmEoNe2lOvEgIt--topology.conf");
    Set<String> nodes = Set.of("slurm_node1", "slurm_node2", "slurm_node3", "slurm_node4");
    assertThat(ConfigReader.readTopology(file, nodes).findings()).isEmpty();
  }

  /** Thread numbers for cores, as a site wrote them for its two sockets of 16 cores. */
  @Test
  void gresConfOfASiteIsExplainedBesideItsSlurmConf(@TempDir Path dir) throws Exception {
    Path configs = SharedFolder.folder(CONFIGS);
    Files.copy(configs.resolve("arlk--slurm.conf"), dir.resolve("slurm.conf"));
    Files.copy(configs.resolve("arlk--gres.conf"), dir.resolve("gres.conf"));
    ConfigResult result = ConfigReader.read(dir);
    assertThat(result.config()).isNotNull();
    assertThat(result.of(Severity.ERROR))
        .hasSize(8)
        .allMatch(f -> f.message().contains("are thread numbers, and Cores holds core indices"));
  }

  @Test
  void everyRecordedCaseReadsWithoutAnError() {
    int read = 0;
    for (Path folder : SharedFolder.entries(SharedFolder.folder("golden"))) {
      if (Files.isRegularFile(folder.resolve("slurm.conf"))) {
        ConfigResult result = ConfigReader.read(folder);
        assertThat(result.config()).as(folder.toString()).isNotNull();
        assertThat(result.findings())
            .as(folder.toString())
            .noneMatch(f -> f.severity().atLeast(Severity.ERROR));
        read++;
      }
    }
    assertThat(read).isPositive();
  }

  @Test
  void labOfTheGuideReads() {
    assertSmallLab(ConfigReader.read(SharedFolder.folder("data/sample")));
  }

  @Test
  void sampleOfTheProductReadsWithoutAnyFinding() {
    ConfigResult result = ConfigReader.read(Path.of("../sample"));
    assertThat(result.findings()).isEmpty();
    assertSmallLab(result);
  }

  private static void assertSmallLab(ConfigResult result) {
    ClusterConfig config = Objects.requireNonNull(result.config());
    assertThat(config.nodes()).hasSize(4).allMatch(n -> n.cpus() == 128);
    assertThat(config.nodes().stream().mapToLong(n -> n.gresCount("gpu")).sum()).isEqualTo(32);
    assertThat(config.partitions())
        .extracting(p -> p.name())
        .containsExactly("train", "interactive");
    assertThat(config.partition("train").orElseThrow().nodes()).hasSize(3);
  }
}
