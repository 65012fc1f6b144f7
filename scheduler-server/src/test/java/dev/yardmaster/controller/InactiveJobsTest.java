package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.Reason;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** InactiveLimit: what becomes of an allocation whose salloc or srun is gone. */
class InactiveJobsTest {
  private static int allocate(Bench bench) {
    JobSubmission salloc =
        new JobSubmission(
            Immutable.sortedMap(Map.of("time", "60")),
            "",
            List.of(),
            Immutable.sortedMap(),
            "salloc",
            "salloc",
            "/home/alice",
            "head");
    Reply reply = bench.handle(new Command.Submit(ALICE, salloc));
    bench.schedule();
    return ((Reply.Submitted) reply).jobId();
  }

  /** Lets time pass in looks of ten seconds. */
  private static void wait(Bench bench, int seconds, int heard) {
    for (int i = 0; i < seconds; i += 10) {
      bench.core.steps().heard(heard);
      bench.pass(10);
    }
  }

  @Test
  void anAllocationThatNobodyHoldsAnyMoreEndsByInactiveLimitAndOthersGoOn() {
    Bench bench = Bench.ready(Map.of("InactiveLimit", "30"));
    int gone = allocate(bench);
    int held = allocate(bench);
    int batch = bench.run();
    for (int i = 0; i < 10; i++) {
      bench.core.steps().heard(gone);
      wait(bench, 10, held);
    }
    assertThat(bench.job(gone).state()).isEqualTo(JobState.RUNNING);
    wait(bench, 50, held);
    assertThat(bench.job(gone).state()).isEqualTo(JobState.RUNNING);
    wait(bench, 10, held);
    Job job = bench.job(gone);
    assertThat(job.state()).isEqualTo(JobState.TIMEOUT);
    assertThat(job.reason()).isEqualTo(Reason.INACTIVE_LIMIT);
    assertThat(bench.job(held).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(batch).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void afterARestartOneThatIsNotHeardEndsAsWell() {
    Bench bench = Bench.ready(Map.of("InactiveLimit", "30"));
    int gone = allocate(bench);
    bench.restart();
    bench.pass(50);
    assertThat(bench.job(gone).state()).isEqualTo(JobState.RUNNING);
    bench.pass(10);
    assertThat(bench.job(gone).state()).isEqualTo(JobState.TIMEOUT);
  }

  @Test
  void withoutALimitItStays() {
    Bench bench = Bench.ready(Map.of());
    int gone = allocate(bench);
    bench.pass(3000);
    assertThat(bench.job(gone).state()).isEqualTo(JobState.RUNNING);
  }
}
