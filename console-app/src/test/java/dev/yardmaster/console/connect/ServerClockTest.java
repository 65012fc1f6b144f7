package dev.yardmaster.console.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ServerClockTest {
  private static final Instant LOCAL = Instant.parse("2026-11-30T08:00:00Z");
  private final AtomicReference<Instant> local = new AtomicReference<>(LOCAL);
  private final ServerClock clock = new ServerClock(local::get);

  @Test
  void aWrongLocalClockDoesNotMatter() {
    clock.observe(LOCAL.plus(Duration.ofHours(10)), LOCAL);
    local.set(LOCAL.plusSeconds(30));

    assertThat(clock.instant()).isEqualTo(LOCAL.plus(Duration.ofHours(10)).plusSeconds(30));
  }

  @Test
  void delaysOfTheNetworkDoNotMoveIt() {
    clock.observe(LOCAL.plusSeconds(60), LOCAL);
    clock.observe(LOCAL.plusSeconds(61), LOCAL);

    assertThat(clock.offset()).isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void whatHappenedCannotLieInTheFuture() {
    clock.observe(LOCAL, LOCAL);
    clock.atLeast(LOCAL.plusSeconds(100));

    assertThat(clock.instant()).isEqualTo(LOCAL.plusSeconds(100));
  }

  @Test
  void whatHappenedLongAgoSaysNothing() {
    clock.observe(LOCAL, LOCAL);
    clock.atLeast(LOCAL.minusSeconds(100));

    assertThat(clock.instant()).isEqualTo(LOCAL);
  }
}
