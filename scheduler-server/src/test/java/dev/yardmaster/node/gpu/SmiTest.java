package dev.yardmaster.node.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.config.GresRules;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs that tell of GPUs, and what the file system tells of them. */
class SmiTest {
  private static final Path REAL =
      Path.of("..", "..", "shared", "data", "gpu-topology", "captures");
  private static final String TWO =
      """
      <?xml version="1.0" ?>
      <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
      <nvidia_smi_log>
        <gpu id="00000000:07:00.0">
          <product_name>NVIDIA H100 80GB HBM3</product_name>
          <mig_mode><current_mig>Disabled</current_mig></mig_mode>
          <mig_devices>None</mig_devices>
          <uuid>GPU-a</uuid>
          <minor_number>4</minor_number>
        </gpu>
        <gpu id="00000000:0F:00.0">
          <product_name>NVIDIA H100 80GB HBM3</product_name>
          <mig_mode><current_mig>Enabled</current_mig></mig_mode>
          <mig_devices>
            <mig_device>
              <index>0</index>
              <gpu_instance_id>3</gpu_instance_id>
              <compute_instance_id>0</compute_instance_id>
            </mig_device>
          </mig_devices>
          <uuid>GPU-b</uuid>
          <minor_number>5</minor_number>
        </gpu>
      </nvidia_smi_log>
      """;
  private static final String TOPOLOGY =
      "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV18\t0-1\nGPU1\tNV18\t X \t2-3\n";
  private static final String LIST =
      "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-a)\nGPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-b)\n"
          + "  MIG 2g.20gb     Device  0: (UUID: MIG-c)\n";

  @TempDir Path root;

  private static Tools tools(Map<String, String> said) {
    return command -> {
      String text = said.get(String.join(" ", command));
      if (text == null) {
        throw new GpuException(command.getFirst() + " is not there: No such file or directory");
      }
      return text;
    };
  }

  private void write(String file, String text) throws Exception {
    Files.createDirectories(root.resolve(file).getParent());
    Files.writeString(root.resolve(file), text);
  }

  @Test
  void nvidiaSmiTellsWhatNvmlWould() throws Exception {
    write("proc/driver/nvidia-caps/mig-minors", "gpu5/gi3/access 30\ngpu5/gi3/ci0/access 31\n");
    Tools tools =
        tools(
            Map.of(
                "nvidia-smi -q -x", TWO,
                "nvidia-smi topo -m", TOPOLOGY,
                "nvidia-smi -L", LIST));
    assertThat(new NvidiaSmi(tools, root).gpus())
        .containsExactly(
            new Gpu(
                0,
                "nvidia_h100_80gb_hbm3",
                "/dev/nvidia4",
                "GPU-a",
                IndexSet.range(0, 1),
                List.of(-1, 18),
                false),
            new Gpu(
                1,
                "nvidia_h100_80gb_hbm3_2g.20gb",
                "/dev/nvidia5,/dev/nvidia-caps/nvidia-cap30,/dev/nvidia-caps/nvidia-cap31",
                "MIG-c",
                IndexSet.range(2, 3),
                null,
                true));
  }

  @Test
  void aMatrixThatIsCutOffIsRefusedWithTheProgramAndTheLine() {
    Tools tools =
        tools(
            Map.of(
                "nvidia-smi -q -x", TWO, "nvidia-smi topo -m", "\tGPU0\tGPU1\nGPU0\t X \tNV18\n"));
    assertThatThrownBy(() -> new NvidiaSmi(tools, root).gpus())
        .hasMessage("nvidia-smi topo -m: line 2: the text ends without a row of GPU1");
  }

