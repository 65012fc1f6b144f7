package dev.yardmaster.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TRESBillingWeights with the flags of slurm.conf(5). */
class BillingTest {
  private static final Partition WEIGHED =
      Partition.withDefaults("main", List.of("n1"))
          .withBillingWeights(
              new TreeMap<>(
                  Map.of("CPU", "1.0", "Mem", "0.25G", "GRES/gpu", "2.0", "License/tool", "3.0")));

  @ParameterizedTest
  @CsvSource({
    "NONE,8,16,4,1,23",
    "MAX_TRES,8,16,4,1,11",
    "MAX_TRES,2,64,4,1,19",
    "MAX_TRES,2,16,8,1,19",
    "MAX_TRES_GRES,8,16,4,1,19",
    "MAX_TRES_GRES,2,64,4,2,30",
    "MAX_TRES_GRES,0,0,4,0,8",
  })
  void theFlagsSayWhatIsAddedAndWhatOnlyTheLargestCounts(
      String flag, long cpus, long gigabytes, long gpus, long licenses, long billing) {
    Map<String, Long> amounts =
        Map.of("cpu", cpus, "mem", gigabytes * 1024, "gres/gpu", gpus, "license/tool", licenses);
    assertThat(Billing.of(amounts, WEIGHED, Set.of(flag))).isEqualTo(billing);
  }
}
