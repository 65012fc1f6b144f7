package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GresConfigTest {
  @TempDir Path dir;

  private ConfigFolder lab(String gres, String... gresConf) {
    String node = "NodeName=n[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 Gres=" + gres;
    ConfigFolder lab = ConfigFolder.lab(dir, "GresTypes=gpu,shard,mps,nic", node);
    return gresConf.length == 0 ? lab : lab.with("gres.conf", String.join("\n", gresConf));
  }

  private static List<String> paths(String prefix, int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(i -> prefix + i).toList();
  }

  @Test
  void countAloneNeedsNoGresConf() {
    ConfigFolder lab = lab("gpu:h100:8,nic:2");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.node("n1").gres())
        .containsExactly(
            GresDevices.counted("gpu", "h100", 8), GresDevices.counted("nic", null, 2));
    assertThat(lab.node("n1").gresCount("gpu")).isEqualTo(8);
  }

  @Test
  void devicesThatGresConfOnlyCountsCannotBeToldApart() {
    GresDevices counted =
        lab("gpu:h100:8", "Name=gpu Type=h100 Count=8").node("n1").gres().getFirst();
    assertThat(counted.countOnly()).isTrue();
    assertThat(counted.haveIndices()).isFalse();
    GresDevices found =
        lab("gpu:h100:8", "AutoDetect=nvml", "Name=gpu Type=h100 Count=8")
            .node("n1")
            .gres()
            .getFirst();
    assertThat(found.haveIndices()).isTrue();
  }

  @Test
  void filesCoresAndLinksAreJoinedDeviceByDevice() {
    ConfigFolder lab =
        lab(
            "gpu:h100:4",
            "NodeName=n[1-2] Name=gpu Type=h100 File=/dev/nvidia0 Cores=0-7 Links=-1,4,1,1",
            "NodeName=n[1-2] Name=gpu Type=h100 File=/dev/nvidia1 Cores=0-7 Links=4,-1,1,1",
            "NodeName=n[1-2] Name=gpu Type=h100 File=/dev/nvidia2 Cores=8-15 Links=1,1,-1,4",
            "NodeName=n[1-2] Name=gpu Type=h100 File=/dev/nvidia3 Cores=8-15 Links=1,1,4,-1");
    IndexSet low = IndexSet.range(0, 7);
    IndexSet high = IndexSet.range(8, 15);
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.node("n2").gres())
        .containsExactly(
            new GresDevices(
                "gpu",
                "h100",
                4,
                0,
                paths("/dev/nvidia", 0, 3),
                List.of(low, low, high, high),
                List.of(
                    List.of(-1, 4, 1, 1),
                    List.of(4, -1, 1, 1),
                    List.of(1, 1, -1, 4),
                    List.of(1, 1, 4, -1))));
  }

  @Test
  void typesAreNumberedOneBehindTheOther() {
    ConfigFolder lab =
        lab(
            "gpu:a100:2,gpu:h100:2",
            "Name=gpu Type=h100 File=/dev/nvidia[2-3]",
            "Name=gpu Type=a100 File=/dev/nvidia[0-1]");
    assertThat(lab.node("n1").gres())
        .containsExactly(
            new GresDevices("gpu", "a100", 2, 0, paths("/dev/nvidia", 0, 1), List.of(), List.of()),
            new GresDevices("gpu", "h100", 2, 2, paths("/dev/nvidia", 2, 3), List.of(), List.of()));
  }

  @Test
  void untypedGresTakesAnyType() {
    ConfigFolder lab = lab("gpu:2", "Name=gpu Type=h100 File=/dev/nvidia[0-1]");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.node("n1").gres().getFirst().files()).hasSize(2);
    assertThat(lab.node("n1").gres().getFirst().type()).isNull();
  }

  @Test
  void slurmConfDecidesHowManyThereAre() {
    ConfigFolder fewer = lab("gpu:2", "Name=gpu File=/dev/nvidia[0-7]");
    assertThat(fewer.node("n1").gres())
        .containsExactly(
            new GresDevices("gpu", null, 2, 0, paths("/dev/nvidia", 0, 1), List.of(), List.of()));
    ConfigFolder more = lab("gpu:4", "Name=gpu File=/dev/nvidia[0-1] Cores=0-7");
    assertThat(more.findings())
        .containsExactly(
            "ERROR slurm.conf:4: Gres=gpu:4: gres.conf names devices for 2 of the 4 gpu; name the"
                + " others with File=, or write AutoDetect=nvml in gres.conf");
    assertThat(more.node("n1").gres().getFirst().count()).isEqualTo(4);
    assertThat(more.node("n1").gres().getFirst().cores())
        .containsExactly(
            IndexSet.range(0, 7),
            IndexSet.range(0, 7),
            IndexSet.range(0, 15),
            IndexSet.range(0, 15));
  }

  @Test
  void autoDetectFindsWhatIsNotNamed() {
    String some = "Name=gpu File=/dev/nvidia[0-1]";
    assertThat(lab("gpu:4", "AutoDetect=nvml", some).findings()).isEmpty();
    assertThat(lab("gpu:4", "AutoDetect=nvml", "NodeName=n2 AutoDetect=off", some).errors())
        .hasSize(1);
  }

  @Test
  void linesAreForTheNodesTheyName() {
    ConfigFolder lab =
        lab(
            "gpu:1",
            "NodeName=n1 Name=gpu File=/dev/nvidia0",
            "NodeName=n2 Name=gpu File=/dev/nvidia7");
    assertThat(lab.node("n1").gres().getFirst().files()).containsExactly("/dev/nvidia0");
    assertThat(lab.node("n2").gres().getFirst().files()).containsExactly("/dev/nvidia7");
  }

  @Test
  void shardsKeepTheDeviceTheyArePartOf() {
    ConfigFolder lab =
        lab(
            "gpu:2,shard:12",
            "Name=gpu File=/dev/nvidia[0-1]",
            "Name=shard Count=8 File=/dev/nvidia0",
            "Name=shard Count=4 File=/dev/nvidia1");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.node("n1").gres())
        .contains(
            new GresDevices("shard", null, 8, 0, List.of("/dev/nvidia0"), List.of(), List.of()),
            new GresDevices("shard", null, 4, 8, List.of("/dev/nvidia1"), List.of(), List.of()));
    assertThat(lab.node("n1").gresCount("shard")).isEqualTo(12);
  }

  @Test
  void shardsWithoutFilesAreACount() {
    ConfigFolder lab =
        lab("gpu:2,shard:32", "Name=gpu File=/dev/nvidia[0-1]", "Name=shard Count=32");
    assertThat(lab.node("n1").gres())
        .contains(new GresDevices("shard", null, 32, 0, List.of(), List.of(), List.of(), true));
  }

  @Test
  void multipleFilesAreOneDevice() {
    ConfigFolder lab =
        lab(
            "gpu:1g.10gb:2",
            "Name=gpu Type=1g.10gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap[21-22]",
            "Name=gpu Type=1g.10gb MultipleFiles=/dev/nvidia0,/dev/nvidia-caps/nvidia-cap30");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.node("n1").gres().getFirst().files())
        .containsExactly(
            "/dev/nvidia0,/dev/nvidia-caps/nvidia-cap21,/dev/nvidia-caps/nvidia-cap22",
            "/dev/nvidia0,/dev/nvidia-caps/nvidia-cap30");
  }

  @Test
  void autoDetectAndFlagsAreAccepted() {
    ConfigFolder lab =
        lab(
            "gpu:2",
            "AutoDetect=nvml",
            "NodeName=n2 AutoDetect=off Name=gpu File=/dev/nvidia[0-1]"
                + " Flags=nvidia_gpu_env,explicit",
            "NodeName=n1 Name=gpu Type=tesla");
    assertThat(lab.findings()).isEmpty();
  }

  /** Thread numbers were written where core indices belong, and the node refused to start. */
  @Test
  void threadNumbersInCoresAreExplained() {
    ConfigFolder lab = lab("gpu:1", "NodeName=n[1-2] Name=gpu File=/dev/nvidia0 CPUs=0-7,16-23");
    assertThat(lab.findings())
        .containsExactly(
            "WARNING gres.conf:1: CPUs=0-7,16-23: CPUs is deprecated; write Cores",
            "ERROR gres.conf:1: CPUs=0-7,16-23: node n1 has the cores 0-15; 16-23 are thread"
                + " numbers, and Cores holds core indices; write Cores=0-7");
    assertThat(lab.node("n1").gres().getFirst().cores()).containsExactly(IndexSet.range(0, 7));
    assertThat(lab.config().nodes()).hasSize(2);
  }

  @Test
  void coresThatNoNodeHasAreReported() {
    assertThat(lab("gpu:1", "Name=gpu File=/dev/nvidia0 Cores=90-99").findings())
        .containsExactly(
            "ERROR gres.conf:1: Cores=90-99: node n1 has the cores 0-15; there is no core 90-99;"
                + " write indices of cores");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Name=gpu File=/dev/nvidia[0-3] Count=8 | Count=8: File names 4 devices; write Count=4",
        "Name=gpu File=/dev/nvidia[0- | File=/dev/nvidia[0-: unmatched",
        "Name=gpu File=/dev/a MultipleFiles=/dev/b,/dev/c | MultipleFiles=/dev/b,/dev/c: File and",
        "Name=gpu MultipleFiles=/dev/b | MultipleFiles=/dev/b: names a single file; write File=",
        "Name=gpu Count=ten | Count=ten: not a count; write a whole number",
        "Name=gpu Cores=a-b | Cores=a-b: not a list of indices; write indices such as 0-3,7",
        "Name=gpu Links=4,x | Links=4,x: \"x\" is not a number of links; the links are not used",
        "Name=gpu Links=-1,-1 | Links=-1,-1: more than one -1; the links are not used",
        "Name=gpu File=/dev/x[0-1] Links=-1,1 | Links=-1,1: the line describes 2 devices;",
        "Name=gpu Flags=fast | Flags=fast: \"fast\" is not an allowed value; it has no effect",
        "Name=gpu Flags=no_gpu_env,opencl_env | Flags=no_gpu_env,opencl_env: no_gpu_env excludes",
        "Name=gpu AutoDetect=cuda | AutoDetect=cuda: not an allowed value; allowed: full",
        "Name=gpu Fille=/dev/x | Fille=/dev/x: unknown key in gres.conf, ignored; Slurm refuses it;"
            + " did you mean File?",
        "File=/dev/x | File=/dev/x: the line names no resource; write Name=gpu",
        "Count=2 Name=gpu | Count=2: Slurm wants NodeName or Name first on the line; move it",
        "NodeName=n[1 Name=gpu | NodeName=n[1: unmatched",
        "two GPUs in each | \"two GPUs in each\": not a setting; ",
      })
  void wrongLinesAreErrorsAndTheControllerStarts(String line, String finding) {
    ConfigFolder lab = lab("gpu:8", "# one", line);
    assertThat(lab.errors())
        .anySatisfy(f -> assertThat(f).startsWith("ERROR gres.conf:2: " + finding));
    assertThat(lab.config().nodes()).hasSize(2);
    assertThat(lab.node("n1").gresCount("gpu")).isEqualTo(8);
  }

  @Test
  void gresOfNoConfiguredTypeIsReported() {
    assertThat(lab("fpga:2").findings())
        .containsExactly(
            "ERROR slurm.conf:4: Gres=fpga:2: fpga is not in GresTypes; Slurm ignores it; write"
                + " GresTypes=gpu,shard,mps,nic,fpga");
  }

  @Test
  void typedAndUntypedGresDoNotMix() {
    assertThat(lab("gpu:h100:2,gpu:2").errors())
        .containsExactly(
            "FATAL slurm.conf:4: Gres=gpu:h100:2,gpu:2: some gpu have a type and some have none;"
                + " give all of them a type, or none");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu:2 | NodeName=n1 Name=nic File=/dev/x | node n1 has no nic in slurm.conf",
        "gpu:a100:2 | NodeName=n1 Name=gpu Type=h100 | node n1 has no gpu of that type",
        "gpu:a100:2 | NodeName=n1 Name=gpu Count=2 | node n1 has no gpu without a type",
      })
  void linesWithoutAMatchInSlurmConfAreReported(String gres, String line, String finding) {
    assertThat(lab(gres, line).findings())
        .singleElement()
        .asString()
        .startsWith("WARNING gres.conf:1: NodeName=n1: " + finding)
        .contains("the line is not used; write ");
  }

  @Test
  void nodesOfOneLineShareTheirDevices() {
    ConfigFolder lab = lab("gpu:8", "Name=gpu File=/dev/nvidia[0-7] Cores=0-7");
    assertThat(lab.node("n1").gres()).isSameAs(lab.node("n2").gres());
  }

  @Test
  void loneFileIsCheckedWithoutItsCluster() {
    ConfigFolder lab = lab("gpu:1", "Name=gpu File=/dev/nvidia[0-7", "NodeName=x Name=gpu");
    assertThat(lab.read().findings()).isNotEmpty();
    assertThat(ConfigReader.checkGresConf(dir.resolve("gres.conf")))
        .singleElement()
        .satisfies(f -> assertThat(f.line()).isEqualTo(1));
  }
}
