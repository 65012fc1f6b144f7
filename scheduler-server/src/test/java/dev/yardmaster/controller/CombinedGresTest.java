package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.SlurmError;
import java.util.List;
import org.junit.jupiter.api.Test;

/** GPUs that are asked for in two ways, as a real Slurm placed them. */
class CombinedGresTest {
  private final Bench bench = Bench.ready();

  private JobRequest asked(String... options) {
    return bench.job(bench.submit(options)).request();
  }

  private static void holds(JobRequest request, int nodes, GresRequest.Scope scope, long count) {
    assertThat(request.minNodes()).isEqualTo(nodes);
    List<GresRequest> gres = request.gres();
    assertThat(gres).hasSize(1);
    assertThat(gres.getFirst().scope()).isEqualTo(scope);
    assertThat(gres.getFirst().count()).isEqualTo(count);
  }

  @Test
  void overTheJobAndPerNode() {
    holds(asked("hold", "gpus=4", "gpus-per-node=2"), 2, GresRequest.Scope.NODE, 2);
    holds(asked("hold", "gpus=4", "gres=gpu:2"), 2, GresRequest.Scope.NODE, 2);
  }

  @Test
  void overTheJobAndPerTask() {
    JobRequest request = asked("hold", "gpus=4", "gpus-per-task=2");
    holds(request, 1, GresRequest.Scope.TASK, 2);
    assertThat(request.tasks()).isEqualTo(2);
  }

  @Test
  void perNodeAndPerTask() {
    JobRequest one = asked("hold", "ntasks=2", "gpus-per-node=4", "gpus-per-task=2");
    holds(one, 1, GresRequest.Scope.NODE, 4);
    assertThat(one.tasksPerNode()).isEqualTo(2);
    JobRequest two = asked("hold", "ntasks=4", "gpus-per-node=2", "gpus-per-task=1");
    holds(two, 2, GresRequest.Scope.NODE, 2);
    assertThat(two.tasksPerNode()).isEqualTo(2);
  }

  @Test
  void perSocketAndOtherwise() {
    String sockets = "sockets-per-node=2";
    holds(
        asked("hold", "gpus-per-node=4", "gpus-per-socket=2", sockets),
        1,
        GresRequest.Scope.SOCKET,
        2);
    holds(
        asked("hold", "ntasks=8", "gpus-per-socket=1", sockets, "gpus=4"),
        2,
        GresRequest.Scope.SOCKET,
        1);
    JobRequest tasks = asked("hold", "ntasks=4", "gpus-per-socket=2", "gpus-per-task=1", sockets);
    holds(tasks, 1, GresRequest.Scope.SOCKET, 2);
    assertThat(tasks.tasksPerSocket()).isEqualTo(2);
  }

  @Test
  void whatNoNumberOfNodesMakesIsRefused() {
    Reply refused =
        bench.handle(
            new Command.Submit(
                TestCluster.ALICE,
                TestCluster.submission(
                    "ntasks=4", "gpus-per-socket=2", "sockets-per-node=2", "gpus=2")));
    assertThat(refused)
        .isInstanceOfSatisfying(
            Reply.Refused.class,
            r -> assertThat(r.error()).isEqualTo(SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE));
  }

  /** They are given once: a node of eight GPUs holds two such jobs, and no device twice. */
  @Test
  void noDeviceIsGivenTwice() {
    int job = bench.submit("gpus=4", "gpus-per-node=2");
    bench.schedule();
    Allocation allocation = bench.job(job).allocation();
    assertThat(allocation).isNotNull();
    if (allocation == null) {
      return;
    }
    for (NodeShare share : allocation.shares()) {
      assertThat(share.gres()).hasSize(1);
      assertThat(share.gres().getFirst().count()).isEqualTo(2);
    }
  }
}
