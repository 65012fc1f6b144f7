package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.StepUsage;
import dev.yardmaster.model.StepUsage.OfTasks;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsageColumnsTest {
  private static StepUsage usage(String node, int task, long value) {
    OfTasks of = new OfTasks(value, node, task, value);
    return new StepUsage(value, 0, 1, of, of, of, of, of, of);
  }

  private static String text(String name, StepUsage usage) {
    var columns = UsageColumns.all(new Amounts(null, false));
    return Objects.requireNonNull(columns.get(name), name).apply(usage);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 00:00:00",
    "1500000, 00:01.500",
    "61000000, 00:01:01",
    "3600500000, 01:00:00",
    "90061000000, 1-01:01:01"
  })
  void timeOnCpusIsWrittenAsSacctWritesIt(long micros, String text) {
    assertThat(UsageColumns.time(micros)).isEqualTo(text);
  }

  @Test
  void theLeastTimeAndTheMostMemoryAreNamedWithTheirTask() {
    StepUsage both = usage("n1", 0, 2_048_000).and(usage("n2", 1, 5_120_000));
    assertThat(text("MaxRSS", both)).isEqualTo("5000K");
    assertThat(text("MaxRSSNode", both) + text("MaxRSSTask", both)).isEqualTo("n21");
    assertThat(text("MinCPU", both)).isEqualTo("00:00:02");
    assertThat(text("MinCPUNode", both) + text("MinCPUTask", both)).isEqualTo("n10");
    assertThat(text("AveRSS", both)).isEqualTo("3500K");
    assertThat(text("AveCPU", both)).isEqualTo("00:00:03");
  }
}
