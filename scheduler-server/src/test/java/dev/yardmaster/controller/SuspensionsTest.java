package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.SlurmError;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SuspensionsTest {
  private final Bench bench = new Bench(TestCluster.config(1, Map.of()));

  private Reply suspend(int id, boolean resume) {
    return bench.handle(new Command.SuspendJobs(TestCluster.ROOT, Integer.toString(id), resume));
  }

  private int running() {
    bench.register("n1");
    return bench.run("time=60");
  }

  @Test
  void aSuspendedJobIsStoppedAndItsTimeDoesNotCount() {
    int id = running();
    bench.pass(600);
    bench.effects.clear();
    assertThat(suspend(id, false)).isInstanceOf(Reply.Done.class);
    assertThat(bench.job(id).state()).isEqualTo(JobState.SUSPENDED);
    assertThat(bench.effects).contains(new Effect.Pause("n1", id, 0, 2));
    bench.pass(3600);
    bench.effects.clear();
    assertThat(bench.job(id).state()).isEqualTo(JobState.SUSPENDED);
    assertThat(bench.job(id).worked(bench.now)).isEqualTo(Duration.ofSeconds(600));
    assertThat(Explainer.explain(bench.core.state(), id, bench.now).finding(Gate.HOLD))
        .hasValueSatisfying(finding -> assertThat(finding.blocks()).isTrue());
    suspend(id, true);
    Job job = bench.job(id);
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
    assertThat(job.ended()).isEqualTo(bench.now.plusSeconds(3000));
    assertThat(bench.effects).contains(new Effect.Signal("n1", id, 0, 18, false));
    bench.pass(2999);
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    bench.pass(1);
    assertThat(bench.job(id).state()).isEqualTo(JobState.TIMEOUT);
    assertThat(bench.job(id).worked(bench.now)).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void aCancelledSuspendedJobHasEndedWhenItWasSuspended() {
    int id = running();
    bench.pass(100);
    suspend(id, false);
    bench.pass(50);
    bench.cancel(TestCluster.ALICE, Integer.toString(id));
    assertThat(bench.job(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(bench.job(id).ended()).isEqualTo(bench.now.minusSeconds(50));
    assertThat(bench.job(id).worked(bench.now)).isEqualTo(Duration.ofSeconds(100));
  }

  @Test
  void aRequeuedSuspendedJobIsHeld() {
    int id = running();
    suspend(id, false);
    bench.handle(new Command.RequeueJobs(TestCluster.ROOT, Integer.toString(id), false));
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(id).hold()).isEqualTo(Hold.ADMIN);
  }

  @Test
  void aSuspendedJobWhoseScriptDiesEnds() {
    int id = running();
    suspend(id, false);
    bench.end(id, 0, 9);
    assertThat(bench.job(id).state()).isEqualTo(JobState.FAILED);
    assertThat(bench.job(id).exitCode()).isEqualTo(new ExitCode(0, 9));
  }

  @Test
  void onlyTheRightPeopleSuspendOnlyTheRightJobs() {
    int id = running();
    int waiting = bench.submit("hold", "time=60");
    String job = Integer.toString(id);
    assertThat(Bench.error(bench.handle(new Command.SuspendJobs(TestCluster.BOB, job, false))))
        .isEqualTo(SlurmError.ACCESS_DENIED);
    assertThat(Bench.error(suspend(waiting, false))).isEqualTo(SlurmError.JOB_PENDING);
    assertThat(Bench.error(suspend(id, true))).isEqualTo(SlurmError.JOB_NOT_SUSPENDED);
    assertThat(Bench.error(suspend(99, false))).isEqualTo(SlurmError.INVALID_JOB_ID);
    suspend(id, false);
    assertThat(Bench.error(suspend(id, false))).isEqualTo(SlurmError.JOB_NOT_RUNNING);
    bench.cancel(TestCluster.ROOT, job);
    assertThat(Bench.error(suspend(id, true))).isEqualTo(SlurmError.JOB_FINISHED);
  }
}
