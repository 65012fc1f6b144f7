package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.NodeSpec;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeConfigTest {
  @TempDir Path dir;

  private ConfigFolder lab(String... lines) {
    return ConfigFolder.lab(dir, lines);
  }

  @Test
  void nodeWithoutSettingsHasSlurmsDefaults() {
    assertThat(lab("NodeName=n1").node("n1"))
        .isEqualTo(
            new NodeSpec(
                "n1", "n1", "n1", 6818, 1, 1, 1, 1, 1, 1, 0, 1, List.of(), List.of(), "UNKNOWN", "",
                0, 0));
  }

  @Test
  void everySettingIsTaken() {
    NodeSpec node =
        lab("NodeName=n[1-2] NodeHostname=h[1-2] NodeAddr=10.0.0.[1-2] Port=[7001-7002] Boards=1"
                + " Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=64000 TmpDisk=100"
                + " Weight=7 Features=a,b,a State=cloud Reason=\"being built\" CoreSpecCount=2"
                + " MemSpecLimit=500")
            .node("n2");
    assertThat(node)
        .isEqualTo(
            new NodeSpec(
                "n2",
                "h2",
                "10.0.0.2",
                7002,
                1,
                2,
                4,
                2,
                16,
                64000,
                100,
                7,
                List.of("a", "b"),
                List.of(),
                "CLOUD",
                "being built",
                2,
                500));
  }

  @Test
  void defaultLinesHoldForTheLinesBelowAndAddUp() {
    ConfigFolder lab =
        lab(
            "NodeName=a CPUs=2",
            "NodeName=DEFAULT CPUs=8 RealMemory=100",
            "NodeName=b",
            "NodeName=default RealMemory=200",
            "NodeName=c CPUs=4");
    assertThat(lab.node("a").cpus()).isEqualTo(2);
    assertThat(lab.node("b").cpus()).isEqualTo(8);
    assertThat(lab.node("b").realMemoryMib()).isEqualTo(100);
    assertThat(lab.node("c").cpus()).isEqualTo(4);
    assertThat(lab.node("c").realMemoryMib()).isEqualTo(200);
    assertThat(lab.nodeNames()).containsExactly("a", "b", "c");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "CPUs=8 | 8 | 1 | 1 | 8",
        "Procs=8 | 8 | 1 | 1 | 8",
        "CPUs=8 CoresPerSocket=4 | 2 | 4 | 1 | 8",
        "CPUs=8 CoresPerSocket=2 ThreadsPerCore=2 | 2 | 2 | 2 | 8",
        "Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 | 2 | 8 | 2 | 32",
        "Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 CPUs=16 | 2 | 8 | 2 | 16",
        "Boards=2 SocketsPerBoard=2 CoresPerSocket=4 | 4 | 4 | 1 | 16",
        "Boards=2 CoresPerSocket=4 | 2 | 4 | 1 | 8",
        "CoresPerSocket=4 | 1 | 4 | 1 | 4",
        "CPUs=7 CoresPerSocket=4 Sockets=1 | 1 | 4 | 1 | 4",
      })
  void whatIsLeftOpenIsInferredAsSlurmctldDoes(
      String line, int sockets, int cores, int threads, int cpus) {
    NodeSpec node = lab("NodeName=n1 " + line).node("n1");
    assertThat(List.of(node.sockets(), node.coresPerSocket(), node.threadsPerCore(), node.cpus()))
        .containsExactly(sockets, cores, threads, cpus);
  }

  @Test
  void contradictingCpuCountsAreShownWithTheirProduct() {
    assertThat(lab("NodeName=n1 CPUs=24 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2").findings())
        .containsExactly(
            "ERROR slurm.conf:3: CPUs=24: 2 sockets x 8 cores x 2 threads give 32 CPUs, 16 cores or"
                + " 2 sockets; 32 is used; write CPUs=32, or drop CPUs");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Sockets=0 | Sockets=0: 0 is not possible; 1 is used",
        "Sockets=2 SocketsPerBoard=2 | Sockets=2: Sockets and SocketsPerBoard exclude each other",
        "CoreSpecCount=1 | CoreSpecCount=1: the node has 1 cores; 1 is kept",
        "CoresPerSocket=4 CoreSpecCount=2 CPUSpecList=0-1 | CoreSpecCount=2: excluded by",
        "RealMemory=100 MemSpecLimit=100 | MemSpecLimit=100: not less than RealMemory=100",
        "Boards=4 Sockets=2 | Boards=4: 4 boards with 2 sockets; 1 board is used",
        "Sockets=60000 CoresPerSocket=60000 | CoresPerSocket=60000: 3600000000 CPUs in a node",
      })
  void impossibleHardwareIsReportedAndTheNodeKept(String line, String finding) {
    ConfigFolder lab = lab("NodeName=n1 " + line);
    assertThat(lab.findings())
        .singleElement()
        .asString()
        .startsWith("ERROR slurm.conf:3: " + finding);
    assertThat(lab.config().nodes()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CPUs=many | CPUs=many: not a number; write a whole number from 0 to 65535",
        "CPUs=70000 | CPUs=70000: greater than 65535; write a whole number from 0 to 65535",
        "CPUs=-1 | CPUs=-1: less than zero; write a whole number from 0 to 65535",
        "RealMemory=64G | RealMemory=64G: not a number; write a whole number",
        "State=BUSY | State=BUSY: not a node state; allowed: UNKNOWN, DOWN, DRAIN, FAIL,",
        "Port=high | Port=high: not a port; write one, or one for each as [7001-7004]",
        "NodeAddr=a[1-3] | NodeAddr=a[1-3]: 3 names for 1 nodes; write one, or one for each",
        "Gres=gpu:: | Gres=gpu::: ",
        "NodeHostname=h[1- | NodeHostname=h[1-: unmatched",
      })
  void wrongValuesAreRefusedWithWhatIsAllowed(String setting, String finding) {
    ConfigFolder lab = lab("NodeName=n1 " + setting);
    assertThat(lab.errors())
        .singleElement()
        .asString()
        .startsWith("FATAL slurm.conf:3: " + finding);
    assertThat(lab.read().config()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node[1-3 | unmatched",
        "node]1-2[ | ",
        "node[0-2000000] | stands for 2000001 names",
        "ALL | ALL is a reserved word",
      })
  void wrongNodeListsAreRefused(String names, String finding) {
    assertThat(lab("NodeName=" + names).errors())
        .singleElement()
        .asString()
        .startsWith("FATAL slurm.conf:3: NodeName=" + names + ": ")
        .contains(finding == null ? "" : finding);
  }

  @Test
  void widthsAreKeptAndSeveralRangesRead() {
    ConfigFolder lab = lab("NodeName=n[009-011,7],r[1-2]c[01-02]");
    assertThat(lab.nodeNames())
        .containsExactly("n009", "n010", "n011", "n7", "r1c01", "r1c02", "r2c01", "r2c02");
  }

  @Test
  void nodeDescribedTwiceIsNamedWithBothPlaces() {
    assertThat(lab("NodeName=n[1-4]", "NodeName=n3").errors())
        .singleElement()
        .asString()
        .startsWith("FATAL slurm.conf:4: NodeName=n3: node n3 is also described at ")
        .endsWith("slurm.conf:3; describe each node once");
  }

  @Test
  void futureNodesAreKeptWithTheirState() {
    ConfigFolder lab = lab("NodeName=n[1-2] State=FUTURE", "PartitionName=p Nodes=ALL");
    assertThat(lab.config().nodes()).extracting(NodeSpec::state).containsOnly("FUTURE");
    assertThat(lab.partition("p").nodes()).hasSize(2);
  }

  @Test
  void downNodesSetStateAndReason() {
    ConfigFolder lab =
        lab(
            "NodeName=n[1-3]",
            "DownNodes=n[1-2] State=DRAIN Reason=\"bad disk\"",
            "DownNodes=n3",
            "DownNodes=n9");
    assertThat(lab.node("n2").state()).isEqualTo("DRAIN");
    assertThat(lab.node("n2").reason()).isEqualTo("bad disk");
    assertThat(lab.node("n3").state()).isEqualTo("DOWN");
    assertThat(lab.node("n3").reason()).isEqualTo("Set in slurm.conf");
    assertThat(lab.errors())
        .containsExactly(
            "ERROR slurm.conf:6: DownNodes=n9: node n9 is not described; describe it with"
                + " NodeName=n9");
  }

  @ParameterizedTest
  @ValueSource(strings = {"MaxNodeCount=100", "MaxNodeCount=65536"})
  void clusterOfDynamicNodesNeedsNoNode(String setting) {
    ConfigFolder lab = lab(setting, "NodeSet=gpus Feature=gpu", "PartitionName=p Nodes=gpus");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.partition("p").nodes()).isEmpty();
  }

  @Test
  void tooManyNodesAreRefused() {
    assertThat(lab("NodeName=n[1-60000]", "NodeName=m[1-60000]").errors())
        .containsExactly(
            "FATAL slurm.conf:4: NodeName=m[1-60000]: more than 65536 nodes; describe fewer");
    assertThat(lab("MaxNodeCount=2", "NodeName=n[1-3]").errors())
        .containsExactly(
            "FATAL slurm.conf:3: MaxNodeCount=2: 3 nodes are described; write at least 3");
  }
}
