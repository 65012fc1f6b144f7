package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RateLimitTest {
  private static final Identity ANA = new Identity("ana", 1001, "users", 100);
  private static final Identity BOB = new Identity("bob", 1002, "users", 100);
  private static final Identity ROOT = new Identity("root", 0, "root", 0);

  private final AtomicLong seconds = new AtomicLong(-3);
  private final AtomicReference<ClusterConfig> config = new AtomicReference<>(with(""));
  private final RateLimit limit =
      new RateLimit(config::get, () -> TimeUnit.SECONDS.toNanos(seconds.get()));

  private static ClusterConfig with(String parameters) {
    return TestCluster.config(1, Map.of("SlurmctldParameters", parameters));
  }

  private int taken(Identity who) {
    int taken = 0;
    while (taken < 1_000 && limit.take(who)) {
      taken++;
    }
    return taken;
  }

  @Test
  void nobodyIsLimitedUnlessTheConfigurationSaysSo() {
    assertThat(taken(ANA)).isEqualTo(1_000);
  }

  @Test
  void aBucketIsFilledAtItsRateAndHoldsNoMoreThanItsSize() {
    config.set(with("rl_enable"));
    assertThat(taken(ANA)).isEqualTo(30);
    assertThat(taken(BOB)).as("everybody has his own").isEqualTo(30);
    assertThat(taken(ROOT)).isEqualTo(1_000);
    seconds.addAndGet(1);
    assertThat(taken(ANA)).isEqualTo(2);
    seconds.addAndGet(1_000);
    assertThat(taken(ANA)).isEqualTo(30);
  }

  @Test
  void eachParameterHasItsEffect() {
    config.set(
        with("rl_enable,rl_bucket_size=5,rl_refill_rate=3,rl_refill_period=10,rl_table_size=1"));
    assertThat(taken(ANA)).isEqualTo(5);
    seconds.addAndGet(9);
    assertThat(taken(ANA)).isZero();
    seconds.addAndGet(1);
    assertThat(taken(ANA)).isEqualTo(3);
    assertThat(taken(BOB)).isEqualTo(5);
    assertThat(taken(ANA)).as("forgotten for another").isEqualTo(5);
    config.set(with(""));
    assertThat(taken(ANA)).as("after a reconfigure").isEqualTo(1_000);
  }
}
