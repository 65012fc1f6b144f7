package dev.yardmaster.console.connect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Connection;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeSpecBuilder;
import dev.yardmaster.model.NodeStatusBuilder;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SnapshotTest {
  private static Snapshot of(ClusterView view) {
    return Snapshot.of(view, SampleCluster.NOW);
  }

  private static ClusterView with(ClusterView view, SequencedMap<String, Node> nodes) {
    return new ClusterView(
        view.info(),
        view.jobs(),
        nodes,
        view.partitions(),
        view.reservations(),
        view.figures(),
        view.sequence(),
        view.time(),
        view.asOf(),
        new Connection.Live());
  }

  private static Map<NodeGroup, Integer> groups(Snapshot snapshot) {
    Map<NodeGroup, Integer> groups = new EnumMap<>(NodeGroup.class);
    snapshot.nodes().values().forEach(use -> groups.merge(use.group(), 1, Integer::sum));
    return groups;
  }

  @Test
  void drainedNodesStayInAGroupAndTheTotalStays() {
    ClusterView view = SampleCluster.view();
    SequencedMap<String, Node> nodes = new LinkedHashMap<>(view.nodes());
    for (int i = 1; i <= 5; i++) {
      nodes.computeIfPresent(
          "dev0" + i,
          (name, node) ->
              node.withStatus(
                  NodeStatusBuilder.builder(node.status()).flags(Set.of(NodeFlag.DRAIN)).build()));
    }

    Map<NodeGroup, Integer> before = groups(of(view));
    Map<NodeGroup, Integer> after = groups(of(with(view, nodes)));

    assertThat(before.values().stream().mapToInt(i -> i).sum()).isEqualTo(60);
    assertThat(after.values().stream().mapToInt(i -> i).sum()).isEqualTo(60);
    assertThat(after.get(NodeGroup.DRAINED))
        .isEqualTo(before.getOrDefault(NodeGroup.DRAINED, 0) + 5);
  }

  @Property(tries = 200)
  void everyStateHasAGroupAndGpusAddUp(
      @ForAll @Size(max = 6) Set<NodeFlag> flags, @ForAll NodeBaseState base) {
    ClusterView view = SampleCluster.view();
    SequencedMap<String, Node> nodes = new LinkedHashMap<>();
    view.nodes()
        .forEach(
            (name, node) ->
                nodes.put(
                    name,
                    node.withStatus(
                        NodeStatusBuilder.builder(node.status())
                            .base(base)
                            .flags(flags.isEmpty() ? Set.of() : EnumSet.copyOf(flags))
                            .build())));

    Snapshot snapshot = of(with(view, nodes));

    assertThat(groups(snapshot).values().stream().mapToInt(i -> i).sum()).isEqualTo(60);
    assertThat(snapshot.gpus().total()).isEqualTo(48 * 8 + 8 * 4);
    assertThat(snapshot.gpus().allocatedShare()).isBetween(0.0, 1.0);
  }

  @Test
  void moreGpusInUseThanConfiguredIsNoNegativeNumber() {
    ClusterView view = SampleCluster.view();
    SequencedMap<String, Node> nodes = new LinkedHashMap<>();
    view.nodes()
        .forEach(
            (name, node) ->
                nodes.put(
                    name,
                    new Node(
                        NodeSpecBuilder.builder(node.spec()).gres(List.of()).build(),
                        node.status())));

    Snapshot snapshot = of(with(view, nodes));

    assertThat(snapshot.gpus()).isEqualTo(UnitCount.NONE);
    assertThat(snapshot.gpus().allocatedShare()).isZero();
    assertThat(snapshot.gpusByAccount()).isEmpty();
  }

  @Test
  void onlyJobsThatHoldThemCountAsUsers() {
    List<Job> jobs =
        SampleCluster.view().jobs().values().stream()
            .map(
                job ->
                    job.state() == JobState.RUNNING
                        ? JobBuilder.builder(job).state(JobState.COMPLETED).build()
                        : job)
            .toList();

    Snapshot snapshot = of(SampleCluster.view(jobs));

    assertThat(snapshot.gpusByAccount()).isEmpty();
    assertThat(snapshot.gpus().allocated()).isZero();
    assertThat(snapshot.tasks(JobState.RUNNING)).isZero();
  }

  @Test
  void partsComeFromTheSameSnapshot() {
    Snapshot snapshot = of(SampleCluster.view());
    long byAccount = snapshot.gpusByAccount().values().stream().mapToLong(g -> g).sum();

    assertThat(snapshot.gpus().allocated()).isEqualTo(byAccount).isEqualTo(318);
    assertThat(snapshot.gpus().free() + snapshot.gpus().unavailable()).isEqualTo(416 - 318);
  }

  @Test
  void anArrayThatWaitsCountsItsTasksAsARunningOneDoes() {
    Snapshot snapshot = of(SampleCluster.view());

    assertThat(snapshot.tasks(JobState.PENDING)).isEqualTo(17 + 60);
    assertThat(snapshot.tasks(JobState.RUNNING)).isEqualTo(16);
  }
}
