package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.SchedulingPolicy;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BatchesTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private final Batches batch = new Batches();

  private static SchedulingPolicy policy(String delay) {
    return SchedulingPolicy.defaults()
        .with(p -> p.parameters(Immutable.sortedMap(Map.of("batch_sched_delay", delay))));
  }

  @Test
  void aSingleSubmissionIsCompleteAfterHalfTheDelay() {
    batch.add(0, SchedulingPolicy.defaults());
    assertThat(batch.untilComplete(0)).isEqualTo(SECOND * 3 / 2);
    assertThat(batch.untilComplete(SECOND * 3 / 2)).isNotPositive();
  }

  @Test
  void eachFurtherOneGivesMoreTimeButNotForEver() {
    for (long at = 0; at <= 4 * SECOND; at += SECOND / 2) {
      batch.add(at, SchedulingPolicy.defaults());
    }
    assertThat(batch.untilComplete(4 * SECOND)).isEqualTo(SECOND / 2);
  }

  @Test
  void theNextBatchBeginsAfresh() {
    batch.add(0, SchedulingPolicy.defaults());
    batch.close();
    assertThat(batch.isOpen()).isFalse();
    batch.add(10 * SECOND, policy("6"));
    assertThat(batch.untilComplete(10 * SECOND)).isEqualTo(3 * SECOND);
  }

  @Test
  void theDelayIsThatOfTheFile() {
    assertThat(Batches.delay(policy("0"))).isZero();
    assertThat(Batches.delay(policy("7"))).isEqualTo(Duration.ofSeconds(7));
    assertThat(Batches.delay(policy("-7"))).isZero();
    assertThat(Batches.delay(policy("soon"))).isEqualTo(Batches.delay(SchedulingPolicy.defaults()));
  }
}
