package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.security.AuditLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who, from where, when, what, before, after, reason. */
class AuditorTest {
  private static final Identity ANA = new Identity("ana", 1001, "users", 100);

  @TempDir private Path folder;

  @Test
  void aChangeIsWrittenDownBeforeItIsAnswered() throws Exception {
    Lab lab = Lab.sixNodes();
    lab.submit(JobSpec.job("first").nodes(4));
    ClusterState before = lab.state();
    Job job = before.jobs().values().iterator().next();
    ClusterState after = before.withChanged(job.with(j -> j.nice(7).comment("later")));
    Command update =
        new Command.UpdateJob(
            ANA,
            Integer.toString(job.id()),
            Immutable.sortedMap(new TreeMap<>(Map.of("nice", "7", "comment", "later"))));
    CountDownLatch answered = new CountDownLatch(2);
    try (Auditor auditor = Auditor.in(folder, () -> Instant.parse("2026-12-01T10:00:00Z"))) {
      assertThat(auditor.takes(update)).isTrue();
      auditor.note(
          update,
          ANA,
          "/10.0.0.7:99",
          AuditedState.of(update, before),
          after,
          new Reply.Done(List.of()),
          answered::countDown);
      auditor.note(
          new Command.Reconfigure(ANA),
          ANA,
          "local socket of ana",
          Map.of(),
          ClusterState.initial(before.config(), before.time()),
          new Reply.Refused(SlurmError.ACCESS_DENIED, null),
          answered::countDown);
      answered.await();
    }
    List<String> lines = Files.readAllLines(folder.resolve(AuditLog.FILE_NAME));
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst())
        .startsWith(
            "{\"time\":\"2026-12-01T10:00:00Z\",\"user\":\"ana\",\"uid\":1001,"
                + "\"from\":\"/10.0.0.7:99\","
                + "\"what\":\"UpdateJob jobs=1 fields={comment=later, nice=7}\","
                + "\"before\":\"job 1: comment=, nice=0\","
                + "\"after\":\"job 1: comment=later, nice=7\","
                + "\"reason\":\"later\",\"answer\":\"done\",");
    assertThat(lines.getLast()).contains("\"answer\":\"ACCESS_DENIED\"");
    assertThat(AuditLog.verify(folder.resolve(AuditLog.FILE_NAME), null).problem()).isNull();
  }

  @Test
  void whatTheDiskHadNoRoomForIsWrittenOnceThereIsRoom() throws Exception {
    Path disk = Files.createDirectory(folder.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.toString()) == 0,
        "no small disk can be mounted here, so a full one is not tested");
    try {
      Path filler = disk.resolve("filler");
      try (Auditor auditor = Auditor.in(disk, InstantSource.system())) {
        note(auditor, 1);
        try (OutputStream out = Files.newOutputStream(filler)) {
          assertThatThrownBy(
                  () -> {
                    while (true) {
                      out.write(new byte[512]);
                    }
                  })
              .hasMessageContaining("space");
        }
        note(auditor, 40);
        assertThat(Files.readAllLines(disk.resolve(AuditLog.FILE_NAME))).hasSizeLessThan(41);
        Files.delete(filler);
        note(auditor, 1);
        assertThat(Files.readAllLines(disk.resolve(AuditLog.FILE_NAME))).hasSize(42);
        assertThat(AuditLog.verify(disk.resolve(AuditLog.FILE_NAME), null).problem()).isNull();
      }
    } finally {
      run("umount", disk.toString());
    }
  }

  private static void note(Auditor auditor, int times) throws InterruptedException {
    CountDownLatch answered = new CountDownLatch(times);
    ClusterState state = Lab.sixNodes().state();
    for (int i = 0; i < times; i++) {
      auditor.note(
          new Command.Reconfigure(ANA),
          ANA,
          "local socket of ana",
          Map.of(),
          state,
          new Reply.Done(List.of()),
          answered::countDown);
    }
    answered.await();
  }

  private static int run(String... line) throws IOException, InterruptedException {
    return new ProcessBuilder(line)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
