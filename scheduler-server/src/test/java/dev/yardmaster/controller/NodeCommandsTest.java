package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.NodeSpec;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.SlurmError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reboots, times out of service, and what is noted of nodes. */
class NodeCommandsTest {
  private static final Identity ROOT = TestCluster.ROOT;

  private static NodeStatus status(Bench lab, String node) {
    return lab.node(node).status();
  }

  private static void boot(Bench lab, String node) {
    NodeSpec spec = lab.node(node).spec();
    lab.now = lab.now.plusSeconds(90);
    lab.handle(
        new Command.NodeRegistered(
            node,
            spec.cpus(),
            spec.sockets(),
            spec.coresPerSocket(),
            spec.threadsPerCore(),
            spec.realMemoryMib(),
            spec.tmpDiskMib(),
            Immutable.sortedMap(Map.of("gpu", 8L)),
            lab.now,
            "0.1",
            List.of()));
  }

  @Test
  void anIdleNodeIsRebootedAtOnceAndBackAfterItsBoot() {
    Bench lab = Bench.ready(Map.of("ReturnToService", "2"));
    lab.nodes(ROOT, "n2", "state=REBOOT", "reason=firmware");
    assertThat(status(lab, "n2").base()).isEqualTo(NodeBaseState.DOWN);
    assertThat(status(lab, "n2").flags()).containsExactly(NodeFlag.REBOOT_ISSUED);
    assertThat(status(lab, "n2").reason()).isEqualTo("firmware : reboot issued");
    lab.register("n2");
    assertThat(status(lab, "n2").has(NodeFlag.REBOOT_ISSUED))
        .as("a registration of the same boot is not the end of the reboot")
        .isTrue();
    boot(lab, "n2");
    assertThat(status(lab, "n2").base()).isEqualTo(NodeBaseState.IDLE);
    assertThat(status(lab, "n2").flags()).isEmpty();
    assertThat(status(lab, "n2").reason()).isEmpty();
  }

  @Test
  void whatANodeMeasuresIsKnownUntilItIsSilent() {
    Bench lab = Bench.ready(Map.of("SlurmdTimeout", "60"));
    NodeMeasure measure = new NodeMeasure(250, 1000, "Linux", lab.now, null);
    lab.handle(new Command.NodeHeartbeat("n1", List.of(), measure));
    lab.handle(new Command.NodeHeartbeat("n1", List.of()));
    assertThat(measured(lab).cpuLoadPercent()).isEqualTo(250);
    assertThat(measured(lab).lastBusy()).isEqualTo(status(lab, "n1").registered());
    int job = lab.run("nodelist=n1", "ntasks=1");
    lab.now = lab.now.plusSeconds(30);
    lab.end(job, 0, 0);
    lab.gone(job, 0);
    assertThat(measured(lab).lastBusy()).isEqualTo(lab.now);
    lab.now = lab.now.plusSeconds(90);
    lab.due();
    assertThat(status(lab, "n1").base()).isEqualTo(NodeBaseState.DOWN);
    assertThat(measured(lab).cpuLoadPercent()).isZero();
    assertThat(measured(lab).freeMib()).isEqualTo(1000);
  }

  private static NodeMeasure measured(Bench lab) {
    return lab.core.measures().of(lab.node("n1")).measure();
  }

  @Test
  void theProgramRunsOnTheNodeOnceItIsFree() {
    Bench lab = Bench.ready(Map.of("RebootProgram", "/sbin/boot now"));
    int job = lab.run("nodelist=n2", "ntasks=1");
    lab.nodes(ROOT, "n2", "state=REBOOT");
    lab.due();
    assertThat(lab.effects).doesNotContain(new Effect.Reboot("n2", "/sbin/boot now"));
    lab.end(job, 0, 0);
    lab.gone(job, 0);
    lab.due();
    lab.due();
    assertThat(lab.effects).containsOnlyOnce(new Effect.Reboot("n2", "/sbin/boot now"));
  }

