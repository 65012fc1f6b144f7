package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.PriorityPolicy;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When usage begins anew (PriorityUsageResetPeriod). */
class UsagePeriodsTest {
  private static final Map<String, String> KEPT =
      Map.of("AccountingStorageType", "accounting_storage/slurmdbd");

  private final Bench bench = Bench.ready(KEPT);

  private static ClusterConfig with(String period) {
    ClusterConfig config = TestCluster.config(6, KEPT);
    return config.with(c -> c.priority(config.priority().withUsageResetPeriod(period)));
  }

  private double used() {
    return bench.core.state().usage().ofQos("normal").wallSeconds();
  }

  /** Ten minutes of use that is over. */
  private void use(String period) {
    bench.reconfigure(with(period));
    bench.handle(new Command.Reconfigure(TestCluster.ROOT));
    int id = bench.run("qos=normal");
    bench.pass(600);
    bench.pass(600);
    assertThat(bench.job(id).state()).isNotEqualTo(JobState.PENDING);
    assertThat(used()).isPositive();
  }

  @Test
  void nowForgetsUsageWhenTheFilesAreReadButNotWhenAPeriodEnds() {
    use("NOW");
    bench.reconfigure(with("NONE"));
    bench.handle(new Command.Reconfigure(TestCluster.ROOT));
    assertThat(used()).isPositive();
    bench.reconfigure(with("NOW"));
    bench.handle(new Command.Reconfigure(TestCluster.ROOT));
    assertThat(used()).isZero();
  }

  @Test
  void dailyForgetsUsageAtMidnight() {
    use("DAILY");
    Duration left =
        Duration.between(
            bench.now,
            bench
                .now
                .atZone(ZoneOffset.UTC)
                .toLocalDate()
                .plusDays(1)
                .atStartOfDay(ZoneOffset.UTC));
    bench.pass(left.toSeconds() - 301);
    assertThat(used()).isPositive();
    bench.pass(301);
    assertThat(used()).isZero();
  }

  @Test
  void prioritiesOfRunningJobsMoveOnlyWithCalculateRunning() {
    long before = ageing(Set.of());
    assertThat(ageing(Set.of("CALCULATE_RUNNING"))).isGreaterThan(before + 500);
  }

  /** The priority of a job that has run for ten minutes. */
  private long ageing(Set<String> flags) {
    ClusterConfig config = TestCluster.config(6, KEPT);
    PriorityPolicy policy =
        config.priority().with(p -> p.weightAge(10_000).maxAgeSeconds(6000).flags(flags));
    bench.reconfigure(config.with(c -> c.priority(policy)));
    bench.handle(new Command.Reconfigure(TestCluster.ROOT));
    int id = bench.run("time=60");
    bench.pass(300);
    bench.pass(300);
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    return bench.job(id).priority();
  }
}
