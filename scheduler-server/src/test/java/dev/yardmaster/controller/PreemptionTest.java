package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.explain.Evidence;
import dev.yardmaster.explain.Gate;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Preemption;
import dev.yardmaster.model.Reason;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PreemptionTest {
  private static Bench bench(String mode, String grace) {
    ClusterConfig config =
        TestCluster.config(1, Map.of("PreemptType", "preempt/partition_prio", "PreemptMode", mode));
    List<Partition> partitions =
        config.partitions().stream()
            .map(
                p ->
                    p.isDefault()
                        ? p.withOther(new TreeMap<>(Map.of("GraceTime", grace)))
                        : p.withPriorityTier(9))
            .toList();
    Bench bench = new Bench(config.withPartitions(partitions));
    bench.register("n1");
    return bench;
  }

  @Test
  void aVictimIsEndedOnItsNodesGoesBackToTheQueueAndSaysForWhom() {
    Bench bench = bench("REQUEUE", "0");
    int low = bench.run("exclusive", "time=60");
    bench.effects.clear();
    int high = bench.run("partition=other", "exclusive", "time=60");
    Job left = bench.job(low);
    assertThat(left.state()).isEqualTo(JobState.PENDING);
    assertThat(left.reason()).as("its old run is not gone yet").isEqualTo(Reason.NONE);
    assertThat(left.begin()).isEqualTo(bench.now.plusSeconds(121));
    assertThat(bench.effects).contains(new Effect.Terminate("n1", low, 0, 2, "DUE TO PREEMPTION"));
    assertThat(
            Explainer.explain(bench.core.state(), low, bench.now)
                .finding(Gate.BEGIN_TIME)
                .orElseThrow()
                .evidence())
        .isInstanceOfSatisfying(
            Evidence.Preempted.class,
            p -> {
              assertThat(p.by()).isEqualTo(high);
              assertThat(p.mode()).isEqualTo(Preemption.Mode.REQUEUE);
              assertThat(p.at()).isEqualTo(bench.now);
              assertThat(p.until()).isEqualTo(bench.now.plusSeconds(121));
              assertThat(p.why())
                  .isEqualTo(
                      new Preemption.Why(
                          Preemption.Rule.PARTITION,
                          "other",
                          "main",
                          false,
                          1,
                          0,
                          List.of(),
                          null));
            });
    bench.gone(low, 0);
    bench.schedule();
    assertThat(bench.job(high).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void inItsGraceTimeAVictimsScriptIsNotToldAndRunsOnAlsoUnderANewController() {
    Bench bench = bench("CANCEL", "30");
    int low = bench.run("exclusive", "time=60");
    bench.effects.clear();
    bench.run("partition=other", "exclusive", "time=60");
    assertThat(bench.effects).isEmpty();
    assertThat(bench.job(low).state()).isEqualTo(JobState.RUNNING);
    bench.restart();
    bench.pass(29);
    bench.schedule();
    assertThat(bench.job(low).state()).isEqualTo(JobState.RUNNING);
    bench.pass(1);
    assertThat(bench.job(low).state()).isEqualTo(JobState.PREEMPTED);
    assertThat(bench.effects).contains(new Effect.Terminate("n1", low, 0, 2, "DUE TO PREEMPTION"));
  }

  @Test
  void aVictimThatEndsInItsGraceTimeHasSavedItsWorkAndGoesBackToTheQueue() {
    Bench bench = bench("REQUEUE", "30");
    int low = bench.run("exclusive", "time=60");
    int high = bench.run("partition=other", "exclusive", "time=60");
    bench.end(low, 3, 0);
    assertThat(bench.job(low).state()).isEqualTo(JobState.PENDING);
    assertThat(bench.job(low).restarts()).isEqualTo(1);
    bench.gone(low, 0);
    bench.schedule();
    assertThat(bench.job(low).reason()).isEqualTo(Reason.BEGIN_TIME);
    assertThat(bench.job(high).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void aVictimThatMayNotComeBackAndEndsInItsGraceTimeIsPreemptedWhateverItsExitCode() {
    Bench bench = bench("CANCEL", "30");
    int low = bench.run("exclusive", "time=60");
    bench.run("partition=other", "exclusive", "time=60");
    bench.end(low, 3, 0);
    assertThat(bench.job(low).state()).isEqualTo(JobState.PREEMPTED);
    assertThat(bench.job(low).exitCode()).isEqualTo(ExitCode.OK);
  }
}
