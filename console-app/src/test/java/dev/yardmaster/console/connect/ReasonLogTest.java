package dev.yardmaster.console.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.inspector.InspectorWriter;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReasonLogTest {
  private static final Job JOB =
      SampleJobs.pend(7, "train", "nlp", 1, 1, 1, Reason.PRIORITY, 10, 60);

  private final ReasonLog log = new ReasonLog();

  private static Snapshot at(int minute, Reason reason) {
    return at(minute, JobBuilder.builder(JOB).reason(reason).build());
  }

  private static Snapshot at(int minute, Job job) {
    return Snapshot.of(SampleCluster.view(List.of(job)), time(minute));
  }

  private static Instant time(int minute) {
    return SampleCluster.NOW.plusSeconds(60L * minute);
  }

  @Test
  void eachReasonIsKeptWithWhenItBegan() {
    log.compare(at(0, Reason.PRIORITY), at(1, Reason.PRIORITY));
    assertThat(log.of(JOB)).isEmpty();

    log.compare(at(1, Reason.PRIORITY), at(14, Reason.RESOURCES));
    log.compare(at(14, Reason.RESOURCES), at(20, Reason.LICENSES));
    assertThat(log.of(JOB))
        .containsExactly(
            new ReasonLog.Spell(Reason.PRIORITY, JOB.submitted()),
            new ReasonLog.Spell(Reason.RESOURCES, time(14)),
            new ReasonLog.Spell(Reason.LICENSES, time(20)));
  }

  @Test
  void aJobThatStartsOrLeavesIsForgotten() {
    log.compare(at(0, Reason.PRIORITY), at(1, Reason.RESOURCES));
    log.compare(
        at(1, Reason.RESOURCES), at(2, JobBuilder.builder(JOB).state(JobState.RUNNING).build()));
    assertThat(log.of(JOB)).isEmpty();

    log.compare(at(0, Reason.PRIORITY), at(1, Reason.RESOURCES));
    log.compare(at(1, Reason.RESOURCES), Snapshot.of(SampleCluster.view(List.of()), time(2)));
    assertThat(log.of(JOB)).isEmpty();
  }

  @Test
  void aJobThatChangesForEverTakesLittleRoom() {
    for (int i = 0; i < 100; i++) {
      log.compare(at(i, Reason.PRIORITY), at(i, Reason.RESOURCES));
    }
    assertThat(log.of(JOB)).hasSize(ReasonLog.LIMIT);
  }

  @Test
  void theInspectorTellsWhatHeldTheJobAndForHowLong() {
    log.compare(at(0, Reason.PRIORITY), at(14, Reason.RESOURCES));
    Snapshot snapshot = at(20, Reason.RESOURCES);
    String written =
        String.valueOf(
            new InspectorWriter(TestCluster.terms("en"), new AccountPalette(), log)
                .inspect(Items.job(7), snapshot, time(20)));

    assertThat(written)
        .contains("Waits behind higher priority · ")
        .contains("Waits for free resources · 6\u00a0min");
  }
}