  @Test
  void realOutputsAreReadOrNamedWhereTheyLackSomething() throws Exception {
    assumeTrue(Files.isDirectory(REAL), "the real outputs are there");
    try (Stream<Path> files = Files.list(REAL)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".xml")).sorted().toList()) {
        String xml = Files.readString(file);
        int gpus = xml.split("<gpu id=", -1).length - 1;
        StringBuilder matrix = new StringBuilder();
        for (int i = 0; i < gpus; i++) {
          matrix.append("\tGPU").append(i);
        }
        for (int i = 0; i < gpus; i++) {
          matrix.append("\nGPU").append(i);
          for (int j = 0; j < gpus; j++) {
            matrix.append(i == j ? "\t X " : "\tPHB");
          }
        }
        Tools tools = tools(Map.of("nvidia-smi -q -x", xml, "nvidia-smi topo -m", matrix + "\n"));
        NvidiaSmi smi = new NvidiaSmi(tools, root);
        if (xml.split("<minor_number>[0-9]", -1).length - 1 < gpus) {
          assertThatThrownBy(smi::gpus).hasMessageContaining("has no Minor Number");
        } else if (xml.contains("<mig_device>")) {
          assertThatThrownBy(smi::gpus).hasMessageContaining("nvidia-smi is not there");
        } else {
          assertThat(smi.gpus()).as(file.toString()).hasSize(gpus);
          assertThat(smi.gpus()).allMatch(g -> g.type().matches("[a-z0-9_./-]+"));
        }
      }
    }
  }

  @Test
  void theDriversFilesTellOfGpusInTheOrderOfTheBus() throws Exception {
    write(
        "proc/driver/nvidia/gpus/0000:47:00.0/information",
        "Model: \t\t NVIDIA L40S\nGPU UUID: \t GPU-2\nDevice Minor: \t 0\n");
    write(
        "proc/driver/nvidia/gpus/0000:07:00.0/information",
        "Model: \t\t NVIDIA L40S\nGPU UUID: \t GPU-1\nDevice Minor: \t 1\n");
    write("sys/bus/pci/devices/0000:07:00.0/local_cpulist", "0-3,8\n");
    assertThat(new NvidiaProc(root).gpus())
        .containsExactly(
            new Gpu(
                0, "nvidia_l40s", "/dev/nvidia1", "GPU-1", IndexSet.parse("0-3,8"), null, false),
            new Gpu(1, "nvidia_l40s", "/dev/nvidia0", "GPU-2", null, null, false));
    write("proc/driver/nvidia/gpus/0000:47:00.0/information", "Model: \t\t NVIDIA L40S\n");
    assertThatThrownBy(() -> new NvidiaProc(root).gpus())
        .hasMessageContaining("0000:47:00.0/information has no line \"Device Minor: NUMBER\"");
  }

  @Test
  void rocmSmiTellsOfAmdsGpus() throws Exception {
    String json =
        "WARNING: AMD GPU device(s) is/are in a low-power state\n{"
            + "\"card0\": {\"Card series\": \"Instinct MI210\", \"Unique ID\": \"0x1\","
            + " \"PCI Bus\": \"0000:C1:00.0\"}, \"card1\": {\"Device Name\": \"Instinct MI210\","
            + " \"Unique ID\": \"N/A\", \"PCI Bus\": \"0000:C5:00.0\"}, \"system\": {}}";
    String topology =
        "==== Link Type between two GPUs ====\n       GPU0         GPU1\n"
            + "GPU0   0            XGMI\nGPU1   XGMI         0\n==== Numa Nodes ====\n";
    write("sys/bus/pci/devices/0000:c1:00.0/drm/renderD128/dev", "226:128");
    write("sys/bus/pci/devices/0000:c5:00.0/drm/renderD129/dev", "226:129");
    write("sys/bus/pci/devices/0000:c1:00.0/local_cpulist", "0-15\n");
    Tools tools =
        tools(
            Map.of(
                "rocm-smi --showproductname --showuniqueid --showbus --json",
                json,
                "rocm-smi --showtopo",
                topology));
    assertThat(new RocmSmi(tools, root).gpus())
        .containsExactly(
            new Gpu(
                0,
                "instinct_mi210",
                "/dev/dri/renderD128",
                "0x1",
                IndexSet.range(0, 15),
                List.of(-1, 1),
                false),
            new Gpu(1, "instinct_mi210", "/dev/dri/renderD129", "", null, List.of(1, -1), false));
  }

  @Test
  void realOutputsOfRocmSmiNameTheirCards() throws Exception {
    assumeTrue(Files.isDirectory(REAL), "the real outputs are there");
    try (Stream<Path> files = Files.list(REAL)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
        assertThat(RocmSmi.cards(Files.readString(file))).as(file.toString()).containsKey(0);
      }
    }
  }

  /** As a daemon asks: without the library the program is asked, and what fails is told. */
  @Test
  void withoutTheLibraryTheProgramIsAskedAndWithoutBothTheNodeHasNoGpu() {
    NodeSpec node =
        TestCluster.config()
            .nodes()
            .getFirst()
            .withGres(List.of(GresDevices.counted("gpu", "h100", 2)));
    GresRules rules = new GresRules("nvml", Set.of());
    NvmlSource.Library none =
        () -> {
          throw new GpuException("NVML: there is no libnvidia-ml.so.1 on this machine");
        };
    String plain = TWO.replace("Enabled", "Disabled");
    Tools tools = tools(Map.of("nvidia-smi -q -x", plain, "nvidia-smi topo -m", TOPOLOGY));
    GpuDetection.Result found =
        new GpuDetection(none, tools, root).detect(node, rules, UnaryOperator.identity());
    assertThat(found.told()).isEmpty();
    GresDevices devices = found.spec().gres().getFirst();
    assertThat(devices.files()).containsExactly("/dev/nvidia4", "/dev/nvidia5");
    assertThat(devices.links()).containsExactly(List.of(-1, 18), List.of(18, -1));
    assertThat(devices.cores()).containsExactly(IndexSet.range(0, 1), IndexSet.range(2, 3));
    assertThat(found.names().visible(1)).isEqualTo("1");
    assertThat(found.names().variables()).containsExactly("CUDA_VISIBLE_DEVICES");
    assertThat(new GpuDetection(none, tools, root).seen())
        .containsExactly(new GpuDetection.Seen("gpu:nvidia_h100_80gb_hbm3:2", "nvml"));

    GpuDetection.Result nothing =
        new GpuDetection(none, tools(Map.of()), root).detect(node, rules, UnaryOperator.identity());
    assertThat(nothing.spec().gresCount("gpu")).isZero();
    assertThat(nothing.told())
        .contains(
            "AutoDetect=nvml: NVML: there is no libnvidia-ml.so.1 on this machine",
            "AutoDetect=nvml: nvidia-smi is not there: No such file or directory");
    GpuDetection.Result unknown =
        new GpuDetection(none, tools, root)
            .detect(node, new GresRules("oneapi", Set.of()), UnaryOperator.identity());
    assertThat(unknown.told().getFirst()).startsWith("AutoDetect=oneapi in gres.conf is not");
    GpuDetection.Result off =
        new GpuDetection(none, tools, root)
            .detect(node, new GresRules("off", Set.of("amd_gpu_env")), UnaryOperator.identity());
    assertThat(off.spec()).isEqualTo(node);
    assertThat(off.names().variables()).containsExactly("ROCR_VISIBLE_DEVICES");
  }

  @Test
  void aProgramThatFailsOrIsNotThereIsToldByName() {
    assertThatThrownBy(() -> Tools.ofMachine().run(List.of("sh", "-c", "echo half; exit 3")))
        .hasMessage("sh -c echo half; exit 3 failed with exit code 3");
    assertThatThrownBy(() -> Tools.ofMachine().run(List.of("no-such-program-here")))
        .hasMessageStartingWith("no-such-program-here is not there");
  }
}
