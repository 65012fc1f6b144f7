package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.SlurmError;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Nodes that are powered down and woken (slurm.conf(5), SuspendTime). */
class PowerSavingTest {
  private static final Identity ROOT = TestCluster.ROOT;
  private static final Map<String, String> PROGRAMS =
      Map.of(
          "SuspendProgram", "/sbin/off",
          "ResumeProgram", "/sbin/on",
          "SuspendTimeout", "5",
          "ResumeTimeout", "60");

  private static Bench saving(String... more) {
    Map<String, String> settings = new TreeMap<>(PROGRAMS);
    for (String setting : more) {
      settings.put(setting.replaceFirst("=.*", ""), setting.replaceFirst("[^=]*=", ""));
    }
    return Bench.ready(settings);
  }

  private static NodeStatus status(Bench lab, String node) {
    return lab.node(node).status();
  }

  private static void boot(Bench lab, String node) {
    NodeSpec spec = lab.node(node).spec();
    lab.handle(
        new Command.NodeRegistered(
            node,
            spec.cpus(),
            spec.sockets(),
            spec.coresPerSocket(),
            spec.threadsPerCore(),
            spec.realMemoryMib(),
            spec.tmpDiskMib(),
            Immutable.sortedMap(Map.of("gpu", 8L)),
            lab.now,
            "0.1",
            List.of()));
  }

  private static void wait(Bench lab, int seconds) {
    for (int i = 0; i < seconds; i++) {
      lab.pass(1);
    }
  }

  @Test
  void aNodeIsPoweredDownWhenAskedAndIdle() {
    Bench lab = saving();
    int job = lab.run("nodelist=n2", "ntasks=1");
    lab.nodes(ROOT, "n1,n2", "state=POWER_DOWN", "reason=night");
    wait(lab, 12);
    assertThat(status(lab, "n1").flags()).containsExactly(NodeFlag.POWERING_DOWN);
    assertThat(status(lab, "n2").flags()).containsExactly(NodeFlag.POWER_DOWN);
    assertThat(lab.effects).contains(new Effect.Power("n1", false, "n1", "/sbin/off"));
    wait(lab, 20);
    assertThat(status(lab, "n1").flags()).containsExactly(NodeFlag.POWERED_DOWN);
    lab.end(job, 0, 0);
    lab.gone(job, 0);
    wait(lab, 30);
    assertThat(status(lab, "n2").flags()).containsExactly(NodeFlag.POWERED_DOWN);
  }

  @Test
  void withoutAProgramItIsRefused() {
    Bench lab = Bench.ready();
    assertThat(Bench.error(lab.nodes(ROOT, "n1", "state=POWER_DOWN")))
        .isEqualTo(SlurmError.INVALID_POWER_ACTION);
    assertThat(Bench.error(lab.nodes(ROOT, "n1", "state=POWER_UP")))
        .isEqualTo(SlurmError.INVALID_POWER_ACTION);
  }

  @Test
  void idleNodesSleepButForThoseThatAreKept() {
    Bench lab = saving("SuspendTime=30", "SuspendExcNodes=n[1-2]:1,n6");
    int job = lab.run("nodelist=n4", "ntasks=1");
    wait(lab, 60);
    assertThat(job).isPositive();
    assertThat(status(lab, "n1").bootsFirst()).as("one of two is kept").isFalse();
    assertThat(status(lab, "n2").has(NodeFlag.POWERED_DOWN)).isTrue();
    assertThat(status(lab, "n3").has(NodeFlag.POWERED_DOWN)).isTrue();
    assertThat(status(lab, "n4").flags()).as("in use").isEmpty();
    assertThat(status(lab, "n6").flags()).isEmpty();
  }

