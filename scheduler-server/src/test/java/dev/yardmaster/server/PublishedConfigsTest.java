package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Servers start on files that sites have published, with simulated nodes, and run a job. */
class PublishedConfigsTest {
  private static final Path CONFIGS = Path.of("..", "..", "shared", "data", "configs");
  private static final Identity ROOT = new Identity("root", 0, "root", 0);

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "UCO-HPC--slurm.conf, false, 127",
    "waldur--slurm.conf, false, 4",
    "aws03--slurm_parallelcluster_gpu_partition.conf, true, 15",
    "stackhpc--slurm.conf.ohpc, false, 4"
  })
  void startsAndRunsAJob(String file, boolean fragment, int nodes) throws Exception {
    assumeTrue(Files.isReadable(CONFIGS.resolve(file)), "published files are not here");
    String head = fragment ? "ClusterName=cloud\nSlurmctldHost=localhost\n" : "";
    Files.writeString(
        directory.resolve("slurm.conf"), head + Files.readString(CONFIGS.resolve(file)));
    ServerSetup setup =
        new ServerSetup(directory, directory.resolve("state"), true, null, null, 0, false);
    try (RunningServer server = RunningServer.start(setup, InstantSource.system())) {
      assertThat(server.controller().state().nodes()).hasSize(nodes);
      CompletableFuture<Integer> started = new CompletableFuture<>();
      server.controller().follow(firstStart(started));
      Reply reply =
          server
              .controller()
              .handle(submit(server))
              .toCompletableFuture()
              .get(10, TimeUnit.SECONDS);
      assertThat(reply).isInstanceOf(Reply.Submitted.class);
      assertThat(started.get(20, TimeUnit.SECONDS)).isEqualTo(((Reply.Submitted) reply).jobId());
    }
  }

  private static Controller.Follower firstStart(CompletableFuture<Integer> started) {
    return new Controller.Follower() {
      @Override
      public void start(ClusterState state, long sequence) {
        // Nothing runs yet.
      }

      @Override
      public void next(List<Event> events, ClusterState after, long sequence) {
        for (Event event : events) {
          if (event instanceof Event.JobStarted start) {
            started.complete(start.jobId());
          }
        }
      }
    };
  }

  /** To the first partition, since a file need not name a default one. */
  private static Command submit(RunningServer server) {
    String partition = server.controller().state().config().partitions().getFirst().name();
    return new Command.Submit(
        ROOT,
        new JobSubmission(
            Immutable.sortedMap(Map.of("ntasks", "1", "time", "5", "partition", partition)),
            "#!/bin/sh\ntrue\n",
            List.of(),
            Immutable.sortedMap(),
            "/root/job.sh",
            "sbatch job.sh",
            "/root",
            "localhost"));
  }
}
