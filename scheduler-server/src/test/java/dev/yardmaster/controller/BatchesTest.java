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
  void aSubmissionRestsForATenthOfTheDelay() {
    batch.add(0, policy("10"));
    assertThat(batch.untilRest(0)).isEqualTo(SECOND);
    assertThat(batch.untilRest(SECOND)).isNotPositive();
    assertThat(batch.delaySeconds()).isEqualTo(10);
  }

  @Test
  void beforeTheFirstLookTheDelayIsSlurmsUnlessThereIsNone() {
    batch.add(0, policy("10"));
    assertThat(batch.firstDelaySeconds()).isEqualTo(3);
    batch.add(0, policy("0"));
    assertThat(batch.firstDelaySeconds()).isZero();
  }

  @Test
  void eachFurtherOneGivesMoreTimeButNotForEver() {
    for (long at = 0; at <= 3 * SECOND; at += SECOND / 2) {
      batch.add(at, policy("10"));
    }
    assertThat(batch.untilRest(3 * SECOND)).isBetween(SECOND / 3, SECOND / 3 + 1);
    assertThat(batch.untilRest(4 * SECOND)).isNotPositive();
  }

  @Test
  void withoutADelayOnlyARowOfSubmissionsIsWaitedForAndTwoSecondsAtMost() {
    batch.add(0, policy("0"));
    assertThat(batch.untilRest(0)).isEqualTo(Duration.ofMillis(150).toNanos());
    for (long at = 0; at <= 2 * SECOND; at += SECOND / 10) {
      batch.add(at, policy("0"));
    }
    assertThat(batch.untilRest(2 * SECOND - 1)).isEqualTo(1);
  }

  @Test
  void aRowIsNotCutShortByWhatCameBeforeIt() {
    batch.add(0, policy("3"));
    long begin = 2 * SECOND - SECOND / 10;
    for (long at = begin; at <= begin + SECOND; at += SECOND / 20) {
      batch.add(at, policy("3"));
    }
    assertThat(batch.untilRest(begin + SECOND)).isPositive();
  }

  @Test
  void whatIsNoPartOfARowUsesUpNoneOfItsTime() {
    for (long at = 0; at < SECOND; at += SECOND / 20) {
      batch.want(policy("3"));
      assertThat(batch.untilRest(at)).as("nobody waits for more of it").isNotPositive();
    }
    assertThat(batch.isOpen()).isTrue();
    for (long at = SECOND; at <= 5 * SECOND / 2; at += SECOND / 20) {
      batch.add(at, policy("3"));
    }
    assertThat(batch.untilRest(5 * SECOND / 2)).as("a row of its own").isPositive();
  }

  @Test
  void theNextRowBeginsAfresh() {
    batch.add(0, policy("10"));
    batch.close();
    assertThat(batch.isOpen()).isFalse();
    assertThat(batch.untilRest(0)).isNotPositive();
    batch.add(10 * SECOND, policy("20"));
    assertThat(batch.untilRest(10 * SECOND)).isEqualTo(2 * SECOND);
  }

  @Test
  void theDelayIsThatOfTheFile() {
    assertThat(Batches.delay(policy("0"))).isZero();
    assertThat(Batches.delay(policy("7"))).isEqualTo(Duration.ofSeconds(7));
    assertThat(Batches.delay(policy("-7"))).isZero();
    assertThat(Batches.delay(policy("soon"))).isEqualTo(Batches.delay(SchedulingPolicy.defaults()));
  }
}
