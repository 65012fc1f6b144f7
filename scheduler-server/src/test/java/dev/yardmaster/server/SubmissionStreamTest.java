package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.SubmissionStream;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.security.Authenticator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many submissions over one call, through a real connection. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SubmissionStreamTest {
  private final ScriptedController controller = new ScriptedController(Lab.sixNodes().state());
  private TestServer server;
  private SchedulerClient client;

  @BeforeEach
  void serve() throws Exception {
    server = TestServer.of(controller, Authenticator.none());
    client =
        DefaultSchedulerClient.of(
            server.endpoint(), new Credential("alice", 1001, "users", 100, null));
    controller.answer(
        command -> {
          String name =
              ((Command.Submit) command).submission().options().getOrDefault("job-name", "");
          return name.startsWith("bad")
              ? new Reply.Refused(SlurmError.INVALID_PARTITION_NAME, null)
              : new Reply.Submitted(Integer.parseInt(name), List.of("of " + name));
        });
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private static JobSubmission named(String name) {
    return new JobSubmission(
        Immutable.sortedMap(Map.of("job-name", name)),
        "#!/bin/sh\n",
        List.of(),
        Immutable.sortedMap(Map.of("PATH", "/usr/bin")),
        "job.sh",
        "sbatch job.sh",
        "/tmp",
        "localhost");
  }

  @Test
  void eachSubmissionGetsItsOwnAnswerThoughNoneWaitsForAnother() throws Exception {
    List<CompletableFuture<SchedulerClient.Submitted>> answers = new ArrayList<>();
    try (SubmissionStream stream = client.submissions()) {
      for (int i = 1; i <= 5_000; i++) {
        answers.add(stream.submit(named(Integer.toString(i))));
      }
      for (int i = 1; i <= 5_000; i++) {
        SchedulerClient.Submitted answer = answers.get(i - 1).get();
        assertThat(answer.jobId()).isEqualTo(i);
        assertThat(answer.notices()).containsExactly("of " + i);
      }
    }
    assertThat(controller.taken())
        .hasSize(5_000)
        .allMatch(c -> c instanceof Command.Submit s && s.by().user().equals("alice"));
  }

  @Test
  void aRefusedOneFailsAloneWithSlurmsError() throws Exception {
    try (SubmissionStream stream = client.submissions()) {
      CompletableFuture<SchedulerClient.Submitted> first = stream.submit(named("1"));
      CompletableFuture<SchedulerClient.Submitted> bad = stream.submit(named("bad"));
      CompletableFuture<SchedulerClient.Submitted> last = stream.submit(named("2"));
      assertThat(first.get().jobId()).isEqualTo(1);
      assertThat(last.get().jobId()).isEqualTo(2);
      assertThatThrownBy(bad::get)
          .hasCauseInstanceOf(ClientException.Refused.class)
          .hasMessageContaining(SlurmError.INVALID_PARTITION_NAME.text());
    }
  }

  @Test
  void whatHasNoAnswerWhenTheServerEndsFails() throws Exception {
    try (SubmissionStream stream = client.submissions()) {
      assertThat(stream.submit(named("1")).get().jobId()).isEqualTo(1);
      server.close();
      CompletableFuture<SchedulerClient.Submitted> late = stream.submit(named("2"));
      assertThatThrownBy(late::get).hasCauseInstanceOf(ClientException.class);
    }
  }

  @Test
  void whatWasSentIsAnsweredAfterTheCallIsClosed() throws Exception {
    SubmissionStream stream = client.submissions();
    CompletableFuture<SchedulerClient.Submitted> sent = stream.submit(named("7"));
    stream.close();
    assertThat(sent.get().jobId()).isEqualTo(7);
    CompletableFuture<SchedulerClient.Submitted> late = stream.submit(named("8"));
    assertThatThrownBy(late::get).hasCauseInstanceOf(ClientException.class);
  }
}
