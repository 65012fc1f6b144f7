package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.StepProgram;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Settings and limits of steps that scontrol changes while the controller runs. */
class SettingCommandsTest {
  private final Bench bench = Bench.ready(Map.of("SuspendExcNodes", "n[1-2]"));

  private Reply set(String name, String value) {
    return bench.handle(
        new Command.Reconfigure(TestCluster.ROOT, Immutable.sortedMap(Map.of(name, value))));
  }

  private String setting(String key) {
    return bench.core.state().config().setting(key).orElse("");
  }

  @Test
  void aSettingHoldsUntilTheConfigurationIsReadAgain() {
    assertThat(set("slurmctlddebug", "debug2")).isInstanceOf(Reply.Done.class);
    set("debugflags", "+backfill,+Steps");
    set("debugflags", "-BACKFILL");
    assertThat(setting("SlurmctldDebug")).isEqualTo("debug2");
    assertThat(setting("DebugFlags")).isEqualTo("Steps");
    bench.handle(new Command.Reconfigure(TestCluster.ROOT));
    assertThat(setting("SlurmctldDebug")).isEmpty();
    assertThat(setting("DebugFlags")).isEmpty();
  }

  @Test
  void nodesAreAddedToTheListOfThoseThatStayAwakeAndTakenFromIt() {
    set("suspendexcnodes", "+n5");
    assertThat(setting("SuspendExcNodes")).isEqualTo("n[1-2,5]");
    set("suspendexcnodes", "-n[1-2]");
    assertThat(setting("SuspendExcNodes")).isEqualTo("n5");
    set("suspendexcnodes", "n3");
    assertThat(setting("SuspendExcNodes")).isEqualTo("n3");
    set("suspendexcparts", "+main");
    set("suspendexcparts", "+main");
    assertThat(setting("SuspendExcParts")).isEqualTo("main");
  }

  @Test
  void whatIsNoSuchSettingIsRefusedAndOthersMayChangeNothing() {
    assertThat(Bench.error(set("schedulertype", "x"))).isEqualTo(SlurmError.NOT_SUPPORTED);
    assertThat(
            Bench.error(
                bench.handle(
                    new Command.Reconfigure(
                        TestCluster.ALICE,
                        Immutable.sortedMap(Map.of("slurmctlddebug", "debug"))))))
        .isEqualTo(SlurmError.INVALID_USER_ID);
    assertThat(setting("SlurmctldDebug")).isEmpty();
  }

  private JobStep step(int job, String time) {
    Map<String, String> options = time.isEmpty() ? Map.of() : Map.of("time", time);
    Reply reply =
        bench.handle(
            new Command.CreateStep(
                TestCluster.ALICE,
                Integer.toString(job),
                Immutable.sortedMap(options),
                new StepProgram(
                    List.of("sleep", "9"), Immutable.sortedMap(), "/", "vm", 1, "key")));
    assertThat(reply).isInstanceOf(Reply.StepStarted.class);
    return ((Reply.StepStarted) reply).step();
  }

  private Reply limit(int job, String step, String minutes) {
    return bench.handle(
        new Command.UpdateJob(
            TestCluster.ALICE,
            job + step,
            Immutable.sortedMap(Map.of("stepid", job + step, "timelimit", minutes))));
  }

  @Test
  void aStepThatHasRunForItsLimitIsEndedOnceAndTheLimitCanBeChanged() {
    int job = bench.run("time=60");
    step(job, "1");
    bench.pass(59);
    bench.effects.clear();
    assertThat(limit(job, ".0", "3")).isInstanceOf(Reply.Done.class);
    bench.pass(60);
    assertThat(bench.effects).noneMatch(e -> e instanceof Effect.SignalStep);
    bench.pass(61);
    bench.pass(5);
    assertThat(bench.effects.stream().filter(e -> e instanceof Effect.SignalStep).toList())
        .singleElement()
        .isEqualTo(new Effect.SignalStep("n1", job, 0, 0, 15, 2));
    assertThat(limit(job, "", "4")).isInstanceOf(Reply.Done.class);
    assertThat(Bench.error(limit(job, ".7", "4"))).isEqualTo(SlurmError.INVALID_JOB_ID);
    assertThat(Bench.error(limit(99, ".0", "4"))).isEqualTo(SlurmError.INVALID_JOB_ID);
  }
}
