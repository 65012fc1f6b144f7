package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.SlurmError;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Weight, features, devices and names of nodes by {@code scontrol update node}. */
class NodeEditsTest {
  private final Bench lab = Bench.ready();

  private NodeSpec spec(String node) {
    return lab.node(node).spec();
  }

  @Test
  void aHeavierNodeIsTakenLater() {
    lab.nodes(ROOT, "n[1-2]", "weight=9");
    assertThat(lab.host(lab.run("ntasks=1"))).isEqualTo("n3");
    lab.nodes(ROOT, "n2", "weight=0");
    assertThat(lab.host(lab.run("ntasks=1"))).isEqualTo("n2");
    assertThat(Bench.error(lab.nodes(ROOT, "n1", "weight=heavy")))
        .isEqualTo(SlurmError.COMMAND_VALUE);
  }

  @Test
  void aJobWaitsForAFeatureThatIsAvailableOnlyUntilItIsActive() {
    lab.nodes(ROOT, "n5", "availablefeatures=ib,tape", "activefeatures=ib");
    assertThat(spec("n5").availableFeatures()).containsExactly("ib", "tape");
    assertThat(lab.host(lab.run("ntasks=1", "constraint=ib"))).isEqualTo("n5");
    assertThat(Bench.error(lab.handle(submission("constraint=tape"))))
        .isEqualTo(SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE);
    assertThat(Bench.error(lab.handle(submission("constraint=disk"))))
        .isEqualTo(SlurmError.INVALID_FEATURE);
    lab.nodes(ROOT, "n5", "activefeatures=ib,tape");
    assertThat(lab.job(lab.run("ntasks=1", "constraint=tape")).state()).isEqualTo(JobState.RUNNING);
  }

  private static Command submission(String... options) {
    return new Command.Submit(TestCluster.ALICE, TestCluster.submission(options));
  }

  @Test
  void whatIsActiveMustBeAvailable() {
    lab.nodes(ROOT, "n5", "availablefeatures=ib,tape");
    assertThat(spec("n5").features()).containsExactly("ib", "tape");
    for (String fields : List.of("activefeatures=x", "features=ib", "availablefeatures=")) {
      assertThat(Bench.error(lab.nodes(ROOT, "n5", fields)))
          .isEqualTo(SlurmError.ACTIVE_FEATURE_NOT_SUBSET);
    }
    assertThat(spec("n5").features()).containsExactly("ib", "tape");
    lab.nodes(ROOT, "n5", "availablefeatures=", "activefeatures=");
    assertThat(spec("n5").availableFeatures()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"gpu:h100:8, 8", "gpu:8, 8", "gpu:0, 0", "'', 0", "nic:2, 0"})
  void devicesStayOrGo(String gres, long gpus) {
    assertThat(lab.nodes(ROOT, "n4", "gres=" + gres)).isInstanceOf(Reply.Done.class);
    assertThat(spec("n4").gresCount("gpu")).isEqualTo(gpus);
    assertThat(spec("n4").gresCount("nic")).isEqualTo(gres.startsWith("nic") ? 2 : 0);
  }

  @Test
  void someOfTheDevicesCannotGo() {
    assertThat(Bench.error(lab.nodes(ROOT, "n4", "gres=gpu:h100:4")))
        .isEqualTo(SlurmError.INVALID_GRES);
    assertThat(Bench.error(lab.nodes(ROOT, "n4", "gres=gpu:h100:9")))
        .isEqualTo(SlurmError.INVALID_GRES);
    lab.nodes(ROOT, "n4", "gres=gpu:8,nic:2");
    lab.nodes(ROOT, "n4", "gres=gpu:8,nic:1");
    assertThat(spec("n4").gres()).extracting(GresDevices::count).containsExactly(8L, 1L);
  }

  @Test
  void aJobKeepsTheDevicesOfANodeThatLosesThem() {
    int id = lab.run("ntasks=1", "nodelist=n4", "gres=gpu:2");
    lab.nodes(ROOT, "n[1-6]", "gres=");
    int next = lab.run("ntasks=1", "nodelist=n4");
    assertThat(lab.job(next).state()).isEqualTo(JobState.RUNNING);
    lab.end(id, 0, 0);
    assertThat(lab.job(id).state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  void readingTheFilesAgainTakesTheChangesBackButNotTheNotes() {
    lab.nodes(ROOT, "n2", "weight=7", "features=ib", "gres=", "comment=spare", "instanceid=i-1");
    lab.handle(new Command.Reconfigure(ROOT));
    assertThat(spec("n2")).isEqualTo(TestCluster.config(6, Map.of()).nodes().get(1));
    assertThat(lab.node("n2").status().comment()).isEqualTo("spare");
    assertThat(lab.node("n2").status().instanceId()).isEqualTo("i-1");
  }

  @Test
  void namesAreGivenOutInOrder() {
    lab.nodes(ROOT, "n[2-3]", "instanceid=i-[7-8]", "instancetype=p5", "nodeaddr=10.0.0.[2-3]");
    assertThat(lab.node("n3").status().instanceId()).isEqualTo("i-8");
    assertThat(lab.node("n3").status().instanceType()).isEqualTo("p5");
    assertThat(spec("n3").address()).isEqualTo("10.0.0.3");
    assertThat(Bench.error(lab.nodes(ROOT, "n[2-3]", "nodehostname=one")))
        .isEqualTo(SlurmError.INVALID_NODE_NAME);
    lab.nodes(ROOT, "n3", "instanceid=");
    assertThat(lab.node("n3").status().instanceId()).isEmpty();
  }

  @Test
  void aNodeInServiceHasNoReason() {
    lab.nodes(ROOT, "n1", "reason=why");
    assertThat(lab.node("n1").status().reason()).isEmpty();
    lab.nodes(ROOT, "n1", "state=drain", "reason=why");
    lab.nodes(ROOT, "n1", "comment=x");
    assertThat(lab.node("n1").status().reason()).isEqualTo("why");
  }
}
