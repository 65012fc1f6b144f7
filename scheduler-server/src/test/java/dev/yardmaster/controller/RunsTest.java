package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunsTest {
  private final Bench bench = Bench.ready();

  @Test
  void theBatchScriptIsLaunchedOnceOnTheFirstNode() {
    int id = bench.run("nodes=2", "ntasks-per-node=6");
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.effects).containsExactly(new Effect.Launch("n1", bench.job(id)));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, COMPLETED, NONE",
    "3, 0, FAILED, NON_ZERO_EXIT_CODE",
    "0, 9, FAILED, RAISED_SIGNAL",
    "0, 53, FAILED, RAISED_SIGNAL"
  })
  void theEndOfTheScriptIsTheEndOfTheJob(int code, int signal, JobState state, Reason reason) {
    int id = bench.run();
    bench.end(id, code, signal);
    assertThat(bench.job(id).state()).isEqualTo(state);
    assertThat(bench.job(id).exitCode()).isEqualTo(new ExitCode(code, signal));
    assertThat(bench.job(id).reason()).isEqualTo(reason);
  }

  @Test
  void whatAJobLostWithItsNodeIsKnownUntilItStartsAgain() {
    int id = bench.run("nodelist=n1", "ntasks=3");
    bench.nodes(ROOT, "n1", "state=down", "reason=x");
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(id).allocation()).isNull();
    assertThat(String.valueOf(bench.job(id).lost())).contains("cpu=3");
    bench.nodes(ROOT, "n1", "state=resume");
    bench.pass(300);
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(id).lost()).isNull();
    bench.handle(new Command.RequeueJobs(ROOT, Integer.toString(id), false, false, false));
    assertThat(bench.job(id).lost()).as("asked for, nothing is lost").isNull();
    int wide = bench.run("nodelist=n[5-6]", "ntasks-per-node=1");
    bench.nodes(ROOT, "n5", "state=down", "reason=x");
    bench.gone(wide, 0);
    assertThat(bench.job(wide).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(wide).lost()).as("n6 has ended its part").isNull();
  }

  @Test
  void aNodeIsFreeAsSoonAsItIsDoneThoughOthersOfTheJobAreNot() {
    int id = bench.run("nodes=6", "exclusive");
    int next = bench.submit("nodelist=n2", "exclusive");
    int all = bench.submit("nodes=6", "exclusive");
    bench.end(id, 0, 0);
    bench.schedule();
    assertThat(bench.job(next).state()).isEqualTo(JobState.PENDING);
    bench.handle(new Command.RunGone("n2", id, 0, bench.now));
    bench.schedule();
    assertThat(bench.job(next).state()).isEqualTo(JobState.RUNNING);
    Job ending = bench.job(id);
    assertThat(ending.has(JobFlag.COMPLETING)).isTrue();
    assertThat(Objects.requireNonNull(ending.allocation()).nodes()).hasToString("n[1,3-6]");
    for (String node : List.of("n1", "n3", "n4", "n5", "n6")) {
      bench.handle(new Command.RunGone(node, id, 0, bench.now));
    }
    Job over = bench.job(id);
    assertThat(over.has(JobFlag.COMPLETING)).isFalse();
    assertThat(Objects.requireNonNull(over.allocation()).nodes()).hasToString("n[1-6]");
    assertThat(bench.job(all).state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void theTimeLimitEndsAJobAtItsSecondHoweverItsScriptEnds() {
    int id = bench.run("time=1");
    bench.pass(59);
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    bench.pass(1);
    assertThat(bench.job(id).state()).isEqualTo(JobState.TIMEOUT);
    assertThat(bench.effects).contains(new Effect.Terminate("n1", id, 0, 2, "DUE TO TIME LIMIT"));
    bench.end(id, 0, 0);
    bench.gone(id, 0);
    assertThat(bench.job(id).state()).isEqualTo(JobState.TIMEOUT);
    assertThat(bench.job(id).reason()).isEqualTo(Reason.TIME_LIMIT);
    assertThat(bench.job(id).exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void aTimeLimitHoldsAcrossARestart() {
    int id = bench.run("time=10");
    bench.pass(300);
    bench.restart();
    bench.pass(299);
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    bench.pass(1);
    assertThat(bench.job(id).state()).isEqualTo(JobState.TIMEOUT);
  }

  @Test
  void aShortenedLimitCountsAtOnce() {
    int id = bench.run("time=60");
    bench.update(ALICE, id, "timelimit=5");
    bench.pass(300);
    assertThat(bench.job(id).state()).isEqualTo(JobState.TIMEOUT);
  }

  @Test
  void whatAnOldRunSaysIsDropped() {
    int id = bench.run("requeue");
    bench.handle(new Command.RequeueJobs(ROOT, "" + id, false));
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(id).has(JobFlag.COMPLETING)).isTrue();
    assertThat(bench.job(id).reason()).isEqualTo(Reason.NONE);
    bench.gone(id, 0);
    assertThat(bench.job(id).allocation()).isNull();
    bench.pass(121);
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(id).restarts()).isEqualTo(1);
    bench.end(id, 0, 0, 9);
    bench.handle(new Command.RunGone("n1", id, 0, bench.now));
    bench.handle(new Command.LaunchFailed("n1", id, 0, "late"));
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.effects).contains(new Effect.Launch("n1", bench.job(id)));
  }

  @Test
  void aRequeuedJobHoldsItsNodesUntilItsOldRunIsGone() {
    int id = bench.run("requeue", "exclusive", "nodelist=n1");
    bench.handle(new Command.RequeueJobs(ROOT, "" + id, false));
    bench.pass(121);
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
    bench.gone(id, 0);
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void requeueOfAFinishedJobFreesNothing() {
    int done = bench.run("exclusive", "nodelist=n2", "requeue");
    bench.end(done, 1, 0);
    bench.gone(done, 0);
    int other = bench.run("exclusive", "nodelist=n2");
    int before = bench.effects.size();
    bench.handle(new Command.RequeueJobs(ROOT, "" + done, false));
    bench.schedule();
    assertThat(bench.job(other).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(done).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.effects).hasSize(before);
  }

  @Test
  void requeueholdKeepsTheJobUntilItIsReleased() {
    int id = bench.run("requeue");
    bench.handle(new Command.RequeueJobs(ROOT, "" + id, true));
    bench.gone(id, 0);
    bench.pass(121);
    bench.schedule();
    Job held = bench.job(id);
    assertThat(held.state()).isEqualTo(JobState.PENDING);
    assertThat(held.hold()).as("its owner may release it").isEqualTo(Hold.USER);
    assertThat(held.reasonText()).isEqualTo("job requeued in held state");
    assertThat(held.has(JobFlag.REQUEUE_HOLD)).as("it shows as PENDING").isFalse();
    bench.handle(new Command.ReleaseJobs(ROOT, "" + id));
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void requeueOfIncompleteJobsLeavesAloneWhatWaitsOrIsOver() {
    int over = bench.run("requeue");
    bench.end(over, 1, 0);
    bench.gone(over, 0);
    int runs = bench.run("exclusive", "nodelist=n2", "requeue");
    int waits = bench.run("exclusive", "nodelist=n2");
    for (int id : List.of(over, waits, runs)) {
      assertThat(bench.handle(new Command.RequeueJobs(ROOT, "" + id, false, false, true)))
          .isInstanceOf(Reply.Done.class);
    }
    assertThat(bench.job(over).state()).isEqualTo(JobState.FAILED);
    assertThat(bench.job(waits).restarts()).isZero();
    assertThat(bench.job(runs).restarts()).isEqualTo(1);
  }

  @Test
  void aJobThatMayNotBeRequeuedIsNot() {
    int id = bench.run("no-requeue");
    Reply reply = bench.handle(new Command.RequeueJobs(ROOT, "" + id, false));
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.DISABLED);
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void aNodeThatGoesDownRequeuesOrFailsItsJobs() {
    int again = bench.run("nodelist=n4", "requeue");
    int both = bench.run("nodelist=n[4-5]", "nodes=2", "ntasks=2", "requeue");
    int never = bench.run("nodelist=n4", "no-requeue");
    bench.nodes(ROOT, "n4", "state=down", "reason=dead");
    assertThat(bench.job(again).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(again).restarts()).isEqualTo(1);
    assertThat(bench.job(again).allocation()).isNull();
    assertThat(bench.job(never).state()).isEqualTo(JobState.NODE_FAIL);
    assertThat(bench.job(never).exitCode()).isEqualTo(new ExitCode(0, 1));
    assertThat(bench.job(never).reason()).isEqualTo(Reason.NODE_DOWN);
    assertThat(bench.job(never).has(JobFlag.COMPLETING)).isFalse();
    assertThat(bench.job(both).has(JobFlag.COMPLETING)).isTrue();
    bench.handle(new Command.RunGone("n5", both, 0, bench.now));
    assertThat(bench.job(both).has(JobFlag.COMPLETING)).isFalse();
  }

  @Test
  void aSilentNodeIsDownAfterTheTimeoutAndBackWhenItRegisters() {
    Bench lab = Bench.ready(Map.of("SlurmdTimeout", "60", "ReturnToService", "1"));
    int id = lab.run("nodelist=n3", "requeue");
    lab.pass(60, "n3");
    assertThat(lab.node("n3").status().base()).isEqualTo(NodeBaseState.IDLE);
    lab.pass(1, "n3");
    assertThat(lab.node("n3").status().base()).isEqualTo(NodeBaseState.DOWN);
    assertThat(lab.node("n3").status().reason()).isEqualTo("Not responding");
    assertThat(lab.job(id).state()).isEqualTo(JobState.PENDING);
    lab.register("n3");
    assertThat(lab.node("n3").status().base()).isEqualTo(NodeBaseState.IDLE);
    assertThat(lab.node("n3").status().reason()).isEmpty();
  }

  @Test
  void aNewControllerWaitsOneFullTimeoutBeforeItMarksANodeDown() {
    Bench lab = Bench.ready(Map.of("SlurmdTimeout", "60"));
    int id = lab.run("nodelist=n3", "time=60");
    lab.now = lab.now.plusSeconds(1000);
    lab.restart();
    lab.due();
    lab.now = lab.now.plusSeconds(60);
    lab.due();
    assertThat(lab.core.state().nodes().values())
        .allMatch(n -> n.status().base() == NodeBaseState.IDLE);
    assertThat(lab.job(id).state()).isEqualTo(JobState.RUNNING);
    lab.now = lab.now.plusSeconds(1);
    lab.due();
    assertThat(lab.core.state().nodes().values())
        .allMatch(n -> n.status().base() == NodeBaseState.DOWN);
  }

  @Test
  void aRunThatWasLostWithItsNodeIsEndedThereBeforeAnythingElseStarts() {
    Bench lab = Bench.ready(Map.of("SlurmdTimeout", "60", "ReturnToService", "2"));
    int id = lab.run("nodelist=n5", "requeue");
    lab.pass(61, "n5");
    int waiting = lab.submit("nodelist=n5");
    lab.effects.clear();
    lab.register("n5", new Command.RunningJob(id, 0));
    assertThat(lab.effects).contains(new Effect.Terminate("n5", id, 0, 2, ""));
    assertThat(lab.node("n5").status().has(NodeFlag.COMPLETING)).isTrue();
    lab.pass(10);
    lab.schedule();
    assertThat(lab.job(waiting).state()).isEqualTo(JobState.PENDING);
    lab.handle(new Command.RunGone("n5", id, 0, lab.now));
    lab.schedule();
    assertThat(lab.job(waiting).state()).isEqualTo(JobState.RUNNING);
    lab.pass(111);
    lab.schedule();
    assertThat(lab.job(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(lab.job(id).restarts()).isEqualTo(1);
  }

  @Test
  void aHeartbeatThatNamesAForgottenRunGetsItReleased() {
    int id = bench.run("nodelist=n2");
    bench.cancel(ALICE, "" + id);
    bench.gone(id, 0);
    bench.effects.clear();
    bench.handle(new Command.NodeHeartbeat("n2", List.of(new Command.RunningJob(id, 0))));
    assertThat(bench.effects).containsExactly(new Effect.Terminate("n2", id, 0, 2, ""));
    bench.effects.clear();
    bench.handle(new Command.NodeHeartbeat("n2", List.of(new Command.RunningJob(999, 0))));
    assertThat(bench.effects).as("an id that was never given").isEmpty();
  }

  @Test
  void aLaunchThatNeverArrivedIsSaidAgainWhenTheNodeRegisters() {
    int id = bench.run("nodelist=n2");
    bench.effects.clear();
    bench.register("n2");
    assertThat(bench.effects).containsExactly(new Effect.Launch("n2", bench.job(id)));
    bench.effects.clear();
    bench.register("n2", new Command.RunningJob(id, 0));
    assertThat(bench.effects).isEmpty();
  }

  @Test
  void aRestartedControllerAsksCompletingNodesAgain() {
    int id = bench.run("nodes=2", "ntasks=2");
    bench.cancel(ALICE, "" + id);
    bench.handle(new Command.RunGone("n1", id, 0, bench.now));
    bench.restart();
    assertThat(bench.effects).containsExactly(new Effect.Terminate("n2", id, 0, 2, null));
    bench.gone(id, 0);
    assertThat(bench.job(id).has(JobFlag.COMPLETING)).isFalse();
  }

  @Test
  void aFailedLaunchHoldsTheJobWithItsCause() {
    int id = bench.run("requeue");
    bench.handle(new Command.LaunchFailed("n1", id, 0, "user alice (1001) is unknown"));
    Job job = bench.job(id);
    assertThat(job.state()).isEqualTo(JobState.PENDING);
    assertThat(job.hold()).isEqualTo(Hold.USER);
    assertThat(job.reason()).isEqualTo(Reason.JOB_LAUNCH_FAILURE);
    assertThat(job.reasonText()).contains("n1").contains("user alice (1001) is unknown");
  }

  @Test
  void aJobIsForgottenAfterMinJobAgeUnlessSomebodyWaitsForIt() {
    Bench lab = Bench.ready(Map.of("MinJobAge", "300"));
    int first = lab.run();
    lab.submit("dependency=afterok:" + first, "hold");
    int second = lab.run();
    lab.end(first, 0, 0);
    lab.gone(first, 0);
    lab.end(second, 0, 0);
    lab.gone(second, 0);
    lab.pass(299);
    assertThat(lab.core.state().jobs()).containsKeys(first, second);
    lab.pass(1);
    assertThat(lab.core.state().jobs()).containsKey(first).doesNotContainKey(second);
    assertThat(lab.submit()).isGreaterThan(second);
  }

  @Test
  void idsBeginAtFirstJobIdAndAreNeverGivenTwice() {
    Bench lab = Bench.ready(Map.of("FirstJobId", "5000", "MinJobAge", "2"));
    assertThat(lab.submit()).isEqualTo(5000);
    lab.cancel(ALICE, "5000");
    lab.pass(10);
    assertThat(lab.core.state().jobs()).isEmpty();
    lab.restart();
    assertThat(lab.submit()).isEqualTo(5001);
  }

  @Test
  void aPassNeverUndoesAnUpdate() {
    int id = bench.submit("time=240", "hold");
    bench.handle(new Command.ReleaseJobs(ALICE, "" + id));
    ClusterState seen = bench.core.state();
    bench.update(ALICE, id, "timelimit=60");
    bench.propose(seen, bench.decide(seen));
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(id).timeLimitMinutes()).isEqualTo(60);
    bench.schedule();
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(id).timeLimitMinutes()).isEqualTo(60);
  }

  @Test
  void aPassStartsNothingOnANodeThatWasDrainedMeanwhile() {
    int id = bench.submit("nodelist=n6");
    ClusterState seen = bench.core.state();
    bench.nodes(ROOT, "n6", "state=drain", "reason=fan");
    bench.propose(seen, bench.decide(seen));
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void aPassStartsNothingInAPartitionThatWasTakenDownMeanwhile() {
    int id = bench.submit();
    ClusterState seen = bench.core.state();
    bench.handle(new Command.UpdatePartition(ROOT, "main", Bench.fields("state=DOWN")));
    bench.propose(seen, bench.decide(seen));
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void whatWasSubmittedDuringAPassIsNotTouchedByIt() {
    ClusterState seen = bench.core.state();
    int id = bench.submit();
    bench.propose(seen, bench.decide(seen));
    assertThat(bench.job(id).state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void aWaitingJobThatIsCancelledStillSaysWhatHeldItBack() {
    int id = bench.submit("hold");
    bench.handle(new Command.CancelJobs(ALICE, List.of("" + id), Immutable.sortedMap(), ""));
    assertThat(bench.job(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(bench.job(id).reason()).isEqualTo(Reason.JOB_HELD_USER);
  }

  @Test
  void anUpdateBetweenTwoBitsOfAProposalIsNotUndone() {
    int first = bench.submit("time=30");
    int second = bench.submit("time=30");
    ClusterState seen = bench.core.state();
    Proposals.Open open = new Proposals.Open(seen, bench.decide(seen));
    while (bench.job(first).state() == JobState.PENDING) {
      bench.core.accept(open, 1, bench.now);
    }
    bench.update(ALICE, second, "timelimit=5");
    while (!open.isDone()) {
      bench.core.accept(open, 1, bench.now);
    }
    assertThat(bench.job(first).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(second).timeLimitMinutes()).isEqualTo(5);
    bench.schedule();
    assertThat(bench.job(second).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(second).timeLimitMinutes()).isEqualTo(5);
  }

  @Test
  void aRemovedNodeEndsOnlyWhatRanOnIt() {
    int onIt = bench.run("nodelist=n6", "requeue");
    int elsewhere = bench.run("nodelist=n1");
    int wants = bench.submit("nodelist=n6", "exclusive");
    bench.reconfigure(TestCluster.config(5, Map.of()));
    assertThat(bench.handle(new Command.Reconfigure(ROOT))).isInstanceOf(Reply.Done.class);
    assertThat(bench.job(onIt).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(onIt).restarts()).isEqualTo(1);
    assertThat(bench.job(elsewhere).state()).isEqualTo(JobState.RUNNING);
    assertThat(bench.job(wants).state()).isEqualTo(JobState.PENDING);
    bench.restart();
    bench.pass(10);
    bench.schedule();
    assertThat(bench.job(wants).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(elsewhere).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void aConfigurationThatCannotBeReadChangesNothing() {
    ClusterState before = bench.core.state();
    Core broken =
        new Core(
            before,
            AdmissionCheck.NONE,
            bench.links,
            () -> {
              throw new IllegalArgumentException("slurm.conf:12: NodeName=n[1-: unmatched \"[\"");
            },
            ZoneOffset.UTC,
            bench.now);
    Core.Outcome outcome = broken.handle(new Command.Reconfigure(ROOT), bench.now);
    assertThat(outcome.reply())
        .isEqualTo(
            new Reply.Refused(
                SlurmError.CONFIGURATION, "slurm.conf:12: NodeName=n[1-: unmatched \"[\""));
    assertThat(broken.state()).isSameAs(before);
  }

  @Test
  void timeNeverRunsBackwards() {
    bench.submit();
    bench.now = bench.now.minusSeconds(3600);
    bench.submit();
    assertThat(bench.events).extracting(Event::at).isSorted();
    assertThat(bench.core.state().time()).isEqualTo(TestCluster.NOW);
  }

  @Test
  void anUnlimitedJobHasNoEnd() {
    int id = bench.run("partition=other", "time=UNLIMITED");
    assertThat(bench.job(id).timeLimitMinutes()).isEqualTo(Partition.UNLIMITED);
    assertThat(bench.job(id).ended()).isNull();
    bench.pass(1_000_000);
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
  }
}
