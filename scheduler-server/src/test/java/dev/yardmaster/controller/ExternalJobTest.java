package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.StepProgram;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs for which nothing is launched, on nodes that no daemon serves (n3 and n4). */
class ExternalJobTest {
  private final Bench lab = new Bench(config());

  private static ClusterConfig config() {
    ClusterConfig plain = TestCluster.config(4, Map.of());
    return plain.withNodes(
        plain.nodes().stream()
            .map(n -> n.name().matches("n[34]") ? n.withState("EXTERNAL") : n)
            .toList());
  }

  @BeforeEach
  void registerWhatIsServed() {
    lab.register("n1");
    lab.register("n2");
  }

  private static JobSubmission external(String... options) {
    JobSubmission submission = TestCluster.submission(options);
    return submission.with(
        s -> s.script("").options(Immutable.sortedMap(with(submission.options()))));
  }

  private static Map<String, String> with(Map<String, String> options) {
    Map<String, String> all = new java.util.TreeMap<>(options);
    all.put("external", "");
    return all;
  }

  private int run(String... options) {
    Reply reply = lab.handle(new Command.Submit(ALICE, external(options)));
    lab.schedule();
    return ((Reply.Submitted) reply).jobId();
  }

  @Test
  void nodesThatNoDaemonServesAreUpFromTheBeginning() {
    assertThat(lab.node("n3").status().base()).isEqualTo(NodeBaseState.IDLE);
    assertThat(lab.node("n3").status().flags()).containsExactly(NodeFlag.EXTERNAL);
    lab.nodes(ROOT, "n3", "state=down", "reason=x");
    lab.nodes(ROOT, "n3", "state=resume");
    assertThat(lab.node("n3").status().base()).isEqualTo(NodeBaseState.IDLE);
    lab.now = lab.now.plusSeconds(86_400);
    lab.due();
    assertThat(lab.node("n3").status().base()).as("never silent").isEqualTo(NodeBaseState.IDLE);
  }

  @Test
  void nothingIsLaunchedAndNothingIsEnded() {
    int id = run("nodes=4", "exclusive", "time=1");
    assertThat(lab.job(id).state()).isEqualTo(JobState.RUNNING);
    lab.cancel(ALICE, Integer.toString(id));
    assertThat(lab.job(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(lab.job(id).holdsResources()).isFalse();
    assertThat(lab.effects).isEmpty();
  }

  @Test
  void itsTimeLimitFreesTheNodesAtOnce() {
    int id = run("nodes=4", "exclusive", "time=1");
    lab.pass(120);
    assertThat(lab.job(id).state()).isEqualTo(JobState.TIMEOUT);
    assertThat(lab.job(id).holdsResources()).isFalse();
  }

  @Test
  void aNodeThatRegistersKeepsTheExternalJobOnIt() {
    int id = run("nodelist=n1");
    lab.now = lab.now.plusSeconds(60);
    lab.register("n1");
    assertThat(lab.job(id).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void aNodeThatFailsEndsItBecauseNothingCouldStartAgain() {
    int id = run("nodelist=n3");
    lab.nodes(ROOT, "n3", "state=down", "reason=x");
    assertThat(lab.job(id).state()).isEqualTo(JobState.NODE_FAIL);
  }

  @Test
  void aJobWithAScriptNeverGetsSuchANode() {
    assertThat(Bench.error(lab.handle(submission("nodes=3"))))
        .isEqualTo(SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE);
    assertThat(Bench.error(lab.handle(submission("nodelist=n4"))))
        .isEqualTo(SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE);
    assertThat(lab.handle(submission("nodes=2"))).isInstanceOf(Reply.Submitted.class);
  }

  private static Command submission(String... options) {
    return new Command.Submit(ALICE, TestCluster.submission(options));
  }

  @Test
  void aScriptIsRefused() {
    assertThat(Bench.error(lab.handle(submission("external"))))
        .isEqualTo(SlurmError.INVALID_EXTERNAL_JOB);
  }

  @Test
  void stepsAreRefused() {
    int id = run();
    StepProgram program =
        new StepProgram(List.of("true"), Immutable.sortedMap(), "/", "127.0.0.1", 1, "");
    Reply reply =
        lab.handle(
            new Command.CreateStep(ALICE, Integer.toString(id), Immutable.sortedMap(), program));
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.NOT_SUPPORTED);
  }

  @Test
  void allOfAHeterogeneousJobIsExternalWhenItsLeaderIs() {
    Command mixed =
        new Command.SubmitHet(
            ALICE, List.of(external("ntasks=1"), TestCluster.submission("ntasks=1")));
    assertThat(Bench.error(lab.handle(mixed))).isEqualTo(SlurmError.INVALID_EXTERNAL_JOB);
    Command other =
        new Command.SubmitHet(
            ALICE, List.of(TestCluster.submission("ntasks=1"), external("ntasks=1")));
    assertThat(lab.handle(other)).isInstanceOf(Reply.Submitted.class);
    lab.schedule();
    assertThat(lab.effects).hasSize(1);
  }
}
