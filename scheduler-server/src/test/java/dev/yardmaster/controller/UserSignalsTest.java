package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UserSignalsTest {
  private static final int USR1 = 10;
  private static final int SIGCONT = 18;

  @Test
  void theScriptGetsItsSignalOnceSoLongBeforeTheLimit() {
    Bench bench = new Bench(TestCluster.config(1, Map.of()));
    bench.register("n1");
    int id = bench.run("time=2", "signal=B:USR1@50");
    bench.effects.clear();
    bench.pass(69);
    assertThat(bench.effects).isEmpty();
    bench.pass(1);
    bench.pass(1);
    assertThat(bench.effects)
        .containsExactly(
            new Effect.Signal("n1", id, 0, SIGCONT, true),
            new Effect.Signal("n1", id, 0, USR1, true));
  }

  @Test
  void withoutSecondsItComesAMinuteBeforeAndFollowsAChangedLimit() {
    Bench bench = new Bench(TestCluster.config(1, Map.of()));
    bench.register("n1");
    int id = bench.run("time=10", "signal=B:10");
    bench.update(TestCluster.ALICE, id, "timelimit=3");
    bench.effects.clear();
    bench.pass(120);
    assertThat(bench.effects)
        .containsExactly(
            new Effect.Signal("n1", id, 0, SIGCONT, true),
            new Effect.Signal("n1", id, 0, USR1, true));
  }

  @Test
  void aPreemptedJobMayGetItInPlaceOfTheUsualOne() {
    var config =
        TestCluster.config(
            1,
            Map.of(
                "PreemptType", "preempt/partition_prio",
                "PreemptMode", "REQUEUE",
                "PreemptParameters", "send_user_signal"));
    List<Partition> partitions =
        config.partitions().stream()
            .map(
                p ->
                    p.isDefault()
                        ? p.withOther(new java.util.TreeMap<>(Map.of("GraceTime", "30")))
                        : p.withPriorityTier(9))
            .toList();
    Bench bench = new Bench(config.withPartitions(partitions));
    bench.register("n1");
    int low = bench.run("exclusive", "time=60", "signal=B:USR1");
    bench.effects.clear();
    bench.run("partition=other", "exclusive", "time=60");
    assertThat(bench.effects)
        .containsExactly(
            new Effect.Signal("n1", low, 0, SIGCONT, true),
            new Effect.Signal("n1", low, 0, USR1, true));
  }

  @Test
  void withoutGraceTimeAPreemptedJobGetsItsSignalBeforeItIsEnded() {
    var config =
        TestCluster.config(
            1,
            Map.of(
                "PreemptType", "preempt/partition_prio",
                "PreemptMode", "REQUEUE",
                "SlurmctldParameters", "preempt_send_user_signal"));
    List<Partition> partitions =
        config.partitions().stream().map(p -> p.isDefault() ? p : p.withPriorityTier(9)).toList();
    Bench bench = new Bench(config.withPartitions(partitions));
    bench.register("n1");
    int low = bench.run("exclusive", "time=60", "signal=B:USR1");
    bench.effects.clear();
    bench.run("partition=other", "exclusive", "time=60");
    assertThat(bench.effects)
        .startsWith(
            new Effect.Signal("n1", low, 0, SIGCONT, true),
            new Effect.Signal("n1", low, 0, USR1, true))
        .contains(new Effect.Terminate("n1", low, 0, 2, "DUE TO PREEMPTION"));
  }

  @Test
  void aJobMayRunOverItsLimitForAsLongAsTheSiteLetsIt() {
    Bench bench = new Bench(TestCluster.config(1, Map.of("OverTimeLimit", "2")));
    bench.register("n1");
    int id = bench.run("time=1");
    bench.pass(179);
    assertThat(bench.job(id).state()).isEqualTo(JobState.RUNNING);
    bench.pass(1);
    assertThat(bench.job(id).state()).isEqualTo(JobState.TIMEOUT);
  }

  @Test
  void aJobSaysWhetherItEndsWhenItsDependencyCanNeverBeMet() {
    Bench bench = new Bench(TestCluster.config(1, Map.of()));
    bench.register("n1");
    int bad = bench.run("time=1");
    bench.end(bad, 1, 0);
    bench.gone(bad, 0);
    int ends = bench.submit("time=1", "dependency=afterok:" + bad, "kill-on-invalid-dep=yes");
    int stays = bench.submit("time=1", "dependency=afterok:" + bad);
    bench.schedule();
    bench.schedule();
    assertThat(bench.job(ends).state()).isEqualTo(JobState.CANCELLED);
    assertThat(bench.job(stays).state()).isEqualTo(JobState.PENDING);
  }
}
