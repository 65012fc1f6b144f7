package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeBaseState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Training that goes on after a node is lost, as torchrun does with a checkpoint. */
class ElasticTest {
  /** Counts to five in a file, and at three in its first run waits for the node to go. */
  private static final String TRAINING =
      """
      step=$(cat checkpoint 2>/dev/null || echo 0)
      while [ "$step" -lt 5 ]; do
        step=$((step + 1))
        echo "$step" > checkpoint.new && mv checkpoint.new checkpoint
        echo "run $SLURM_RESTART_COUNT on $SLURM_JOB_NODELIST: step $step"
        if [ "$step" = 3 ] && [ "$SLURM_RESTART_COUNT" = 0 ]; then
          touch waiting
          sleep 300
        fi
      done
      """;

  @TempDir Path directory;

  @Test
  void aJobThatLosesANodeWaitsAgainAndContinuesFromItsCheckpoint() throws Exception {
    Map<String, String> settings = Map.of("KillWait", "1", "ReturnToService", "0");
    try (DaemonLab lab = new DaemonLab(TestCluster.config(3, settings), directory)) {
      int id = lab.submit(TRAINING, "nodes=2", "gpus-per-node=8", "requeue=", "open-mode=append");
      lab.awaitFile("waiting");
      String nodes =
          Objects.requireNonNull(
                  Objects.requireNonNull(lab.controller().state().job(id)).allocation())
              .nodes()
              .toString();
      assertThat(nodes).isEqualTo("n[1-2]");
      Reply down =
          lab.handle(
              new Command.UpdateNodes(
                  TestCluster.ROOT,
                  "n2",
                  new TreeMap<>(Map.of("state", "down", "reason", "power supply"))));
      assertThat(down).isInstanceOf(Reply.Done.class);
      Job again = lab.await(id, j -> j.restarts() == 1);
      assertThat(again.state().isFinished()).isFalse();
      assertThat(lab.awaitNode("n2", n -> true).status().base()).isEqualTo(NodeBaseState.DOWN);
      // Slurm lets a job that was requeued wait for two minutes; nobody has to.
      lab.handle(
          new Command.UpdateJob(
              TestCluster.ROOT, "" + id, new TreeMap<>(Map.of("starttime", "now"))));
      Job over = lab.awaitEnd(id);
      assertThat(over.state()).isEqualTo(JobState.COMPLETED);
      assertThat(Files.readString(directory.resolve("slurm-" + id + ".out")).lines())
          .filteredOn(l -> l.startsWith("run "))
          .containsExactly(
              "run 0 on n[1-2]: step 1",
              "run 0 on n[1-2]: step 2",
              "run 0 on n[1-2]: step 3",
              "run 1 on n[1,3]: step 4",
              "run 1 on n[1,3]: step 5");
    }
  }
}
