package dev.yardmaster.console.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatusBuilder;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NodeGroupTest {
  private static Node node(NodeBaseState base, NodeFlag... flags) {
    Node node = SampleCluster.view().nodes().firstEntry().getValue();
    return node.withStatus(
        NodeStatusBuilder.builder(node.status()).base(base).flags(Set.of(flags)).build());
  }

  @Test
  void oneCpuOfManyInUseIsPartlyUsed() {
    assertThat(NodeGroup.of(node(NodeBaseState.IDLE), 1, false)).isEqualTo(NodeGroup.MIXED);
  }

  @Test
  void allCpusInUseIsFull() {
    assertThat(NodeGroup.of(node(NodeBaseState.IDLE), 96, false)).isEqualTo(NodeGroup.ALLOCATED);
  }

  @Test
  void idleInAnActiveReservationIsReserved() {
    assertThat(NodeGroup.of(node(NodeBaseState.IDLE), 0, true)).isEqualTo(NodeGroup.RESERVED);
  }

  @Test
  void idleAndNotRespondingIsNotFree() {
    assertThat(NodeGroup.of(node(NodeBaseState.IDLE, NodeFlag.NOT_RESPONDING), 0, false))
        .isEqualTo(NodeGroup.NOT_RESPONDING);
  }

  @Test
  void drainBesideAnyOtherFlagIsDrained() {
    Node node = node(NodeBaseState.IDLE, NodeFlag.DYNAMIC_NORM, NodeFlag.PLANNED, NodeFlag.DRAIN);

    assertThat(NodeGroup.of(node, 0, false)).isEqualTo(NodeGroup.DRAINED);
    assertThat(NodeGroup.of(node, 8, false)).isEqualTo(NodeGroup.DRAINING);
  }

  @Test
  void downAndDrainedAndSilentIsDown() {
    Node node = node(NodeBaseState.DOWN, NodeFlag.DRAIN, NodeFlag.NOT_RESPONDING);

    assertThat(NodeGroup.of(node, 0, false)).isEqualTo(NodeGroup.DOWN);
  }

  @Test
  void plannedIsItsOwnGroup() {
    assertThat(NodeGroup.of(node(NodeBaseState.IDLE, NodeFlag.PLANNED), 0, false))
        .isEqualTo(NodeGroup.PLANNED);
  }

  @Test
  void aNodeNeverHeardOfIsNeitherFreeNorMissing() {
    assertThat(NodeGroup.of(node(NodeBaseState.UNKNOWN), 0, false)).isEqualTo(NodeGroup.OTHER);
    assertThat(NodeGroup.OTHER.takesWork()).isFalse();
  }
}
