package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine of two sockets with two cores of two threads, as the kernel numbers them. */
class HardwareTest {
  private static final NodeSpec NODE = TestCluster.config().nodes().getFirst();

  @TempDir Path root;

  @BeforeEach
  void machine() throws Exception {
    for (int cpu = 0; cpu < 8; cpu++) {
      // The threads of a core are four numbers apart, the cores go from socket to socket.
      write("sys/devices/system/cpu/cpu" + cpu + "/topology/physical_package_id", "" + cpu % 2);
      write("sys/devices/system/cpu/cpu" + cpu + "/topology/core_id", "" + cpu / 2 % 2);
    }
    write("sys/devices/system/cpu/cpufreq/boost", "1");
    write("proc/meminfo", "MemTotal:       65536000 kB\nMemFree: 1 kB\n");
    write("proc/stat", "cpu 1 2 3\nbtime 1796000000\n");
  }

  private void write(String file, String text) throws Exception {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), text);
  }

  private static NodeSpec node(int cpus, int sockets, int cores, int threads) {
    return NODE.with(
        n -> n.cpus(cpus).sockets(sockets).coresPerSocket(cores).threadsPerCore(threads));
  }

  @Test
  void socketsCoresThreadsMemoryAndBootTimeAreThoseOfTheKernel() {
    Hardware machine = Hardware.machine(root, root);
    assertThat(machine.line("n7", "gpu:a100:2"))
        .isEqualTo(
            "NodeName=n7 CPUs=8 Boards=1 SocketsPerBoard=2 CoresPerSocket=2 ThreadsPerCore=2"
                + " RealMemory=64000 Gres=gpu:a100:2");
    assertThat(machine.line("n7", "")).endsWith("RealMemory=64000");
    assertThat(
            machine.upTime(Instant.ofEpochSecond(1796000000L + 2 * 86_400 + 3 * 3600 + 4 * 60 + 5)))
        .isEqualTo("UpTime=2-03:04:05");
    assertThat(machine.tmpDiskMib()).isPositive();
  }

  @Test
  void theLoadOfFiveMinutesAndWhatIsFreeAreThoseOfTheKernel() throws Exception {
    MachineLoad load = new MachineLoad(root, Instant.EPOCH);
    assertThat(load.measure()).isEqualTo(new NodeMeasure(0, 0, "", Instant.EPOCH, null));
    write("proc/loadavg", "0.90 12.34 5.00 1/200 4711\n");
    write("proc/meminfo", "MemTotal: 65536000 kB\nMemFree:  2097152 kB\n");
    write("proc/sys/kernel/ostype", "Linux\n");
    write("proc/sys/kernel/osrelease", "6.1.0\n");
    write("proc/sys/kernel/version", "#1 SMP\n");
    assertThat(load.measure())
        .isEqualTo(new NodeMeasure(1234, 2048, "Linux 6.1.0 #1 SMP", Instant.EPOCH, null));
  }

  @Test
  void coresAreNumberedSocketBySocket() {
    CpuMap map = CpuMap.of(root);
    assertThat(map.coresOf(IndexSet.of(0, 4, 2, 6))).isEqualTo(IndexSet.range(0, 1));
    assertThat(map.coresOf(IndexSet.of(1))).isEqualTo(IndexSet.of(2));
    assertThat(map.coresOf(IndexSet.of(99)).isEmpty()).isTrue();
  }

  /** As slurmd: the configured sockets count as long as there are so many CPUs. */
  @Test
  void theConfiguredShapeIsRegisteredWhereThereAreCpusEnough() {
    Hardware machine = Hardware.machine(root, root);
    assertThat(machine.registered(node(8, 1, 8, 1)).coresPerSocket()).isEqualTo(8);
    assertThat(machine.registered(node(16, 2, 8, 1)).cpus()).isEqualTo(8);
    assertThat(machine.registered(node(16, 2, 8, 1)).coresPerSocket()).isEqualTo(2);
  }

  @Test
  void aShapeUnlikeTheMachineIsToldAndCpusAloneAreNot() {
    Hardware machine = Hardware.machine(root, root);
    assertThat(machine.difference(node(8, 2, 2, 2))).isEmpty();
    assertThat(machine.difference(node(4, 2, 2, 2))).isEmpty();
    assertThat(machine.difference(node(8, 8, 1, 1))).isEmpty();
    assertThat(machine.difference(node(8, 1, 4, 2)))
        .isEqualTo(
            "Node configuration differs from hardware: CPUs=8:8(hw) Boards=1:1(hw)"
                + " SocketsPerBoard=1:2(hw) CoresPerSocket=4:2(hw) ThreadsPerCore=2:2(hw)");
  }

  @Test
  void onlyDevicesWhoseFilesAreThereCountAndPartsOfThemLikewise() throws Exception {
    String there = Files.writeString(root.resolve("nvidia0"), "").toString();
    String gone = root.resolve("nvidia1").toString();
    NodeSpec node =
        NODE.withGres(
            List.of(
                new GresDevices("gpu", null, 2, 0, List.of(there, gone), List.of(), List.of()),
                new GresDevices("shard", null, 8, 0, List.of(there), List.of(), List.of()),
                new GresDevices(
                    "nic", null, 1, 0, List.of(there + "," + gone), List.of(), List.of()),
                GresDevices.counted("lic", null, 3)));
    assertThat(Hardware.detected(node, root).gres())
        .isEqualTo(Map.of("gpu", 1L, "shard", 8L, "nic", 0L, "lic", 3L));
  }

  @Test
  void thisMachineDescribesItselfAsSlurmdDoes() {
    assertThat(NodeHardware.ofMachine().getFirst())
        .matches(
            "NodeName=\\S+ CPUs=\\d+ Boards=1 SocketsPerBoard=\\d+ CoresPerSocket=\\d+"
                + " ThreadsPerCore=\\d+ RealMemory=\\d+( Gres=\\S+)?");
    assertThat(NodeHardware.ofMachine().getLast()).matches("UpTime=\\d+-\\d\\d:\\d\\d:\\d\\d");
  }
}