  @ParameterizedTest
  @CsvSource({"0, DOWN, 'firmware : reboot issued : reboot timed out'", "2, IDLE, ''"})
  void aNodeThatDoesNotComeBackInTimeIsDown(int returns, NodeBaseState then, String reason) {
    Bench lab =
        Bench.ready(Map.of("ReturnToService", Integer.toString(returns), "ResumeTimeout", "90"));
    lab.nodes(ROOT, "n2", "state=REBOOT", "reason=firmware", "nextstate=RESUME");
    lab.pass(90);
    assertThat(status(lab, "n2").flags()).containsExactly(NodeFlag.REBOOT_ISSUED);
    lab.pass(1);
    assertThat(status(lab, "n2").flags()).isEmpty();
    assertThat(status(lab, "n2").base()).isEqualTo(NodeBaseState.DOWN);
    assertThat(status(lab, "n2").nextState()).isEmpty();
    lab.pass(100);
    assertThat(status(lab, "n2").base()).isEqualTo(then);
    assertThat(status(lab, "n2").reason()).isEqualTo(reason);
  }

  @Test
  void infiniteTimeToComeBack() {
    Bench lab = Bench.ready(Map.of("ResumeTimeout", "INFINITE"));
    lab.nodes(ROOT, "n2", "state=REBOOT");
    lab.pass(1_000_000);
    assertThat(status(lab, "n2").has(NodeFlag.REBOOT_ISSUED)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"RESUME, IDLE, ''", "DOWN, DOWN, ' : reboot complete'"})
  void aNodeIsInTheNextStateAfterItsBoot(String next, NodeBaseState base, String end) {
    Bench lab = Bench.ready();
    lab.nodes(ROOT, "n4", "state=drain", "reason=fans");
    lab.nodes(ROOT, "n4", "state=REBOOT", "nextstate=" + next);
    assertThat(status(lab, "n4").nextState()).isEqualTo(next);
    boot(lab, "n4");
    assertThat(status(lab, "n4").base()).isEqualTo(base);
    assertThat(status(lab, "n4").has(NodeFlag.DRAIN)).isFalse();
    assertThat(status(lab, "n4").reason())
        .isEqualTo(end.isEmpty() ? "" : "fans : reboot issued" + end);
  }

  @Test
  void aDrainedNodeStaysDrainedWhenNoNextStateWasAsked() {
    Bench lab = Bench.ready();
    lab.nodes(ROOT, "n4", "state=drain", "reason=fans");
    lab.nodes(ROOT, "n4", "state=REBOOT_ASAP");
    boot(lab, "n4");
    assertThat(status(lab, "n4").flags()).containsExactly(NodeFlag.DRAIN);
    assertThat(status(lab, "n4").reason()).startsWith("fans");
  }

  @Test
  void aBusyNodeGoesOnUntilItIsFree() {
    Bench lab = Bench.ready();
    int first = lab.run("nodelist=n3", "ntasks=1");
    lab.nodes(ROOT, "n3", "state=REBOOT");
    assertThat(status(lab, "n3").reason()).isEqualTo("reboot requested");
    int second = lab.run("nodelist=n3", "ntasks=1");
    assertThat(lab.job(second).state()).isEqualTo(JobState.RUNNING);
    lab.end(first, 0, 0);
    lab.gone(first, 0);
    lab.due();
    assertThat(status(lab, "n3").flags()).containsExactly(NodeFlag.REBOOT_REQUESTED);
    lab.end(second, 0, 0);
    lab.gone(second, 0);
    lab.due();
    assertThat(status(lab, "n3").base()).isEqualTo(NodeBaseState.DOWN);
    assertThat(status(lab, "n3").flags()).containsExactly(NodeFlag.REBOOT_ISSUED);
  }

  @Test
  void asapTakesNoMoreWorkAndCancelTakesThatBack() {
    Bench lab = Bench.ready();
    lab.run("nodelist=n3", "ntasks=1");
    lab.nodes(ROOT, "n3", "state=REBOOT_ASAP");
    assertThat(status(lab, "n3").nextState()).isEqualTo("UNDRAIN");
    assertThat(status(lab, "n3").reason()).isEqualTo("Reboot ASAP");
    int later = lab.run("nodelist=n3", "ntasks=1");
    assertThat(lab.job(later).state()).isEqualTo(JobState.PENDING);
    lab.nodes(ROOT, "n3", "state=CANCEL_REBOOT");
    lab.schedule();
    assertThat(lab.job(later).state()).isEqualTo(JobState.RUNNING);
    assertThat(status(lab, "n3").flags()).isEmpty();
    assertThat(status(lab, "n3").nextState()).isEmpty();
    assertThat(Bench.error(lab.nodes(ROOT, "n3", "state=CANCEL_REBOOT")))
        .isEqualTo(SlurmError.INVALID_NODE_STATE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"state=down", "state=drain"})
  void aNodeOutForATimeComesBackByItself(String out) {
    Bench lab = Bench.ready();
    lab.nodes(ROOT, "n5", out, "reason=cable", "resumeafter=40");
    assertThat(status(lab, "n5").resumeAfter()).isEqualTo(lab.now.plus(Duration.ofSeconds(40)));
    lab.pass(39);
    assertThat(status(lab, "n5").isAvailable()).isFalse();
    lab.pass(1);
    lab.pass(1);
    assertThat(status(lab, "n5").isAvailable()).isTrue();
    assertThat(status(lab, "n5").reason()).isEmpty();
    assertThat(status(lab, "n5").resumeAfter()).isNull();
  }

