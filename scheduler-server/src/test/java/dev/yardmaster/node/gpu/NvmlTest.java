package dev.yardmaster.node.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.model.IndexSet;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** NVML as C calls it: a library of our own stands for NVIDIA's, where there is a compiler. */
class NvmlTest {
  @TempDir static Path directory;
  private static Path library = Path.of("");

  @BeforeAll
  static void compile() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/gcc")), "gcc is there");
    Path source = directory.resolve("nvml.c");
    try (InputStream text = NvmlTest.class.getResourceAsStream("/gpu/nvml.c")) {
      Files.copy(Objects.requireNonNull(text), source);
    }
    library = directory.resolve("libnvidia-ml.so.1");
    Process gcc =
        new ProcessBuilder("gcc", "-shared", "-fPIC", "-o", library.toString(), source.toString())
            .inheritIO()
            .start();
    assertThat(gcc.waitFor()).isZero();
    Path minors = directory.resolve("proc/driver/nvidia-caps/mig-minors");
    Files.createDirectories(minors.getParent());
    Files.writeString(
        minors,
        "config 1\nmonitor 2\ngpu4/gi1/access 12\ngpu4/gi1/ci0/access 13\n"
            + "gpu4/gi2/access 21\ngpu4/gi2/ci0/access 22\n");
  }

  private static List<Gpu> gpus(Path root) throws GpuException {
    return new NvmlSource(() -> Nvml.open(library), root).gpus();
  }

  @Test
  void wholeGpusAreKnownByFileCoresAndLinks() throws Exception {
    assertThat(gpus(directory).subList(0, 2))
        .containsExactly(
            new Gpu(
                0,
                "nvidia_a100-sxm4-40gb",
                "/dev/nvidia6",
                "GPU-0000-0",
                IndexSet.range(0, 3),
                List.of(-1, 2, 0),
                false),
            new Gpu(
                1,
                "nvidia_a100-sxm4-40gb",
                "/dev/nvidia5",
                "GPU-0000-1",
                IndexSet.range(0, 3),
                List.of(2, -1, 0),
                false));
  }

  @Test
  void aDividedGpuIsItsParts() throws Exception {
    List<Gpu> parts = gpus(directory).subList(2, 4);
    assertThat(parts)
        .extracting(Gpu::type)
        .containsExactly("nvidia_a100_3g.20gb", "nvidia_a100_1c.3g.20gb");
    assertThat(parts).extracting(Gpu::uuid).containsExactly("MIG-0000-2-0", "MIG-0000-2-1");
    assertThat(parts)
        .extracting(Gpu::file)
        .containsExactly(
            "/dev/nvidia4,/dev/nvidia-caps/nvidia-cap12,/dev/nvidia-caps/nvidia-cap13",
            "/dev/nvidia4,/dev/nvidia-caps/nvidia-cap21,/dev/nvidia-caps/nvidia-cap22");
    assertThat(parts).allMatch(Gpu::isPart).allMatch(p -> p.links() == null);
  }

  @Test
  void partsWithoutTheirNumbersAreAnErrorThatNamesTheFile() {
    assertThatThrownBy(() -> gpus(directory.resolve("elsewhere")))
        .isInstanceOf(GpuException.class)
        .hasMessageContaining("nvidia-caps/mig-minors");
  }

  @Test
  void aLibraryThatIsNotThereIsAnErrorThatNamesIt() {
    assertThatThrownBy(() -> Nvml.open(directory.resolve("gone.so")))
        .isInstanceOf(GpuException.class)
        .hasMessageContaining("gone.so cannot be loaded");
  }

  @Test
  void aFunctionThatTheLibraryLacksIsNotSupported() throws Exception {
    try (Nvml nvml = Nvml.open(library)) {
      assertThat(nvml.number("nvmlDeviceGetPowerUsage", nvml.device(0))).isEqualTo(-1);
      assertThatThrownBy(() -> nvml.must("nvmlSystemGetNothing"))
          .hasMessage("NVML: nvmlSystemGetNothing: Not Supported");
      assertThatThrownBy(() -> nvml.device(9)).hasMessageContaining("Unknown Error");
    }
  }
}
