package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.SlurmError;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How states of nodes and partitions take each other's place. */
class NodeStatesTest {
  @Test
  void drainAndFailTakeEachOthersPlace() {
    Bench bench = Bench.ready(Map.of());
    bench.nodes(ROOT, "n1", "state=drain", "reason=d");
    bench.nodes(ROOT, "n1", "state=fail", "reason=f");
    assertThat(bench.node("n1").status().flags()).containsExactly(NodeFlag.FAIL);
    bench.nodes(ROOT, "n1", "state=undrain");
    assertThat(bench.node("n1").status().flags()).containsExactly(NodeFlag.FAIL);
    bench.nodes(ROOT, "n1", "state=drain", "reason=d");
    assertThat(bench.node("n1").status().flags()).containsExactly(NodeFlag.DRAIN);
    bench.nodes(ROOT, "n1", "state=undrain");
    assertThat(bench.node("n1").status().has(NodeFlag.DRAIN)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"down", "drain", "fail"})
  void idleTakesANodeBackWhateverItWas(String state) {
    Bench bench = Bench.ready(Map.of());
    bench.nodes(ROOT, "n1", "state=" + state, "reason=x");
    bench.nodes(ROOT, "n1", "state=idle");
    assertThat(bench.node("n1").status().base()).isEqualTo(NodeBaseState.IDLE);
    assertThat(bench.node("n1").status().flags()).isEmpty();
    assertThat(bench.node("n1").status().reason()).isEmpty();
  }

  @Test
  void aFutureNodeIsBroughtInByResumeAlone() {
    Bench bench = Bench.ready(Map.of());
    bench.nodes(ROOT, "n1", "state=future");
    assertThat(Bench.error(bench.nodes(ROOT, "n1", "state=idle")))
        .isEqualTo(SlurmError.INVALID_NODE_STATE);
    bench.nodes(ROOT, "n1", "state=resume");
    assertThat(bench.node("n1").status().base()).isNotEqualTo(NodeBaseState.FUTURE);
  }

  @ParameterizedTest
  @CsvSource({"'', UP, 1440", "KeepPartState, DRAIN, 1440", "KeepPartInfo, DRAIN, 30"})
  void readingTheFilesAgainKeepsOfPartitionsWhatReconfigFlagsSay(
      String flags, PartitionState state, long minutes) {
    Bench bench = Bench.ready(Map.of("ReconfigFlags", flags));
    ClusterConfig config = bench.core.state().config();
    ClusterConfig limited =
        config.withPartitions(
            config.partitions().stream().map(p -> p.withMaxTimeMinutes(1440)).toList());
    bench.reconfigure(limited);
    bench.handle(new Command.Reconfigure(ROOT));
    bench.handle(new Command.UpdatePartition(ROOT, "main", Bench.fields("state=drain")));
    bench.handle(new Command.UpdatePartition(ROOT, "main", Bench.fields("maxtime=30")));
    bench.handle(new Command.Reconfigure(ROOT));
    Partition main = Objects.requireNonNull(bench.core.state().partitions().get("main"));
    assertThat(main.state()).isEqualTo(state);
    assertThat(main.maxTimeMinutes()).isEqualTo(minutes);
  }

  @Test
  void aNodeThatWasSetDownAnswersWhenTheFilesAreReadAgain() {
    Bench bench = Bench.ready(Map.of("ReturnToService", "2"));
    bench.nodes(ROOT, "n1", "state=down", "reason=x");
    bench.handle(new Command.Reconfigure(ROOT));
    assertThat(bench.node("n1").status().base()).isEqualTo(NodeBaseState.IDLE);
  }

  @Test
  void aStateThatANodeCannotTakeIsNoFaultOfThoseNamedBefore() {
    Bench bench = Bench.ready(Map.of());
    bench.nodes(ROOT, "n1", "state=drain", "reason=d");
    bench.nodes(ROOT, "n3", "state=drain", "reason=d");
    Reply reply = bench.nodes(ROOT, "n[1-3]", "state=resume", "comment=c", "weight=9");
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.INVALID_NODE_STATE);
    assertThat(bench.node("n1").status().has(NodeFlag.DRAIN)).isFalse();
    assertThat(bench.node("n3").status().has(NodeFlag.DRAIN)).isTrue();
    for (String name : new String[] {"n1", "n2", "n3"}) {
      assertThat(bench.node(name).status().comment()).isEqualTo("c");
      assertThat(bench.node(name).spec().weight()).isEqualTo(1);
    }
  }
}
