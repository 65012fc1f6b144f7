package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
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
}
