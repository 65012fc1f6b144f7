package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Effect;
import dev.yardmaster.controller.NodeLink;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a daemon of root does for another user; the user is nobody, whom every machine has. */
class UserSwitchTest {
  private static final int NOBODY = 65_534;

  private final BlockingQueue<Command.ScriptEnded> ends = new LinkedBlockingQueue<>();
  private Path directory;
  private NodeDaemon daemon;

  @BeforeEach
  void start() throws IOException {
    assumeTrue(new Users().ownUid() == 0, "only root can switch users");
    assumeTrue(new Users().refusal("nobody", NOBODY) == null, "the user nobody is needed");
    directory = Files.createTempDirectory(Path.of("/tmp"), "switch");
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path work = Files.createDirectory(directory.resolve("work"));
    Files.setPosixFilePermissions(work, PosixFilePermissions.fromString("rwxrwxrwx"));
    daemon =
        new NodeDaemon(
            new NodeDaemon.Setup(
                TestCluster.config().nodes().getFirst(),
                "lab",
                directory.resolve("spool"),
                false,
                "0.1"));
    daemon.connected(
        command -> {
          if (command instanceof Command.ScriptEnded end) {
            ends.add(end);
          }
          return CompletableFuture.completedFuture(new Reply.Done(List.of()));
        });
  }

  @AfterEach
  void stop() throws IOException {
    if (daemon != null) {
      daemon.close();
      Leftovers.clear(directory);
      Files.delete(directory);
    }
  }

  private Command.ScriptEnded run(int id, String output, String script) throws Exception {
    JobOwner owner = new JobOwner("nobody", NOBODY, "nogroup", NOBODY, "", "", "");
    Job job = Jobs.running(id, owner, directory.resolve("work").toString());
    Job withOutput = job.withBatch(job.batch().withStdoutPattern(output));
    JobScript text =
        new JobScript(
            "#!/bin/sh\n" + script + "\n",
            List.of(),
            Immutable.sortedMap(
                Map.of("PATH", "/usr/bin:/bin", "SECRET", "s3cret", "LD_PRELOAD", "/x.so")));
    daemon.send(new NodeLink.Outgoing(new Effect.Launch("n1", withOutput), text));
    Command.ScriptEnded end = ends.poll(20, TimeUnit.SECONDS);
    assertThat(end).isNotNull();
    return end;
  }

  @Test
  void aJobRunsAsItsUserWithItsGroups() throws Exception {
    assertThat(run(1, "out", "id -u; id -g; id -G; umask; cat $0 | head -1").exitCode())
        .isEqualTo(ExitCode.OK);
    assertThat(Files.readAllLines(directory.resolve("work/out")))
        .containsSubsequence("65534", "65534", "65534", "0022", "#!/bin/sh");
    assertThat(Files.getAttribute(directory.resolve("work/out"), "unix:uid")).isEqualTo(NOBODY);
  }

  @Test
  void outputThroughALinkIsOpenedWithTheRightsOfTheUser() throws Exception {
    Path secret = directory.resolve("root-only");
    Files.writeString(secret, "kept");
    Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
    Files.createSymbolicLink(directory.resolve("work/job.out"), secret);
    assertThat(run(2, "job.out", "echo taken").exitCode()).isEqualTo(new ExitCode(0, 53));
    assertThat(Files.readString(secret)).isEqualTo("kept");
  }

  @Test
  void nobodyElseReadsTheEnvironmentOfAJob() throws Exception {
    run(3, "out", "sleep 0.2");
    for (String file : List.of("launch", "slurm_script")) {
      assertThat(Files.getPosixFilePermissions(directory.resolve("spool/3.0/" + file)))
          .noneMatch(p -> p.name().startsWith("OTHERS") || p.name().startsWith("GROUP"));
    }
  }
}
