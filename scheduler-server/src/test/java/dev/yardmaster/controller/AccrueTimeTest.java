package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.SlurmError;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** {@code scontrol update job ResetAccrueTime}. */
class AccrueTimeTest {
  private final Bench bench = Bench.ready(Map.of());

  private Reply reset(int id) {
    return bench.handle(
        new Command.UpdateJob(
            TestCluster.ALICE, Integer.toString(id), new TreeMap<>(Map.of("resetaccruetime", ""))));
  }

  @Test
  void aPendingJobBeginsAnewToGainPriorityWithAgeAndKeepsItsEligibleTime() {
    bench.run("time=600");
    int id = bench.submit("exclusive", "nodes=" + bench.core.state().nodes().size(), "time=60");
    bench.schedule();
    var eligible = bench.job(id).eligible();
    assertThat(bench.job(id).accrues()).isEqualTo(eligible);
    bench.now = bench.now.plusSeconds(300);
    assertThat(reset(id)).isNotInstanceOf(Reply.Refused.class);
    bench.schedule();
    assertThat(bench.job(id).accrues()).isEqualTo(bench.now);
    assertThat(bench.job(id).eligible()).isEqualTo(eligible);
    bench.now = bench.now.plusSeconds(60);
    bench.schedule();
    assertThat(bench.job(id).accrues()).isEqualTo(bench.now.minusSeconds(60));
  }

  @Test
  void aRunningJobHasNoAgeToBeginAnew() {
    int id = bench.run("time=60");
    assertThat(reset(id))
        .isInstanceOfSatisfying(
            Reply.Refused.class, r -> assertThat(r.error()).isEqualTo(SlurmError.JOB_NOT_PENDING));
  }
}
