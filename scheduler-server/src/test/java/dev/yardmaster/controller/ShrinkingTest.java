package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.ReqTres;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.Tres;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs that run and give nodes back. */
class ShrinkingTest {
  private static String nodes(Job job) {
    return Objects.requireNonNull(job.allocation()).nodes().toString();
  }

  @ParameterizedTest
  @CsvSource({
    "numnodes=2, n[1-2]",
    "numnodes=1, n1",
    "numnodes=4, n[1-4]",
    "'reqnodelist=n[1,3]', 'n[1,3]'",
    "'nodelist=n[1-2,4]', 'n[1-2,4]'"
  })
  void aJobThatRunsKeepsWhatItSays(String field, String kept) {
    Bench bench = Bench.ready(Map.of());
    int id = bench.run("nodes=4", "ntasks=8");
    bench.effects.clear();
    bench.update(ROOT, id, field);
    Job job = bench.job(id);
    assertThat(nodes(job)).isEqualTo(kept);
    Tres held = Objects.requireNonNull(job.allocation()).tres();
    int count = Objects.requireNonNull(job.allocation()).shares().size();
    assertThat(held.amounts()).containsEntry(Tres.NODE, (long) count);
    assertThat(ReqTres.of(job.request()).get(Tres.NODE)).isEqualTo(count);
    assertThat(bench.effects.stream().filter(e -> e instanceof Effect.Terminate))
        .as("what runs on the others is killed")
        .hasSize(4 - count);
  }

  @ParameterizedTest
  @CsvSource({
    "numnodes=0, INVALID_NODE_COUNT",
    "numnodes=5, NOT_SUPPORTED",
    "numnodes=1-2, JOB_NOT_PENDING",
    "reqnodelist=n2, INVALID_NODE_NAME",
    "'reqnodelist=n[1,6]', INVALID_NODE_NAME",
    "reqnodelist=nowhere, INVALID_NODE_NAME",
    "numcpus=1, JOB_NOT_PENDING"
  })
  void whatItCannotKeepChangesNothing(String field, SlurmError error) {
    Bench bench = Bench.ready(Map.of());
    int id = bench.run("nodes=4", "ntasks=8");
    Job before = bench.job(id);
    assertThat(Bench.error(bench.update(ROOT, id, field))).isEqualTo(error);
    assertThat(bench.job(id)).isEqualTo(before);
  }

  @Test
  void aSiteMayForbidIt() {
    Bench bench = Bench.ready(Map.of());
    ClusterConfig config = bench.core.state().config();
    bench.reconfigure(
        config.withScheduling(
            config
                .scheduling()
                .withParameters(Immutable.sortedMap(Map.of("disable_job_shrink", "")))));
    bench.handle(new Command.Reconfigure(ROOT));
    int id = bench.run("nodes=2");
    assertThat(Bench.error(bench.update(ROOT, id, "numnodes=1")))
        .isEqualTo(SlurmError.NOT_SUPPORTED);
    assertThat(nodes(bench.job(id))).isEqualTo("n[1-2]");
  }

  @Test
  void othersTakeWhatItGaveBackAtOnce() {
    Bench bench = Bench.ready(Map.of());
    int id = bench.run("nodes=6", "exclusive=");
    int next = bench.run("nodes=2", "exclusive=");
    assertThat(bench.job(next).allocation()).isNull();
    bench.update(ROOT, id, "numnodes=4");
    bench.schedule();
    assertThat(nodes(bench.job(next))).isEqualTo("n[5-6]");
  }
}
