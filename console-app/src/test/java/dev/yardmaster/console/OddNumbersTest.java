package dev.yardmaster.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.client.Connection;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Link;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.explorer.ExplorerWriter;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.inspector.InspectorWriter;
import dev.yardmaster.console.overview.Overview;
import dev.yardmaster.console.overview.OverviewCounter;
import dev.yardmaster.console.problems.ProblemsWriter;
import dev.yardmaster.console.queue.JobColumn;
import dev.yardmaster.console.status.StatusWriter;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeSpecBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Jobs and nodes that do not fit together, from sources that disagree, give no odd number. */
class OddNumbersTest {
  private static final Pattern ODD =
      Pattern.compile("NaN|Infinit|∞|(?<![\\w\\]−-])[-−]\\d+[.,\\d]* *(GPU|CPU|%|/)");

  private final Terms terms = TestCluster.terms("en");

  /** What a node says it has, with everything from nothing to too much used on it. */
  record Odd(int cpus, long memory, boolean gpus, boolean started, long endsIn) {}

  @Provide
  Arbitrary<Odd> odd() {
    return Combinators.combine(
            Arbitraries.of(0, 1, 8, 128),
            Arbitraries.of(0L, 1L, 480_000L),
            Arbitraries.of(true, false),
            Arbitraries.of(true, false),
            Arbitraries.longs().between(-100_000, 100_000))
        .as(Odd::new);
  }

  private static Snapshot snapshot(Odd odd) {
    List<Job> jobs = new ArrayList<>(SampleJobs.all());
    jobs.replaceAll(
        job ->
            job.state() == JobState.RUNNING
                ? JobBuilder.builder(job)
                    .started(odd.started() ? job.started() : null)
                    .ended(SampleCluster.NOW.plusSeconds(odd.endsIn()))
                    .build()
                : job);
    ClusterView view = SampleCluster.view(jobs);
    SequencedMap<String, Node> nodes = new LinkedHashMap<>();
    view.nodes()
        .forEach(
            (name, node) ->
                nodes.put(
                    name,
                    new Node(
                        NodeSpecBuilder.builder(node.spec())
                            .cpus(odd.cpus())
                            .realMemoryMib(odd.memory())
                            .gres(odd.gpus() ? node.spec().gres() : List.of())
                            .build(),
                        node.status())));
    return Snapshot.of(
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
            new Connection.Live()),
        SampleCluster.NOW);
  }

  @Property(tries = 120)
  void noTextHasAnOddNumberAndSharesAreShares(@ForAll("odd") Odd odd) {
    Snapshot snapshot = snapshot(odd);
    Instant now = SampleCluster.NOW;
    List<String> texts = new ArrayList<>();
    Overview overview = OverviewCounter.count(snapshot);
    texts.add(overview.units() + " " + overview.unitsByAccount() + overview.partitions());
    texts.add(new ExplorerWriter(terms).tree(snapshot).toString());
    texts.add(new ProblemsWriter(terms).problems(snapshot).toString());
    Link link = new Link(Link.Phase.LIVE, "ctl01:6817", now, "");
    new StatusWriter(terms)
        .segments(snapshot, link, Duration.ZERO)
        .forEach(segment -> texts.add(segment.text() + " " + segment.tooltip()));
    InspectorWriter inspector = new InspectorWriter(terms, new AccountPalette());
    for (String name : List.of("node001", "dev01", "mem1", "node045")) {
      texts.add(String.valueOf(inspector.inspect(Items.node(name), snapshot, now)));
    }
    texts.add(String.valueOf(inspector.inspect(Items.partition("train"), snapshot, now)));
    texts.add(String.valueOf(inspector.inspect(Items.account("nlp"), snapshot, now)));
    for (Job job : snapshot.jobs()) {
      for (JobColumn column : JobColumn.values()) {
        texts.add(column.text(job, terms, now));
      }
    }

    assertThat(texts).allSatisfy(text -> assertThat(ODD.matcher(text).find()).as(text).isFalse());
    assertThat(overview.units().allocatedShare()).isBetween(0.0, 1.0);
    assertThat(snapshot.cpus().allocated() + snapshot.cpus().free() + snapshot.cpus().unavailable())
        .isEqualTo(60L * odd.cpus());
  }
}
