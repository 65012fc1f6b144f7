package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** WaitTime and KillOnBadExit: when srun ends the tasks that are left. */
class StepEndsTest extends StepsLab {
  @Test
  void withWaitTimeTheOthersAreKilledSomeTimeAfterTheFirstUnlessAnOptionSaysOtherwise()
      throws Exception {
    configured("WaitTime", "1");
    String command = "[ $SLURM_PROCID = 0 ] || { [ $SLURM_PROCID = 1 ] && exit 3; exec sleep 60; }";
    Said said = run("srun", "-n3", "sh", "-c", command);
    assertThat(said.exitCode()).isEqualTo(137);
    assertThat(said.err().lines().map(l -> l.replaceAll("StepId=\\S+", "StepId")))
        .containsExactly(
            "srun: error: n1: task 1: Exited with exit code 3",
            "srun: First task exited 1s ago",
            "srun: StepId task 2: running",
            "srun: StepId task 1: exited abnormally",
            "srun: StepId task 0: exited",
            "srun: Terminating StepId",
            "srun: Job step aborted: Waiting up to 3 seconds for job step to finish.",
            "srun: error: n1: task 2: Killed");
    Said kept = run("srun", "-n2", "-W0", "sh", "-c", "sleep $((SLURM_PROCID * 2))");
    assertThat(kept.exitCode()).isZero();
    assertThat(kept.err()).isEmpty();
  }

  @Test
  void withKillOnBadExitTheOthersEndWithTheFirstThatFailsUnlessAnOptionSaysOtherwise()
      throws Exception {
    configured("KillOnBadExit", "1", "KillWait", "4");
    String command = "[ $SLURM_PROCID = 1 ] && exit 3; exec sleep 2";
    Said said = run("srun", "-n3", "sh", "-c", command);
    assertThat(said.exitCode()).isEqualTo(143);
    assertThat(said.err().lines().map(l -> l.replaceAll("StepId=\\S+", "StepId")))
        .containsExactly(
            "srun: error: n1: task 1: Exited with exit code 3",
            "srun: Terminating StepId",
            "srun: error: n1: tasks 0,2: Terminated",
            "srun: Force Terminated StepId");
    Said kept = run("srun", "-n2", "-K0", "sh", "-c", command);
    assertThat(kept.exitCode()).isEqualTo(3);
    Said stubborn =
        run(
            "srun",
            "-n2",
            "sh",
            "-c",
            "trap '' TERM; if [ $SLURM_PROCID = 0 ]; then touch deaf; exec sleep 60; fi;"
                + " while [ ! -e deaf ]; do sleep 0.05; done; exit 3");
    assertThat(stubborn.exitCode()).isEqualTo(137);
    assertThat(stubborn.err()).contains("srun: error: n1: task 0: Killed");
  }

  @Test
  void aStepThatTakesMoreMemoryThanTheJobHasIsKilledByItself() throws Exception {
    configured(
        "SelectTypeParameters", "CR_Core_Memory",
        "JobAcctGatherFrequency", "1",
        "JobAcctGatherType", "jobacct_gather/linux",
        "JobAcctGatherParams", "OverMemoryKill");
    String eat = "BEGIN { x = \"0123456789abcdef\"; while (length(x) < 104857600) x = x x;";
    Said said = run("srun", "--mem=50", "awk", eat + " system(\"sleep 60\") }");
    assertThat(said.exitCode()).isEqualTo(137);
    assertThat(said.err())
        .contains("exceeded memory limit (", "Exceeded job memory limit")
        .contains("srun: error: n1: task 0: Killed");
  }
}
