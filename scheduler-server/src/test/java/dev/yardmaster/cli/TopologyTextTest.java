package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Topology;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TopologyTextTest {
  private static final Topology TREE =
      new Topology.Tree(
          "default",
          List.of(
              new Topology.Switch("s1", List.of(), List.of("a1", "a2")),
              new Topology.Switch("s2", List.of(), List.of("a3")),
              new Topology.Switch("top", List.of("s1", "s2"), List.of())));
  private static final Topology BLOCKS =
      new Topology.Block(
          "racks",
          List.of(
              new Topology.BlockUnit("r1", List.of("a1", "a2")),
              new Topology.BlockUnit("r2", List.of("a3", "a4")),
              new Topology.BlockUnit("r3", List.of("a5", "a6"))),
          List.of(2, 4));

  private static TopologyText.Lines lines(String... words) throws CommandFailure {
    return Objects.requireNonNull(
        TopologyText.of(List.of(TREE, BLOCKS), TopologyText.Asked.of(List.of(words))));
  }

  @Test
  void eachSwitchWithItsLevelAndAllNodesBelow() throws CommandFailure {
    assertThat(lines().lines())
        .containsExactly(
            "SwitchName=s1 Level=0 LinkSpeed=1 Nodes=a[1-2]",
            "SwitchName=s2 Level=0 LinkSpeed=1 Nodes=a3",
            "SwitchName=top Level=1 LinkSpeed=1 Nodes=a[1-3] Switches=s[1-2]");
    assertThat(lines("node=a3").lines()).hasSize(2);
    assertThat(lines("node=a[1,3]").lines()).hasSize(1);
    assertThat(lines("switch=s2").lines()).hasSize(1);
    assertThat(lines("unit=nope").error())
        .isEqualTo("Topology information contains no switch named nope");
  }

  @Test
  void eachBlockAndThoseThatArePlannedTogether() throws CommandFailure {
    assertThat(lines("racks").lines())
        .containsExactly(
            "BlockName=r1 BlockIndex=0 Nodes=a[1-2] BlockSize=2",
            "BlockName=r2 BlockIndex=1 Nodes=a[3-4] BlockSize=2",
            "BlockName=r3 BlockIndex=2 Nodes=a[5-6] BlockSize=2",
            "AggregatedBlock=r[1-2] BlockIndex=3 Nodes=a[1-4] BlockSize=4");
  }

  @Test
  void blocksThatArePlannedTogetherAreNumberedWhereTheyBegin() throws CommandFailure {
    Topology four =
        new Topology.Block(
            "racks",
            List.of(
                new Topology.BlockUnit("r1", List.of("a1", "a2", "a3")),
                new Topology.BlockUnit("r2", List.of("a4")),
                new Topology.BlockUnit("r3", List.of("a5", "a6")),
                new Topology.BlockUnit("r4", List.of("a7", "a8"))),
            List.of(2, 4, 8));
    assertThat(
            Objects.requireNonNull(TopologyText.of(List.of(four), TopologyText.Asked.of(List.of())))
                .lines())
        .endsWith(
            "AggregatedBlock=r[1-2] BlockIndex=4 Nodes=a[1-4] BlockSize=4",
            "AggregatedBlock=r[3-4] BlockIndex=6 Nodes=a[5-8] BlockSize=4",
            "AggregatedBlock=r[1-4] BlockIndex=5 Nodes=a[1-8] BlockSize=8");
  }

  @Test
  void aTopologyThatIsNotThere() throws CommandFailure {
    assertThat(TopologyText.of(List.of(TREE), TopologyText.Asked.of(List.of("n5")))).isNull();
  }
}
