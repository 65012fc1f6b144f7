package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.yardmaster.api.Headers;
import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.JobHistory;
import dev.yardmaster.explain.Verdict;
import dev.yardmaster.history.Past;
import dev.yardmaster.model.JobState;
import io.grpc.Metadata;
import io.grpc.StatusRuntimeException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions about the past and their answers, for those who may have them. */
class ExplanationsTest {
  @TempDir Path directory;

  private static Explanations of(Past past) {
    return new Explanations(
        past.controller,
        (state, job, now) -> Past.explain(state, job.id(), now),
        past.history,
        () -> Past.NOW);
  }

  /** One that has run and is forgotten (1), and one that waits for what runs (3). */
  private Past past(String... settings) {
    return Past.of(
        directory,
        present -> {
          if (settings.length > 0) {
            present.config =
                TestCluster.config(6, Map.of("MinJobAge", "600", settings[0], settings[1]));
          }
          present.command(new Command.Reconfigure(TestCluster.ROOT));
          present.submit(TestCluster.BOB, 60, "nodes=1", "time=5");
          present.pass(3 * 3600);
          present.submit(TestCluster.BOB, 7200, "nodes=6", "exclusive", "time=120");
          present.pass(60);
          present.submit(TestCluster.ALICE, 60, "nodes=2", "time=5");
          present.pass(60);
        });
  }

  private static String refusal(ThrowingCallable call) {
    StatusRuntimeException e = catchThrowableOfType(StatusRuntimeException.class, call);
    Metadata trailers = Objects.requireNonNull(e.getTrailers());
    byte[] detail = Objects.requireNonNull(trailers.get(Headers.ERROR_DETAIL));
    return new String(detail, StandardCharsets.UTF_8);
  }

  @Test
  void thePresentNamesItsMomentAndIsTheSameWhenAskedAgain() {
    try (Past past = past()) {
      Explanations told = of(past);
      Explanation now = told.explain("3", null, 0, TestCluster.ROOT);
      assertThat(now.verdict()).isEqualTo(Verdict.SOON);
      assertThat(now.moment()).isPositive();
      assertThat(told.explain("3", now.at(), now.moment(), TestCluster.ROOT)).isEqualTo(now);
    }
  }

  @Test
  void aJobThatTheControllerHasForgottenIsToldAsItWasLast() {
    try (Past past = past()) {
      assertThat(past.controller.state().job(1)).isNull();
      Explanation last = of(past).explain("1", null, 0, TestCluster.ROOT);
      assertThat(last.verdict()).isEqualTo(Verdict.FINISHED);
      assertThat(Objects.requireNonNull(Objects.requireNonNull(last.run()).ended()).state())
          .isEqualTo(JobState.COMPLETED);
      assertThat(of(past).explain("1", Past.NOW.minusSeconds(60), 0, TestCluster.ROOT))
          .as("after it was forgotten")
          .isEqualTo(last);
    }
  }

  @Test
  void whatCannotBeToldIsRefusedInALine() {
    try (Past past = past()) {
      Explanations told = of(past);
      Instant before = Past.BEGIN.plusSeconds(600);
      assertThat(refusal(() -> told.explain("3", before, 0, TestCluster.ROOT)))
          .startsWith("job 3 was submitted 2026-12-01T11:01:")
          .endsWith("there was none at 2026-12-01T08:10:00");
      assertThat(refusal(() -> told.explain("3", Past.NOW.plusSeconds(60), 0, TestCluster.ROOT)))
          .isEqualTo("2026-12-01T12:01:00 lies ahead; a moment of the past can be explained");
      assertThat(refusal(() -> told.explain("77", before, 0, TestCluster.ROOT))).isEqualTo("77");
      assertThat(refusal(() -> told.history("77", TestCluster.ROOT))).isEqualTo("77");
      assertThat(refusal(() -> told.explain("0", null, 0, TestCluster.ROOT))).isEqualTo("0");
    }
  }

  @Test
  void thePastHidesWhatThePresentHides() {
    try (Past past = past("PrivateData", "jobs")) {
      Explanations told = of(past);
      Instant then = Past.NOW.minusSeconds(1800);
      assertThat(refusal(() -> told.explain("2", then, 0, TestCluster.ALICE))).isEqualTo("2");
      assertThat(refusal(() -> told.explain("1", null, 0, TestCluster.ALICE))).isEqualTo("1");
      assertThat(refusal(() -> told.history("2", TestCluster.ALICE))).isEqualTo("2");
      Explanation own = told.explain("3", then, 0, TestCluster.ALICE);
      assertThat(own.blockers()).isNotEmpty().allMatch(b -> b.name().isEmpty());
      assertThat(told.explain("3", then, 0, TestCluster.ROOT).blockers())
          .allMatch(b -> b.name().equals("2"));
      JobHistory history = told.history("3", TestCluster.ALICE);
      assertThat(history.stages()).isNotEmpty();
    }
  }
}
