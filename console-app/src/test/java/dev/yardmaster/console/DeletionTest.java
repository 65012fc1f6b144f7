package dev.yardmaster.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Connection;
import dev.yardmaster.console.action.PaletteEntry;
import dev.yardmaster.console.connect.Derived;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.explorer.ExplorerWriter;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.inspector.InspectorWriter;
import dev.yardmaster.console.nodes.NodesViewModel;
import dev.yardmaster.console.overview.Overview;
import dev.yardmaster.console.overview.OverviewCounter;
import dev.yardmaster.console.problems.Problem;
import dev.yardmaster.console.problems.ProblemsWriter;
import dev.yardmaster.console.queue.JobSelection;
import dev.yardmaster.console.queue.QueueViewModel;
import dev.yardmaster.console.shell.ExplorerItem;
import dev.yardmaster.console.shell.Inspection;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A partition, a reservation, nodes and jobs are deleted while every view shows them. */
class DeletionTest {
  private static final String DELETED = "train";
  private static final String NODE = "node001";
  private static final String RESERVATION = "maint-fw-b03";

  private final TestCluster cluster = TestCluster.sample();
  private final Terms terms = TestCluster.terms("en");
  private final QueueViewModel queue =
      new QueueViewModel(cluster.model(), cluster.selection(), terms, cluster.tasks());
  private final NodesViewModel nodes =
      new NodesViewModel(cluster.model(), cluster.selection(), terms, cluster.tasks());
  private final JobSelection selection = new JobSelection(cluster.model(), cluster.selection());
  private final Derived<List<ExplorerItem>> explorer =
      new Derived<>(cluster.model(), cluster.tasks(), List.of(), new ExplorerWriter(terms)::tree);
  private final Derived<List<Problem>> problems =
      new Derived<>(
          cluster.model(), cluster.tasks(), List.of(), new ProblemsWriter(terms)::problems);
  private final ClusterPalette palette = new ClusterPalette(cluster.model(), terms, item -> {});
  private final InspectorWriter inspector = new InspectorWriter(terms, new AccountPalette());

  @AfterEach
  void close() {
    cluster.close();
  }

  private Snapshot snapshot() {
    Snapshot snapshot = cluster.model().snapshot();
    if (snapshot == null) {
      throw new AssertionError("nothing is shown");
    }
    return snapshot;
  }

  private static List<Job> left() {
    return SampleJobs.all().stream().filter(job -> !job.partition().equals(DELETED)).toList();
  }

  private void delete() {
    ClusterView view = SampleCluster.view(left());
    SequencedMap<String, Partition> partitions = new LinkedHashMap<>(view.partitions());
    partitions.remove(DELETED);
    SequencedMap<String, Node> remaining = new LinkedHashMap<>(view.nodes());
    remaining.keySet().removeIf(name -> name.startsWith("node"));
    var reservations = new TreeMap<>(view.reservations());
    reservations.remove(RESERVATION);
    cluster.push(
        new ClusterView(
            view.info(),
            view.jobs(),
            remaining,
            partitions,
            reservations,
            view.figures(),
            view.sequence(),
            view.time(),
            view.asOf(),
            view.connection()),
        new Connection.Live());
  }

  private static String all(List<ExplorerItem> items) {
    StringBuilder text = new StringBuilder();
    for (ExplorerItem item : items) {
      text.append(item.id()).append('\n').append(all(item.children()));
    }
    return text.toString();
  }

  @Test
  void everyViewFollowsAtOnce() {
    cluster.selection().set(Items.job(4711));
    assertThat(selection.jobsProperty().get()).hasSize(1);
    assertThat(all(explorer.value())).contains(DELETED, NODE, RESERVATION);
    delete();
    long waiting = left().stream().filter(job -> job.state() == JobState.PENDING).count();

    assertThat(queue.rows().rowsProperty().get()).hasSameSizeAs(left());
    assertThat(queue.summaryProperty().get()).doesNotContain("77 jobs");
    assertThat(nodes.rows().rowsProperty().get()).hasSize(12);
    assertThat(selection.jobsProperty().get()).isEmpty();
    assertThat(all(explorer.value())).doesNotContain(DELETED, NODE, RESERVATION);
    assertThat(problems.value()).noneMatch(problem -> problem.where().contains(DELETED));
    assertThat(palette.entries())
        .extracting(PaletteEntry::title)
        .noneMatch(title -> title.equals(DELETED) || title.startsWith("node0"))
        .noneMatch(title -> title.equals(RESERVATION) || title.startsWith("4711"));

    Overview overview = OverviewCounter.count(snapshot());
    assertThat(overview.tasks(JobState.PENDING))
        .isEqualTo(overview.waits().stream().mapToLong(Overview.WaitLine::tasks).sum())
        .isGreaterThanOrEqualTo(waiting);
    assertThat(overview.nodeCount()).isEqualTo(12);
    assertThat(overview.partitions()).noneMatch(line -> line.name().equals(DELETED));
  }

  @Test
  void whatWasSelectedIsSaidToBeGone() {
    delete();

    for (var item :
        List.of(
            Items.job(4711),
            Items.node(NODE),
            Items.partition(DELETED),
            Items.reservation(RESERVATION))) {
      Inspection inspection = inspector.inspect(item, snapshot(), SampleCluster.NOW);
      assertThat(String.valueOf(inspection)).contains("no longer");
    }
  }
}