  @Test
  void aJobOnASleepingNodeIsConfiguringUntilThatHasBooted() {
    Bench lab = saving("SuspendTime=30");
    wait(lab, 60);
    int job = lab.run("nodelist=n3", "ntasks=1");
    assertThat(lab.job(job).has(JobFlag.CONFIGURING)).isTrue();
    assertThat(lab.effects).noneMatch(e -> e instanceof Effect.Launch);
    assertThat(
            Words.of(Locale.ENGLISH, ZoneOffset.UTC)
                .answer(Explainer.explain(lab.core.state(), job, lab.now)))
        .contains("runs once these have booted: n3; waking a node may take 1 min");
    wait(lab, 12);
    assertThat(status(lab, "n3").has(NodeFlag.POWERING_UP)).isTrue();
    assertThat(lab.effects).contains(new Effect.Power("n3", true, "n3", "/sbin/on"));
    lab.register("n3");
    assertThat(status(lab, "n3").has(NodeFlag.POWERING_UP))
        .as("a registration of before is not the boot")
        .isTrue();
    boot(lab, "n3");
    assertThat(status(lab, "n3").flags()).isEmpty();
    assertThat(lab.job(job).has(JobFlag.CONFIGURING)).isFalse();
    assertThat(lab.job(job).started()).as("its time counts from now").isEqualTo(lab.now);
    assertThat(lab.effects).anyMatch(e -> e instanceof Effect.Launch);
  }

  @Test
  void aNodeThatDoesNotWakeIsDownAndItsJobGoesBack() {
    Bench lab = saving("SuspendTime=30");
    wait(lab, 60);
    int job = lab.run("nodelist=n3", "ntasks=1");
    wait(lab, 90);
    assertThat(status(lab, "n3").base()).isEqualTo(NodeBaseState.DOWN);
    assertThat(status(lab, "n3").has(NodeFlag.POWERED_DOWN)).isTrue();
    assertThat(status(lab, "n3").reason()).isEqualTo("ResumeTimeout reached");
    assertThat(lab.job(job).state()).isEqualTo(JobState.PENDING);
  }

  @Test
  void aJobThatMayNotGoBackFailsWithANodeThatDoesNotWake() {
    Bench lab = saving("SuspendTime=30");
    wait(lab, 60);
    int job = lab.run("nodelist=n3", "ntasks=1", "no-requeue=");
    wait(lab, 90);
    assertThat(lab.job(job).state()).isEqualTo(JobState.NODE_FAIL);
    assertThat(lab.job(job).has(JobFlag.CONFIGURING)).isFalse();
    wait(lab, 90);
    assertThat(status(lab, "n3").has(NodeFlag.POWERING_UP)).as("woken for nobody").isFalse();
  }

  @Test
  void withRequeueOnResumeFailureItGoesBackAllTheSame() {
    Bench lab =
        saving(
            "SuspendTime=30",
            "SuspendExcNodes=n4",
            "SchedulerParameters=requeue_on_resume_failure");
    wait(lab, 60);
    int waits = lab.run("nodelist=n3", "ntasks=1", "no-requeue=");
    int runs = lab.run("nodelist=n4", "ntasks=1", "no-requeue=");
    wait(lab, 90);
    assertThat(status(lab, "n3").base()).isEqualTo(NodeBaseState.DOWN);
    assertThat(lab.job(waits).state()).isEqualTo(JobState.PENDING);
    assertThat(lab.job(waits).restarts()).isEqualTo(1);
    assertThat(lab.job(runs).state()).isEqualTo(JobState.RUNNING);
    lab.nodes(ROOT, "n4", "state=DOWN", "reason=broken");
    assertThat(lab.job(runs).state()).as("it ran already").isEqualTo(JobState.NODE_FAIL);
  }

  @Test
  void nodesThatAreAwakeComeFirst() {
    Bench lab = saving("SuspendTime=30", "SuspendExcNodes=n5");
    wait(lab, 60);
    int job = lab.run("ntasks=1");
    assertThat(lab.host(job)).isEqualTo("n5");
    assertThat(lab.job(job).has(JobFlag.CONFIGURING)).isFalse();
  }

  @Test
  void toPowerDownByForceEndsWhatRuns() {
    Bench lab = saving();
    int job = lab.run("nodelist=n2", "ntasks=1");
    lab.nodes(ROOT, "n2", "state=POWER_DOWN_FORCE");
    assertThat(lab.job(job).state()).isEqualTo(JobState.PENDING);
  }
}
