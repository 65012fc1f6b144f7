package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.Decision;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.SlurmError;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HetJobTest {
  private final Bench bench = new Bench(TestCluster.config(4, Map.of()));

  @BeforeEach
  void registerAll() {
    for (int i = 1; i <= 4; i++) {
      bench.register("n" + i);
    }
  }

  private Reply submit(String... components) {
    return bench.handle(
        new Command.SubmitHet(
            TestCluster.ALICE,
            Arrays.stream(components)
                .map(options -> TestCluster.submission(options.split(" ")))
                .toList()));
  }

  private int submitted(String... components) {
    return ((Reply.Submitted) submit(components)).jobId();
  }

  private List<JobState> states(int leader, int size) {
    return java.util.stream.IntStream.range(0, size)
        .mapToObj(i -> bench.job(leader + i).state())
        .toList();
  }

  @Test
  void theComponentsStartTogetherAndTheScriptRunsOnceInTheFirst() {
    int leader = submitted("ntasks=1 time=60", "nodes=2 time=60");
    assertThat(bench.job(leader + 1).displayId()).isEqualTo(leader + "+1");
    bench.effects.clear();
    bench.schedule();
    assertThat(states(leader, 2)).containsOnly(JobState.RUNNING);
    assertThat(bench.effects).hasSize(1);
    Effect.Launch launch = (Effect.Launch) bench.effects.getFirst();
    assertThat(launch.jobId()).isEqualTo(leader);
    assertThat(launch.environment())
        .containsEntry("SLURM_HET_SIZE", "2")
        .containsEntry("SLURM_JOB_ID_HET_GROUP_1", Integer.toString(leader + 1))
        .containsEntry("SLURM_JOB_NUM_NODES_HET_GROUP_1", "2");
  }

  @Test
  void theEndOfTheScriptEndsAllComponents() {
    int leader = submitted("ntasks=1 time=60", "nodes=2 time=60");
    bench.schedule();
    bench.end(leader, 3, 0);
    assertThat(states(leader, 2)).containsOnly(JobState.FAILED);
    assertThat(bench.job(leader + 1).exitCode()).isEqualTo(new ExitCode(3, 0));
  }

  @Test
  void nothingIsLeftOfASubmissionOneComponentOfWhichIsRefused() {
    int before = bench.core.state().jobs().size();
    assertThat(submit("ntasks=1 time=60", "ntasks=1 partition=nowhere"))
        .isInstanceOf(Reply.Refused.class);
    assertThat(bench.core.state().jobs()).hasSize(before);
    assertThat(Bench.error(submit("array=1-3", "ntasks=1"))).isEqualTo(SlurmError.INVALID_ARRAY);
  }

  @Test
  void aChangeOfOneComponentDropsTheStartOfAll() {
    int leader = submitted("ntasks=1 time=60", "nodes=2 time=60");
    ClusterState seen = bench.core.state();
    List<Decision> decisions = bench.decide(seen);
    assertThat(decisions).anyMatch(d -> d instanceof Decision.Start);
    bench.handle(new Command.HoldJobs(TestCluster.ALICE, leader + "+1", true));
    bench.propose(seen, decisions);
    assertThat(states(leader, 2)).containsOnly(JobState.PENDING);
  }

  @Test
  void theLeaderStandsForAllAndAWaitingComponentForNothing() {
    int leader = submitted("ntasks=1 time=60", "nodes=2 time=60");
    String all = Integer.toString(leader);
    bench.handle(new Command.HoldJobs(TestCluster.ALICE, all, true));
    assertThat(bench.job(leader + 1).hold()).isEqualTo(Hold.USER);
    bench.handle(new Command.ReleaseJobs(TestCluster.ALICE, all));
    assertThat(bench.job(leader + 1).hold()).isEqualTo(Hold.NONE);
    assertThat(Bench.error(bench.cancel(TestCluster.ALICE, leader + "+1")))
        .isEqualTo(SlurmError.NOT_WHOLE_HET_JOB);
    bench.cancel(TestCluster.ALICE, all);
    assertThat(states(leader, 2)).containsOnly(JobState.CANCELLED);
  }

  @Test
  void aRunningComponentIsCancelledAloneAndRequeuedOnlyWithAllOthers() {
    int leader = submitted("ntasks=1 time=60", "nodes=2 time=60", "ntasks=1 time=60");
    bench.schedule();
    Identity root = TestCluster.ROOT;
    assertThat(Bench.error(bench.handle(new Command.RequeueJobs(root, leader + "+1", false))))
        .isEqualTo(SlurmError.NOT_HET_JOB_LEADER);
    bench.cancel(TestCluster.ALICE, Integer.toString(leader + 2));
    assertThat(states(leader, 3))
        .containsExactly(JobState.RUNNING, JobState.RUNNING, JobState.CANCELLED);
    bench.cancel(TestCluster.ALICE, Integer.toString(leader));
    assertThat(states(leader, 3)).containsOnly(JobState.CANCELLED);
  }

  @Test
  void aDependencyOnTheLeaderWaitsForAllComponents() {
    int leader = submitted("ntasks=1 time=60", "nodes=2 time=60");
    int after = bench.submit("dependency=afterany:" + leader, "time=5");
    bench.schedule();
    bench.cancel(TestCluster.ALICE, leader + "+1");
    bench.gone(leader + 1, 0);
    bench.schedule();
    assertThat(bench.job(after).state()).isEqualTo(JobState.PENDING);
  }
}
