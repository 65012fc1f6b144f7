package dev.yardmaster.console.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodesViewModelTest {
  private final TestCluster cluster = TestCluster.sample();
  private final NodesViewModel nodes =
      new NodesViewModel(
          cluster.model(), cluster.selection(), TestCluster.terms("en"), cluster.tasks());

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<String> names() {
    return nodes.rows().rowsProperty().get().stream().map(NodeUse::name).toList();
  }

  @Test
  void theFirstLineSaysWhatCanBeUsed() {
    assertThat(nodes.answerProperty().get())
        .isEqualTo("55 of 60 nodes take work; 74 GPUs are free on 20 nodes");
  }

  @Test
  void wordsFindNodesByStateJobReasonAndGpu() {
    nodes.filterProperty().set("drained");
    assertThat(names()).containsExactly("node046");

    nodes.filterProperty().set("4642");
    assertThat(names()).containsExactly("node037", "node038");

    nodes.filterProperty().set("gpu:a100 dev0");
    assertThat(names()).hasSize(8);

    nodes.filterProperty().set("fan failure");
    assertThat(names()).containsExactly("node045");

    nodes.filterProperty().set(" ");
    assertThat(names()).hasSize(60);
  }

  @Test
  void selectingARowSelectsTheNodeEverywhere() {
    nodes.select(nodes.rows().rowsProperty().get().getFirst());

    assertThat(cluster.selection().get()).isEqualTo(Items.node("node001"));
  }
}
