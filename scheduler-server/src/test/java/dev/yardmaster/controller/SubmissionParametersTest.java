package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.SlurmError;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Options of SchedulerParameters and SelectTypeParameters that say what is taken. */
class SubmissionParametersTest {
  private static Bench bench(String parameters, String select) {
    TreeMap<String, String> words = new TreeMap<>();
    for (String word : parameters.split(",")) {
      String[] parts = word.split("=", 2);
      words.put(parts[0], parts.length == 2 ? parts[1] : "");
    }
    Set<String> chosen = new TreeSet<>(Arrays.asList(select.split(",")));
    ClusterConfig config =
        TestCluster.config(6, Map.of())
            .with(
                c ->
                    c.scheduling(
                        TestCluster.config()
                            .scheduling()
                            .with(
                                p ->
                                    p.parameters(Immutable.sortedMap(words))
                                        .selectParameters(chosen))));
    Bench bench = new Bench(config);
    config.nodes().forEach(n -> bench.register(n.name()));
    return bench;
  }

  private static Reply reply(Bench bench, String... options) {
    return bench.handle(new Command.Submit(ALICE, TestCluster.submission(options)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "allow_zero_lic|licenses=sim:5|licenses=foo:1|INVALID_LICENSES",
        "max_array_tasks=3|array=1-9:4|array=1-4|INVALID_ARRAY",
        "ignore_constraint_validation|constraint=later|prefer=later|INVALID_PREFERRED_FEATURE",
        "ignore_prefer_validation|prefer=later|constraint=later|INVALID_FEATURE",
      })
  void moreOrLessIsTaken(String parameters, String taken, String refused, SlurmError error) {
    Bench bench = bench(parameters, "");
    assertThat(reply(bench, taken)).isInstanceOf(Reply.Submitted.class);
    assertThat(Bench.error(reply(bench, refused))).isEqualTo(error);
    boolean less = parameters.startsWith("max");
    Reply without = reply(Bench.ready(), less ? refused : taken);
    assertThat(without instanceof Reply.Submitted).isEqualTo(less);
  }

  @ParameterizedTest
  @CsvSource({"max_submit_line_size=30, 30, true", "max_submit_line_size=30, 31, false"})
  void theLineOfACommandIsNoLongerThanMaxSubmitLineSize(
      String parameters, int length, boolean taken) {
    JobSubmission submission = TestCluster.submission().with(s -> s.submitLine("s".repeat(length)));
    Reply reply = bench(parameters, "").handle(new Command.Submit(ALICE, submission));
    if (taken) {
      assertThat(reply).isInstanceOf(Reply.Submitted.class);
    } else {
      assertThat(Bench.error(reply)).isEqualTo(SlurmError.PATHNAME_TOO_LONG);
    }
  }

  @Test
  void aLineOfAMebibyteIsTakenWithoutIt() {
    JobSubmission most = TestCluster.submission().with(s -> s.submitLine("s".repeat(1 << 20)));
    JobSubmission more = most.with(s -> s.submitLine(most.submitLine() + "s"));
    assertThat(Bench.ready().handle(new Command.Submit(ALICE, most)))
        .isInstanceOf(Reply.Submitted.class);
    assertThat(Bench.error(Bench.ready().handle(new Command.Submit(ALICE, more))))
        .isEqualTo(SlurmError.PATHNAME_TOO_LONG);
  }

  @Test
  void devicesAreNearCoresByDefaultUnlessAJobSaysOtherwise() {
    Bench bench = bench("", "CR_CORE_MEMORY,ENFORCE_BINDING_GRES");
    int bound = bench.submit("gres=gpu:1");
    int free = bench.submit("gres=gpu:1", "gres-flags=disable-binding");
    assertThat(bench.job(bound).request().enforceBinding()).isTrue();
    assertThat(bench.job(free).request().enforceBinding()).isFalse();
  }

  @Test
  void tasksShareNoGpuByDefaultUnlessAJobSaysOtherwise() {
    Bench bench = bench("", "CR_CORE_MEMORY,MULTIPLE_SHARING_GRES_PJ,ONE_TASK_PER_SHARING_GRES");
    int apart = bench.submit("ntasks=2");
    int together = bench.submit("ntasks=2", "gres-flags=multiple-tasks-per-sharing");
    assertThat(bench.job(apart).request().oneTaskPerSharing()).isTrue();
    assertThat(bench.job(together).request().oneTaskPerSharing()).isFalse();
    assertThat(Bench.error(reply(bench, "gres-flags=one-task-per-sharing")))
        .isEqualTo(SlurmError.COMMAND_FATAL);
  }

  @Test
  void oneTaskForAGpuNeedsPartsOfSeveralGpusForAJob() {
    Bench bench = bench("", "CR_CORE_MEMORY,ONE_TASK_PER_SHARING_GRES");
    assertThat(Bench.error(reply(bench))).isEqualTo(SlurmError.INVALID_GRES);
  }
}
