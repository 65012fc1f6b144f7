package dev.yardmaster.node.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeSpec;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** gres.conf(5), AutoDetect: what is configured is held against what was found. */
class GpuMergeTest {
  private static final NodeSpec NODE = TestCluster.config().nodes().getFirst();
  private static final IndexSet FIRST = IndexSet.range(0, 7);
  private static final IndexSet SECOND = IndexSet.range(8, 15);

  private static Gpu gpu(
      int index, String type, int minor, @Nullable IndexSet cpus, Integer... links) {
    return new Gpu(index, type, "/dev/nvidia" + minor, "GPU-" + index, cpus, List.of(links), false);
  }

  private static final List<Gpu> FOUND =
      List.of(
          gpu(0, "nvidia_a100-sxm4-40gb", 1, FIRST, -1, 4, 0, 0),
          gpu(1, "nvidia_a100-sxm4-40gb", 0, FIRST, 4, -1, 0, 0),
          gpu(2, "nvidia_h100", 2, SECOND, 0, 0, -1, 4),
          gpu(3, "nvidia_h100", 3, SECOND, 0, 0, 4, -1));

  private static GpuMerge.Merged merge(GresDevices... configured) {
    return GpuMerge.of(NODE.withGres(List.of(configured)), FOUND, UnaryOperator.identity(), false);
  }

  private static GresDevices devices(
      @Nullable String type,
      int count,
      int first,
      List<String> files,
      List<IndexSet> cores,
      List<List<Integer>> links) {
    return new GresDevices("gpu", type, count, first, files, cores, links);
  }

  private static List<IndexSet> same(IndexSet cores, int times) {
    return Collections.nCopies(times, cores);
  }

  @Test
  void aCountAloneGetsFilesCoresAndLinksInTheOrderOfTheBus() {
    GpuMerge.Merged merged = merge(GresDevices.counted("gpu", null, 4));
    assertThat(merged.complaints()).isEmpty();
    GresDevices all = merged.gres().getFirst();
    assertThat(all.files())
        .containsExactly("/dev/nvidia1", "/dev/nvidia0", "/dev/nvidia2", "/dev/nvidia3");
    assertThat(all.cores()).containsExactly(FIRST, FIRST, SECOND, SECOND);
    assertThat(all.links().getFirst()).containsExactly(-1, 4, 0, 0);
    assertThat(merged.names())
        .extracting(n -> n == null ? -1 : n.number())
        .containsExactly(0, 1, 2, 3);
  }

  @Test
  void typesAreCutDownToThoseOfTheConfigurationAndKeepTheirPlaces() {
    GpuMerge.Merged merged =
        merge(
            devices("h100", 2, 0, List.of(), List.of(), List.of()),
            devices("a100", 2, 2, List.of(), List.of(), List.of()));
    assertThat(merged.complaints()).isEmpty();
    assertThat(merged.gres().getFirst().files()).containsExactly("/dev/nvidia2", "/dev/nvidia3");
    assertThat(merged.gres().getFirst().links())
        .containsExactly(List.of(-1, 4, 0, 0), List.of(4, -1, 0, 0));
    assertThat(merged.gres().get(1).files()).containsExactly("/dev/nvidia1", "/dev/nvidia0");
    assertThat(merged.names())
        .extracting(n -> n == null ? -1 : n.number())
        .containsExactly(2, 3, 0, 1);
  }

  @Test
  void coresThatAreNotThoseOfTheDeviceTakeTheGpuAway() {
    GpuMerge.Merged merged =
        merge(
            devices(
                "h100",
                2,
                0,
                List.of("/dev/nvidia2", "/dev/nvidia3"),
                List.of(SECOND, FIRST),
                List.of()));
    assertThat(merged.gres().getFirst().count()).isEqualTo(1);
    assertThat(merged.complaints().getFirst())
        .isEqualTo(
            "This GPU specified in [slurm|gres].conf has mismatching Cores or Links from the"
                + " device found on the system. Ignoring it: /dev/nvidia3 has Cores=8-15, not"
                + " 0-7");
  }

  @Test
  void linksThatAreNotThoseOfTheDeviceTakeTheGpuAway() {
    GpuMerge.Merged merged =
        merge(
            devices(
                "a100",
                2,
                0,
                List.of("/dev/nvidia0", "/dev/nvidia1"),
                same(FIRST, 2),
                List.of(List.of(4, -1), List.of(-1, 2))));
    assertThat(merged.gres().getFirst().files()).containsExactly("/dev/nvidia0");
    assertThat(merged.complaints().getFirst())
        .endsWith("/dev/nvidia1 has Links=-1,4,0,0, not -1,2");
  }

  @Test
  void aGpuThatWasNotFoundCountsOnlyByItsFile() {
    GpuMerge.Merged merged =
        merge(devices("a100", 3, 0, List.of("/dev/nvidia0", "/dev/nvidia9"), List.of(), List.of()));
    assertThat(merged.gres().getFirst().files())
        .containsExactly("/dev/nvidia1", "/dev/nvidia0", "/dev/nvidia9");
    assertThat(merged.names()).hasSize(3);
    assertThat(merged.names().getLast()).isNull();
    GpuMerge.Merged more = merge(GresDevices.counted("gpu", "h100", 3));
    assertThat(more.gres().getFirst().count()).isEqualTo(2);
    assertThat(more.complaints())
        .contains(
            "Discarding a gpu:h100 of Gres= of node n1: none was found, and gres.conf names no"
                + " File for it");
  }

  @Test
  void gpusBeyondTheCountAreIgnoredAndTold() {
    GpuMerge.Merged merged = merge(GresDevices.counted("gpu", "a100", 1));
    assertThat(merged.gres().getFirst().files()).containsExactly("/dev/nvidia0");
    assertThat(merged.complaints())
        .containsExactly(
            "The following autodetected GPUs are being ignored, as Gres= of node n1 does not"
                + " count them: /dev/nvidia1 /dev/nvidia2 /dev/nvidia3");
  }

  @Test
  void partsAreKnownByTheirUuid() {
    Gpu part =
        new Gpu(0, "nvidia_a100_1g.5gb", "/dev/nvidia0,/dev/a,/dev/b", "MIG-1", null, null, true);
    GpuMerge.Merged merged =
        GpuMerge.of(
            NODE.withGres(List.of(GresDevices.counted("gpu", "1g.5gb", 1))),
            List.of(part),
            UnaryOperator.identity(),
            false);
    assertThat(merged.names()).containsExactly(new GpuMerge.Name(0, "MIG-1", true));
    assertThat(merged.gres().getFirst().files()).containsExactly("/dev/nvidia0,/dev/a,/dev/b");
  }
}
