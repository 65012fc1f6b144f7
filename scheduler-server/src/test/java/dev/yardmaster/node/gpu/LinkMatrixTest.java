package dev.yardmaster.node.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.model.IndexSet;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkMatrixTest {
  private static final Path REAL =
      Path.of("..", "..", "shared", "data", "gpu-topology", "matrices");
  private static final String TWO =
      "\tGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\n"
          + "GPU0\t X \tNV4\tPIX\t0-7,16-23\t0\n"
          + "GPU1\tNV4\t X \tSYS\t\t1\n"
          + "NIC0\tPIX\tSYS\t X \t\t\n\nLegend:\n  NV#  = Connection traversing links\n";

  @Test
  void linksAndCpusAreRead() throws Exception {
    LinkMatrix matrix = LinkMatrix.read(TWO);
    assertThat(matrix.links()).containsExactly(List.of(-1, 4), List.of(4, -1));
    assertThat(matrix.cpus()).containsExactly(IndexSet.parse("0-7,16-23"), null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "NV4\\tPIX|NV\\tPIX|line 2: \"NV\" is no path between devices",
        "GPU1\\tNV4\\t X |GPU1\\tNV2\\t X |line 3: GPU1 and GPU0 say different things of their"
            + " links",
        "GPU1\\tNV4\\t X |GPU1\\tNV4|line 3: \"SYS\" is not where the device itself would be",
        "GPU1\\tNV4|GPU7\\tNV4|line 3: \"X\" is not where the device itself would be",
        "\\tGPU0\\tGPU1|\\tGPU0\\tGPU2|line 1: GPU2 stands where GPU1 would",
        "GPU1\\tNV4\\t X \\tSYS\\t\\t1|GPU1\\tNV4|line 3: GPU1 has 1 of 3 columns",
        "GPU1\\tNV4\\t X \\tSYS\\t\\t1\\n|''|line 4: the text ends without a row of GPU1",
      })
  void whatIsMangledIsRefusedWithItsLine(String part, String instead, String message) {
    String from = part.replace("\\t", "\t").replace("\\n", "\n");
    String text = TWO.replace(from, instead.replace("\\t", "\t"));
    assertThat(text).isNotEqualTo(TWO);
    assertThatThrownBy(() -> LinkMatrix.read(text)).hasMessage(message);
  }

  @Test
  void aTextWithoutTheLineOfColumnsIsRefused() {
    assertThatThrownBy(() -> LinkMatrix.read("GPU2\tSYS\tSYS\t X \n"))
        .hasMessage("line 1: a row comes before the line that names the columns");
    assertThatThrownBy(() -> LinkMatrix.read(""))
        .hasMessage("line 1: no line names GPU0 and the others");
  }

  /** Real outputs; which of them are cut off is known. */
  @ParameterizedTest
  @CsvSource({
    "della_1gpu_6nic,1,0",
    "dgx_h100_8gpu_12nic,8,18",
    "h100_vm_8gpu_1nic,8,18",
    "dgx_a100_8gpu_12mlx,8,12",
    "dgx_a100_8gpu_10nic,8,12",
    "a100_8gpu_4nic_asym,8,12",
    "p4d_a100_8gpu,8,12",
    "a100_4gpu_uneven_numa,4,12",
    "a100_4gpu_numa_range,4,4",
    "gpu_d_2_emptycpu,4,4",
    "a6000_3gpu_partial_nvlink,3,4",
    "rtx3090_2gpu_nvlink,2,4",
    "dgx1_v100_8gpu_4nic,8,1",
    "ecs_v100_8gpu_ring,8,",
    "v100_vm_8gpu_phb_numarange,8,1",
    "p40_8gpu_pcie_soc,8,0",
    "pcie_8gpu_pix_phb,8,0",
    "pcie_6gpu_uneven,6,0",
    "pcie_8gpu_6_2_split,8,0",
    "l40s_4gpu,4,0",
    "h100_6gpu_2nic_spacepadded,6,18",
    "h200_8gpu_no_nic_one_numa,8,18",
    "h100_azure_4gpu_8nic_phb,4,18",
    "v100_4gpu_1nic_sys,4,",
    "v100_2gpu_1nic_phb,2,",
    "mi100_8gpu_two_hives,8,1",
    "mi210_4gpu_xgmi_setonix_like,4,1",
    "mi300a_4apu,4,1",
    "mi100_4gpu_pcie_72_40,4,0",
    "gfx906_4gpu_pcie_40,4,0",
    "mi_4gpu_pcie_52,4,0",
    "single_apu_numa_minus1,1,0",
  })
  void realMatricesAreRead(String name, int gpus, Integer firstToSecond) throws Exception {
    LinkMatrix matrix = LinkMatrix.read(real(name));
    assertThat(matrix.links()).hasSize(gpus);
    for (int i = 0; i < gpus; i++) {
      assertThat(matrix.links().get(i).get(i)).isEqualTo(-1);
    }
    if (firstToSecond != null && gpus > 1) {
      assertThat(matrix.links().getFirst().get(1)).isEqualTo(firstToSecond);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rtx4090_8gpu_all_sys|line 1: a row comes before the line that names the columns",
        "h20_3e_8gpu_8nic|line 7: the text ends without a row of GPU6",
        "b200_vm_4numa_fragment|line 6: the text ends without a row of GPU5",
        "dgx2_16gpu_fragment|line 5: the text ends without a row of GPU4",
        "h800_8gpu_9nic_fragment|line 8: the text ends without a row of GPU7",
      })
  void realMatricesThatAreCutOffAreRefused(String name, String message) throws Exception {
    String text = real(name);
    assertThatThrownBy(() -> LinkMatrix.read(text)).hasMessage(message);
  }

  @Test
  void noRealMatrixIsLeftOut() throws Exception {
    assumeTrue(Files.isDirectory(REAL), "the real matrices are there");
    try (Stream<Path> files = Files.list(REAL)) {
      assertThat(files).hasSize(37);
    }
  }

  private static String real(String name) throws Exception {
    Path file = REAL.resolve(name + ".txt");
    assumeTrue(Files.exists(file), "the real matrices are there");
    return Files.readString(file);
  }
}
