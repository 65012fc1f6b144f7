package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.NodeSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What waits for the next pass, and for what a pass comes at once. */
class PassRequestsTest {
  private static Bench bench(Map<String, String> settings, String... parameters) {
    ClusterConfig config = TestCluster.config(6, settings);
    Map<String, String> words = parameters.length == 0 ? Map.of() : Map.of(parameters[0], "");
    Bench bench =
        new Bench(
            config.with(
                c ->
                    c.scheduling(
                        config.scheduling().with(p -> p.parameters(Immutable.sortedMap(words))))));
    config.nodes().stream().map(NodeSpec::name).forEach(bench::register);
    return bench;
  }

  private static Turn turn(Bench bench, Command command) {
    return bench.core.handle(command, bench.now).turn();
  }

  private static Command interactive() {
    JobSubmission script = TestCluster.submission("nodes=1");
    return new Command.Submit(
        ALICE,
        new JobSubmission(
            script.options(), "", List.of(), script.environment(), "", "", "/", "head"));
  }

  private static Command gone(Bench bench, int id) {
    return new Command.RunGone("n1", id, 0, bench.now);
  }

  /** Whether a pass comes at once when the only node of a job says that it is done. */
  private static boolean atOnceAfter(Bench bench, boolean kill) {
    int id = bench.run("nodelist=n1");
    bench.handle(
        kill
            ? new Command.CancelJobs(ROOT, List.of("" + id), Immutable.sortedMap(), "")
            : new Command.ScriptEnded("n1", id, 0, new ExitCode(0, 0), bench.now, ""));
    Turn turn = turn(bench, gone(bench, id));
    assertThat(turn.wantsPass()).isTrue();
    return turn.wantsPassAtOnce();
  }

  @Test
  void aBatchJobWaitsAndSomebodyAtATerminalDoesNot() {
    Bench bench = bench(Map.of());
    Turn batch = turn(bench, new Command.Submit(ALICE, TestCluster.submission("nodes=1")));
    assertThat(batch.wantsPass()).isTrue();
    assertThat(batch.wantsPassAtOnce()).isFalse();
    assertThat(turn(bench, interactive()).wantsPassAtOnce()).isTrue();
    assertThat(turn(bench(Map.of(), "defer_batch"), interactive()).wantsPassAtOnce()).isTrue();
    Turn deferred = turn(bench(Map.of(), "defer"), interactive());
    assertThat(deferred.wantsPassAtOnce()).isFalse();
    assertThat(deferred.wantsPass()).isTrue();
  }

  @Test
  void theEndOfAJobWaitsUnlessItsNodesHadToEndItOrRunEpilog() {
    assertThat(atOnceAfter(bench(Map.of()), false)).isFalse();
    assertThat(atOnceAfter(bench(Map.of()), true)).isTrue();
    assertThat(atOnceAfter(bench(Map.of("Epilog", "/bin/true")), false)).isTrue();
  }

  @Test
  void deferPutsItOff() {
    assertThat(atOnceAfter(bench(Map.of(), "defer"), true)).isFalse();
    assertThat(atOnceAfter(bench(Map.of(), "defer_batch"), true)).isFalse();
  }

  @Test
  void onlyTheLastNodeOfAKilledJobAsks() {
    Bench bench = bench(Map.of());
    int id = bench.run("nodelist=n[1-2]", "ntasks-per-node=1");
    bench.handle(new Command.CancelJobs(ROOT, List.of("" + id), Immutable.sortedMap(), ""));
    assertThat(turn(bench, gone(bench, id)).wantsPass()).isFalse();
    Turn last = turn(bench, new Command.RunGone("n2", id, 0, bench.now));
    assertThat(last.wantsPassAtOnce()).isTrue();
  }
}
