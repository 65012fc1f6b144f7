package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.SlurmError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is too long, or too large, is refused with its name, and nothing is changed. */
class LengthsTest {
  private final Bench bench = Bench.ready();

  private Reply account(String... words) {
    return bench.handle(new Command.ChangeAccounting(ROOT, List.of(words), false));
  }

  @ParameterizedTest
  @ValueSource(strings = {"name", "comment", "features", "licenses", "wckey", "partition"})
  void aFieldOfAnUpdateIsNoLongerThanInASubmission(String field) {
    bench.handle(new Command.Submit(ALICE, TestCluster.submission()));
    ClusterState before = bench.core.state();
    var fields = Bench.fields(field + "=" + "x".repeat(10_000));
    assertThat(Bench.error(bench.handle(new Command.UpdateJob(ALICE, "1", fields))))
        .isEqualTo(SlurmError.PATHNAME_TOO_LONG);
    assertThat(bench.core.state()).isSameAs(before);
  }

  @ParameterizedTest
  @CsvSource({"4194304, true", "4194305, false"})
  void aScriptIsNoLongerThanMaxScriptSize(int bytes, boolean taken) {
    String begin = "#!/bin/sh\n";
    String script = begin + "#".repeat(bytes - begin.length());
    Reply reply =
        bench.handle(
            new Command.Submit(ALICE, TestCluster.submission().with(s -> s.script(script))));
    if (taken) {
      assertThat(reply).isInstanceOf(Reply.Submitted.class);
    } else {
      assertThat(Bench.error(reply)).isEqualTo(SlurmError.PATHNAME_TOO_LONG);
    }
  }

  @Test
  void namesOfTheAccountingAreShortAndOfOneLine() {
    ClusterState before = bench.core.state();
    for (String entity : List.of("account", "user", "qos")) {
      for (String name : List.of("a\nb", "tab\there", "n".repeat(10_000))) {
        List<String> words = new ArrayList<>(List.of("add", entity, name));
        words.add("account=root");
        assertThat(account(words.toArray(String[]::new)))
            .as("%s %s", entity, name.length())
            .isInstanceOf(Reply.Refused.class);
      }
    }
    assertThat(bench.core.state()).isSameAs(before);
  }

  /** What is too large for them loses its upper bits, as in Slurm, and says no more than that. */
  @ParameterizedTest
  @CsvSource({"99999999999, 1215752191", "4294967299, 3", "4294967293, 4294967293"})
  void numbersOfTheAccountingHave32Bits(String given, long kept) {
    account("add", "qos", "fast");
    assertThat(account("modify", "qos", "fast", "set", "priority=" + given))
        .isInstanceOf(Reply.Done.class);
    Qos fast = Objects.requireNonNull(bench.core.state().accounting().qos().get("fast"));
    assertThat(fast.priority()).isEqualTo(kept);
  }

  @Test
  void aReservationEndsInAYearOfFourDigits() {
    for (String end : List.of("endtime=9999-12-31T23:59:59", "duration=4000000-0")) {
      var fields = Bench.fields("starttime=now", end, "nodes=n1", "users=alice");
      assertThat(bench.handle(new Command.SaveReservation(ROOT, true, fields)))
          .as(end)
          .isInstanceOf(Reply.Refused.class);
    }
    assertThat(bench.core.state().reservations()).isEmpty();
  }
}
