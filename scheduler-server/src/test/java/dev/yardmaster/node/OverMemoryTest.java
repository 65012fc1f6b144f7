package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that is held against its limit by looking at it (OverMemoryKill), with real processes. */
class OverMemoryTest {
  /** A hundred MiB in a variable of awk, and time to be seen. */
  private static final String EAT =
      "exec awk 'BEGIN { x = \"0123456789abcdef\"; while (length(x) < 104857600) x = x x;"
          + " system(\"sleep 60\") }'";

  private static Map<String, String> settings(String parameters) {
    return Map.of(
        "KillWait", "1",
        "ReturnToService", "2",
        "SelectTypeParameters", "CR_Core_Memory",
        "JobAcctGatherType", "jobacct_gather/linux",
        "JobAcctGatherFrequency", "task=1",
        "JobAcctGatherParams", parameters);
  }

  @Test
  void aScriptThatTakesMoreThanItsMemoryIsKilledAndOneThatDoesNotGoesOn(@TempDir Path directory)
      throws Exception {
    try (DaemonLab lab =
        new DaemonLab(TestCluster.config(1, settings("OverMemoryKill")), directory)) {
      int eats = lab.submit(EAT, "mem=50", "output=eats.out");
      int fits = lab.submit(EAT.replace("sleep 60", "sleep 4"), "mem=2000");
      Job job = lab.await(eats, j -> j.state().isFinished());
      assertThat(job.state()).isEqualTo(JobState.FAILED);
      assertThat(job.exitCode()).isEqualTo(new ExitCode(0, Processes.SIGKILL));
      assertThat(job.reason()).isEqualTo(Reason.RAISED_SIGNAL);
      assertThat(Files.readString(directory.resolve("eats.out")))
          .contains("error: StepId=" + eats + ".batch exceeded memory limit (")
          .contains(" > 52428800), being killed\n")
          .contains("error: Exceeded job memory limit\n");
      assertThat(lab.await(fits, j -> j.state().isFinished()).state())
          .isEqualTo(JobState.COMPLETED);
    }
  }

  @Test
  void withoutItMemoryIsNotHeldAgainstAnythingAndTheNodeSaysSo(@TempDir Path directory) {
    var none = TestCluster.config(1, settings("UsePss"));
    assertThat(NodeSettings.of(none, directory).unenforcedMemory(none))
        .startsWith("memory limits of jobs are not enforced: ");
    var kills = TestCluster.config(1, settings("NoShared,OverMemoryKill"));
    NodeSettings settings = NodeSettings.of(kills, directory);
    assertThat(settings.unenforcedMemory(kills)).isNull();
    assertThat(settings.memory()).isEqualTo(new MemoryRule(true, false, true));
  }

  @Test
  void pagesThatAreSharedCountAsTheParametersSay() {
    var me = java.util.List.of((int) ProcessHandle.current().pid());
    long resident = new MemoryRule(true, false, false).used(me);
    assertThat(resident).isGreaterThan(10 << 20);
    assertThat(new MemoryRule(true, false, true).used(me)).isBetween(1L, resident);
    assertThat(new MemoryRule(true, true, false).used(me)).isPositive();
    assertThat(new MemoryRule(true, false, false).used(java.util.List.of(Integer.MAX_VALUE)))
        .isZero();
  }
}
