package dev.yardmaster.console.inspector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.shell.Inspection;
import dev.yardmaster.console.shell.Inspection.Fact;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeStatusBuilder;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;

class InspectorWriterTest {
  private final Snapshot snapshot = Snapshot.of(SampleCluster.view(), SampleCluster.NOW);
  private final InspectorWriter writer =
      new InspectorWriter(TestCluster.terms("en"), new AccountPalette());

  private Inspection of(Item item) {
    Inspection inspection = writer.inspect(item, snapshot, SampleCluster.NOW);
    assertThat(inspection).isNotNull();
    return inspection == null ? new Inspection("", List.of()) : inspection;
  }

  private List<Fact> facts(Item item) {
    return of(item).sections().stream()
        .flatMap(
            s -> s instanceof Inspection.Facts f ? f.facts().stream() : List.<Fact>of().stream())
        .toList();
  }

  @Test
  void aJobIsToldInTheFixedOrder() {
    assertThat(of(Items.job(4711)).sections())
        .extracting(Inspection.Section::title)
        .containsExactly(
            "", "Request", "Limits that apply", "Connected with", "History", "As a command");
  }

  @Test
  void aWaitingJobTellsReasonWaitAndRequest() {
    assertThat(facts(Items.job(4711)))
        .contains(
            Fact.of("Waiting", "6\u00a0h\u00a014"),
            Fact.mono("Slurm’s reason", "Resources"),
            Fact.mono("GPU", "gpu:h100:8/node"),
            Fact.of("Memory", "900\u00a0GiB per node"),
            Fact.mono("Planned on", "node[001-002]"));
  }

  @Test
  void aNodeTellsConfiguredAgainstReportedAndWhoDrainedIt() {
    assertThat(facts(Items.node("node046")))
        .contains(
            Fact.of("Reason", "gres/gpu count reported lower than configured (7 < 8)"),
            Fact.of("Set by", "op1"),
            Fact.mono("Slurm’s state", "IDLE+DRAIN"));
  }

  @Test
  void aNodeInUseShowsWhoHoldsWhichGpus() {
    Inspection.Links links =
        of(Items.node("node043")).sections().stream()
            .flatMap(
                s ->
                    s instanceof Inspection.Links l
                        ? List.of(l).stream()
                        : List.<Inspection.Links>of().stream())
            .findFirst()
            .orElseThrow();

    assertThat(links.links())
        .extracting(link -> link.label() + " " + link.detail())
        .containsExactly(
            "4702_0 eval-sweep GPU 0",
            "4702_1 eval-sweep GPU 1",
            "4702_2 eval-sweep GPU 2",
            "4702_3 eval-sweep GPU 3");
    assertThat(facts(Items.node("node043"))).contains(Fact.mono("Slurm’s state", "MIXED"));
  }

  @Test
  void anUnknownBootTimeIsNotShown() {
    ClusterView view = SampleCluster.view();
    SequencedMap<String, Node> nodes = new LinkedHashMap<>(view.nodes());
    nodes.computeIfPresent(
        "node001",
        (name, node) ->
            node.withStatus(
                NodeStatusBuilder.builder(node.status()).bootTime(Instant.EPOCH).build()));
    Snapshot unknown =
        Snapshot.of(
            new ClusterView(
                view.info(),
                view.jobs(),
                nodes,
                view.partitions(),
                view.reservations(),
                view.figures(),
                view.sequence(),
                view.time(),
                view.asOf(),
                view.connection()),
            SampleCluster.NOW);
    Inspection inspection = writer.inspect(Items.node("node001"), unknown, SampleCluster.NOW);

    assertThat(inspection).isNotNull();
    assertThat(String.valueOf(inspection)).doesNotContain("Booted").contains("Registered");
  }

  @Test
  void nodeListsAreFolded() {
    assertThat(facts(Items.partition("train"))).contains(Fact.mono("Node list", "node[001-048]"));
    assertThat(facts(Items.reservation("maint-fw-b03")))
        .contains(Fact.mono("Node list", "node[033-036]"), Fact.mono("Flags", "MAINT"));
  }

  @Test
  void anAccountTellsItsJobs() {
    assertThat(facts(Items.account("bio")))
        .contains(Fact.of("Waiting", "4"), Fact.of("Running", "2"));
  }

  @Test
  void whatIsGoneIsSaidToBeGone() {
    for (Item item :
        List.of(Items.job(1), Items.node("x"), Items.partition("x"), Items.reservation("x"))) {
      assertThat(facts(item)).contains(Fact.of("State", "no longer in the cluster"));
    }
  }
}
