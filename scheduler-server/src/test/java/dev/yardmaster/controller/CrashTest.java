package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server that is killed at any instant under load keeps everything it has acknowledged. The
 * number of kills is the system property {@code yardmaster.crashes}; {@code yardmaster bench
 * --crash N} does the same.
 */
class CrashTest {
  private static final int KILLS = Integer.getInteger("yardmaster.crashes", 4);

  @TempDir Path directory;

  @Test
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  void whatWasAcknowledgedSurvivesKillingTheServer() throws Exception {
    Crashes.Figures figures = Crashes.run(directory, KILLS, System.nanoTime(), line -> {});
    assertThat(figures.records()).as("records of jobs").isPositive();
    assertThat(figures.acknowledged()).as("the server did something").isGreaterThan(KILLS);
  }
}
