package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.NodeSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Slurm says of a node that has less than its configuration. */
class RegistrationCheckTest {
  private static final NodeSpec N1 = TestCluster.config().nodes().getFirst();

  private static RegistrationCheck check(String... settings) {
    Map<String, String> all = settings.length == 0 ? Map.of() : Map.of(settings[0], settings[1]);
    return RegistrationCheck.of(TestCluster.config(1, all));
  }

  private static Command.NodeRegistered report(long memory, long tmp, long gpus) {
    return new Command.NodeRegistered(
        "n1",
        16,
        2,
        8,
        1,
        memory,
        tmp,
        Immutable.sortedMap(Map.of("gpu", gpus)),
        TestCluster.NOW,
        "0.1",
        List.of());
  }

  @Test
  void whatIsThereInFullIsNoMismatch() {
    assertThat(check().mismatch(N1, report(64_000, 0, 8))).isEmpty();
    assertThat(check().mismatch(N1, report(65_000, 100, 9))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "node_reg_mem_percent=90,57600,",
    "node_reg_mem_percent=90,57599,'Low RealMemory (reported:57599 < 90.00% of configured:64000)'",
    "'a=1, node_reg_mem_percent=99.5',63600,'Low RealMemory (reported:63600 < 99.50% of"
        + " configured:64000)'",
    "node_reg_mem_percent=x,63999,'Low RealMemory (reported:63999 < 100.00% of configured:64000)'",
  })
  void lessMemoryIsTakenAsFarAsTheSiteSays(String parameters, long memory, String mismatch) {
    assertThat(check("SlurmctldParameters", parameters).mismatch(N1, report(memory, 0, 8)))
        .isEqualTo(mismatch == null ? "" : mismatch);
  }

  @Test
  void ofCloudNodesATenthMayBeMissing() {
    assertThat(check().mismatch(N1.withState("CLOUD"), report(57_600, 0, 8))).isEmpty();
    assertThat(check().mismatch(N1.withState("CLOUD"), report(57_000, 0, 8)))
        .isEqualTo("Low RealMemory (reported:57000 < 90.00% of configured:64000)");
  }

  @Test
  void devicesComeFirstAndOfSeveralKindsTheFirstIsNamed() {
    NodeSpec node =
        N1.with(
            n ->
                n.tmpDiskMib(1000)
                    .gres(
                        List.of(
                            GresDevices.counted("gpu", "a100", 8),
                            GresDevices.counted("nic", null, 2))));
    assertThat(check().mismatch(node, report(64_000, 999, 0)))
        .isEqualTo("gres/gpu count reported lower than configured (0 < 8), Low TmpDisk");
  }

  @Test
  void nothingCountsWhereTheConfigurationOverrides() {
    assertThat(check("SlurmdParameters", "config_overrides").mismatch(N1, report(1, 0, 0)))
        .isEmpty();
  }
}
