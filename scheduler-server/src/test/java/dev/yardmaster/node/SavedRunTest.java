package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Preemption by QOS of a job that saves its work, with a real node daemon. */
class SavedRunTest {
  private static final Identity ROOT = new Identity("root", 0, "root", 0);

  private static final ClusterConfig CONFIG =
      TestCluster.config(
          1,
          Map.of(
              "KillWait", "1",
              "MessageTimeout", "1",
              "ReturnToService", "2",
              "AuthInfo", "cred_expire=0",
              "PreemptType", "preempt/qos",
              "PreemptMode", "REQUEUE",
              "PreemptParameters", "send_user_signal"));

  @TempDir Path directory;
  private DaemonLab lab;

  @BeforeEach
  void start() throws Exception {
    lab = new DaemonLab(CONFIG, directory);
    for (String line :
        List.of(
            "add qos low",
            "add qos high",
            "modify qos high set Preempt=low",
            "modify qos low set GraceTime=60")) {
      lab.handle(new Command.ChangeAccounting(ROOT, List.of(line.split(" ")), false));
    }
  }

  @AfterEach
  void stop() {
    lab.close();
  }

  @Test
  void aJobSavesItsWorkLeavesBeforeItsTimeIsOverAndGoesOnWhereItWas() throws Exception {
    int low =
        lab.submit(
            """
            [ -e saved ] && { echo $SLURM_RESTART_COUNT > resumed; exit 0; }
            trap 'touch saved; exit 1' USR1
            touch ready
            while :; do sleep 0.05; done
            """,
            "qos=low",
            "signal=B:USR1@30",
            "exclusive");
    lab.awaitFile("ready");
    int high = lab.submit("[ -e saved ]", "qos=high", "exclusive");
    assertThat(lab.awaitEnd(high).state()).isEqualTo(JobState.COMPLETED);
    Job resumed = lab.awaitEnd(low);
    assertThat(resumed.state()).isEqualTo(JobState.COMPLETED);
    assertThat(resumed.restarts()).isEqualTo(1);
    assertThat(Files.readString(directory.resolve("resumed"))).isEqualTo("1\n");
  }
}
