package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeldSubmissionTest {
  private final Bench bench = Bench.ready();

  private Reply submit(String... options) {
    return bench.handle(new Command.Submit(TestCluster.ALICE, TestCluster.submission(options)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mem=9999999", "gpus=nosuch", "gpus=99999999999", "tmp=5"})
  void nodesAreLookedForWhenAHeldJobIsReleased(String option) {
    assertThat(Bench.error(submit(option))).isEqualTo(SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE);
    int id = bench.submit("hold", option);
    assertThat(bench.job(id).reason()).isEqualTo(Reason.JOB_HELD_USER);
    bench.handle(new Command.ReleaseJobs(TestCluster.ALICE, Integer.toString(id)));
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(id).started()).isNull();
  }

  @ParameterizedTest
  @ValueSource(strings = {"array=", "gpus=", "gpus-per-socket=0", "mem-per-gpu=0", "segment=0"})
  void aValueThatIsNoneAsksForNothing(String option) {
    assertThat(submit(option)).isInstanceOf(Reply.Submitted.class);
  }

  @Test
  void tasksOfAJobWithAMemoryLimitAreLookedAtAsOftenAsTheSiteAsks() {
    SlurmError wrong = SlurmError.INVALID_ACCOUNTING_FREQUENCY;
    assertThat(Bench.error(submit("acctg-freq=0"))).isEqualTo(wrong);
    assertThat(Bench.error(submit("acctg-freq=task=31"))).isEqualTo(wrong);
    assertThat(submit("acctg-freq=task=30")).isInstanceOf(Reply.Submitted.class);
    assertThat(submit("acctg-freq=energy=60")).isInstanceOf(Reply.Submitted.class);
    assertThat(submit("acctg-freq=0", "mem=0")).isInstanceOf(Reply.Submitted.class);
    Bench often = Bench.ready(Map.of("JobAcctGatherFrequency", "task=10"));
    assertThat(
            Bench.error(
                often.handle(
                    new Command.Submit(
                        TestCluster.ALICE, TestCluster.submission("acctg-freq=20")))))
        .isEqualTo(wrong);
  }
}
