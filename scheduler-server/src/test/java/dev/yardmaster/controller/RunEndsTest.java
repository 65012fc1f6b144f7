package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What becomes of runs that end, or lose nodes, in ways that the configuration speaks of. */
class RunEndsTest {
  private final Bench bench = Bench.ready(Map.of());

  @Test
  void anExitCodeOfRequeueExitPutsTheJobBackAndOneOfRequeueExitHoldHoldsIt() {
    Bench lab = Bench.ready(Map.of("RequeueExit", "7,20-22", "RequeueExitHold", "30, 40-41"));
    int again = lab.run("requeue");
    lab.end(again, 21, 0);
    lab.gone(again, 0);
    assertThat(lab.job(again).state()).isEqualTo(JobState.PENDING);
    assertThat(lab.job(again).hold()).isEqualTo(Hold.NONE);
    int held = lab.run("requeue");
    lab.end(held, 41, 0);
    assertThat(lab.job(held).has(JobFlag.COMPLETING)).isTrue();
    lab.gone(held, 0);
    assertThat(lab.job(held).has(JobFlag.SPECIAL_EXIT)).isTrue();
    assertThat(lab.job(held).reason()).isEqualTo(Reason.JOB_HELD_USER);
    lab.handle(new Command.ReleaseJobs(ALICE, "" + held));
    assertThat(lab.job(held).flags()).doesNotContain(JobFlag.SPECIAL_EXIT);
    int never = lab.run("no-requeue");
    lab.end(never, 7, 0);
    assertThat(lab.job(never).state()).isEqualTo(JobState.FAILED);
    int other = lab.run("requeue");
    lab.end(other, 23, 0);
    assertThat(lab.job(other).state()).isEqualTo(JobState.FAILED);
  }

  @Test
  void aScriptThatWasKilledForLackOfMemoryEndsTheJobAsOutOfMemory() {
    int id = bench.run("requeue");
    bench.end(id, 0, 125);
    assertThat(bench.job(id).state()).isEqualTo(JobState.OUT_OF_MEMORY);
    assertThat(bench.job(id).reason()).isEqualTo(Reason.OUT_OF_MEMORY);
  }

  @Test
  void aJobWithNoKillGoesOnWithTheNodesItHasLeft() {
    int id = bench.run("nodelist=n[1-3]", "ntasks=3", "no-kill", "no-requeue");
    int off = bench.run("nodelist=n[2-3]", "ntasks=2", "no-kill=off", "no-requeue");
    bench.nodes(ROOT, "n2", "state=down", "reason=x");
    Job job = bench.job(id);
    assertThat(job.state()).isEqualTo(JobState.RUNNING);
    assertThat(Objects.requireNonNull(job.allocation()).nodes()).hasToString("n[1,3]");
    assertThat(job.allocation().tres().cpus()).isEqualTo(2);
    assertThat(job.request().minNodes()).as("what it would ask for anew").isEqualTo(3);
    assertThat(bench.job(off).state()).isEqualTo(JobState.NODE_FAIL);
    bench.nodes(ROOT, "n[1,3]", "state=down", "reason=x");
    assertThat(bench.job(id).state()).as("none is left").isEqualTo(JobState.NODE_FAIL);
  }

  @Test
  void aJobThatMayBeShorterRunsToItsDeadlineAtMost() {
    int id = bench.run("time=30", "time-min=5", "deadline=now+20minutes");
    assertThat(bench.job(id).timeLimitMinutes()).isEqualTo(20);
    assertThat(refusal("time=30", "time-min=25", "deadline=now+20minutes"))
        .isEqualTo(SlurmError.INVALID_TIME_MIN);
    assertThat(refusal("time=30", "deadline=now+20minutes"))
        .isEqualTo(SlurmError.INVALID_TIME_LIMIT);
  }

  @Test
  void aDeadlineIsChangedByAdministratorsOnlyAndMayThenBeMissed() {
    int blocker = bench.run("nodes=6", "exclusive", "time=60");
    int id = bench.submit("time=10", "deadline=now+20minutes");
    bench.update(ALICE, id, "deadline=now+2hours");
    assertThat(bench.job(id).deadline()).isEqualTo(bench.now.plusSeconds(1200));
    bench.update(ROOT, id, "deadline=now+5minutes");
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.DEADLINE);
    bench.update(ROOT, blocker, "deadline=now+2hours");
    assertThat(bench.job(blocker).deadline()).isEqualTo(bench.now.plusSeconds(7200));
  }

  @Test
  void aPartitionSaysForItselfHowLongJobsMayGoOnAfterTheirLimit() {
    Bench lab = Bench.ready(Map.of("OverTimeLimit", "1"));
    int id = lab.run("time=1");
    lab.pass(119);
    assertThat(lab.job(id).state()).isEqualTo(JobState.RUNNING);
    partition(lab, "overtimelimit=UNLIMITED");
    lab.pass(600);
    assertThat(lab.job(id).state()).isEqualTo(JobState.RUNNING);
    partition(lab, "overtimelimit=3");
    lab.schedule();
    assertThat(lab.job(id).state()).isEqualTo(JobState.TIMEOUT);
  }

  private static void partition(Bench lab, String field) {
    lab.handle(new Command.UpdatePartition(ROOT, "main", Bench.fields(field)));
  }

  private SlurmError refusal(String... options) {
    return Bench.error(bench.handle(new Command.Submit(ALICE, TestCluster.submission(options))));
  }
}
