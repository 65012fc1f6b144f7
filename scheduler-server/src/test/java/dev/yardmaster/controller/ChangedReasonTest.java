package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Reason;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChangedReasonTest {
  private final Bench bench = new Bench(TestCluster.config(1, Map.of()));

  @ParameterizedTest
  @ValueSource(strings = {"timelimit=30", "nice=5", "comment=mine"})
  void aJobThatWasChangedSaysNoReasonUntilAPassHasLookedAtIt(String change) {
    bench.register("n1");
    bench.run("time=60", "exclusive");
    int id = bench.submit("time=60", "exclusive");
    bench.schedule();
    assertThat(bench.job(id).reason()).isEqualTo(Reason.RESOURCES);
    bench.update(TestCluster.ROOT, id, change);
    assertThat(bench.job(id).reason()).isEqualTo(Reason.NONE);
    bench.schedule();
    assertThat(bench.job(id).reason()).isEqualTo(Reason.RESOURCES);
  }
}