  @ParameterizedTest
  @CsvSource({"drain, resume", "drain, undrain", "down, resume", "future, resume"})
  void aNodeTakenBackIsOfferedOnceItsDaemonHasAnswered(String out, String back) {
    Bench lab = Bench.ready();
    lab.nodes(ROOT, "n5", "state=" + out, "reason=cable");
    lab.nodes(ROOT, "n5", "state=" + back);
    assertThat(status(lab, "n5").flags()).containsExactly(NodeFlag.NOT_RESPONDING);
    int job = lab.run("nodelist=n5");
    assertThat(lab.job(job).state()).isEqualTo(JobState.PENDING);
    lab.now = lab.now.plusSeconds(1);
    lab.due();
    lab.schedule();
    assertThat(lab.job(job).state()).isEqualTo(JobState.RUNNING);
  }

  @Test
  void whatElseAnUpdateSaysHoldsThoughTheNodeCannotTakeTheState() {
    Bench lab = Bench.ready();
    Reply reply = lab.nodes(ROOT, "n5", "state=resume", "comment=looked at");
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.INVALID_NODE_STATE);
    assertThat(status(lab, "n5").comment()).isEqualTo("looked at");
    assertThat(status(lab, "n5").flags()).isEmpty();
  }

  @Test
  void aNodeThatOnlyFailedOrIsSetIdleNeedNotAnswer() {
    Bench lab = Bench.ready();
    lab.nodes(ROOT, "n5", "state=fail", "reason=soon");
    lab.nodes(ROOT, "n5", "state=resume");
    lab.nodes(ROOT, "n6", "state=down", "reason=x");
    lab.nodes(ROOT, "n6", "state=idle");
    assertThat(status(lab, "n5").isAvailable()).isTrue();
    assertThat(status(lab, "n6").isAvailable()).isTrue();
  }

  @Test
  void aTimeOutOfServiceCanBeTakenBack() {
    Bench lab = Bench.ready();
    lab.nodes(ROOT, "n5", "state=drain", "reason=cable", "resumeafter=40");
    lab.nodes(ROOT, "n5", "state=drain", "reason=cable", "resumeafter=INFINITE");
    lab.pass(41);
    assertThat(status(lab, "n5").has(NodeFlag.DRAIN)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "state=REBOOT|nextstate=IDLE",
        "state=resume|resumeafter=5",
        "state=drain|reason=x|resumeafter=soon",
        "state=drain|reason=x|resumeafter=-2",
        "comment=x|colour=red"
      })
  void aWrongWordChangesNoNode(String fields) {
    Bench lab = Bench.ready();
    NodeStatus before = status(lab, "n1");
    assertThat(lab.nodes(ROOT, "n[1-2]", fields.split("\\|"))).isInstanceOf(Reply.Refused.class);
    assertThat(status(lab, "n1")).isEqualTo(before);
  }

  @Test
  void commentAndExtraOutliveTheStateAndCanBeEmptied() {
    Bench lab = Bench.ready();
    lab.nodes(ROOT, "n6", "comment=spare board", "extra=rack=7");
    lab.nodes(ROOT, "n6", "state=drain", "reason=fan");
    lab.nodes(ROOT, "n6", "state=resume", "extra=");
    assertThat(status(lab, "n6").comment()).isEqualTo("spare board");
    assertThat(status(lab, "n6").extra()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "1", "2"})
  void aJobOfANodeSetDownWaitsAsLongAsAnyThatIsRequeued(String returns) {
    Bench lab = Bench.ready(Map.of("ReturnToService", returns));
    int id = lab.run("nodelist=n3", "requeue");
    lab.nodes(ROOT, "n3", "state=down", "reason=smoke");
    assertThat(lab.job(id).state()).isEqualTo(JobState.PENDING);
    assertThat(lab.job(id).begin()).isEqualTo(lab.now.plusSeconds(121));
  }
}
