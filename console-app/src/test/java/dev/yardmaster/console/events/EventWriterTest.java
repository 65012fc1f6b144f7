package dev.yardmaster.console.events;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.model.Hold;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBuilder;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeStatusBuilder;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class EventWriterTest {
  private static final Instant LATER = SampleCluster.NOW.plusSeconds(30);

  private final EventWriter writer = new EventWriter(TestCluster.terms("en"));
  private final Snapshot before = Snapshot.of(SampleCluster.view(), SampleCluster.NOW);

  private List<ClusterEvent> after(ClusterView view) {
    return writer.between(before, Snapshot.of(view, LATER));
  }

  private List<String> afterChange(int id, UnaryOperator<JobBuilder> change) {
    List<Job> jobs = new ArrayList<>(SampleJobs.all());
    jobs.replaceAll(job -> job.id() == id ? change.apply(JobBuilder.builder(job)).build() : job);
    return texts(after(view(jobs, before)));
  }

  /** Jobs that did not change are the same objects in both, as a feed has them. */
  private static ClusterView view(List<Job> jobs, Snapshot before) {
    jobs.replaceAll(job -> before.job(job.id()).filter(job::equals).orElse(job));
    return SampleCluster.view(jobs);
  }

  private static List<String> texts(List<ClusterEvent> events) {
    return events.stream().map(ClusterEvent::text).toList();
  }

  private static ClusterView with(
      ClusterView view,
      SequencedMap<String, Node> nodes,
      SortedMap<String, Reservation> reservations) {
    return new ClusterView(
        view.info(),
        view.jobs(),
        nodes,
        view.partitions(),
        reservations,
        view.figures(),
        view.sequence(),
        view.time(),
        view.asOf(),
        view.connection());
  }

  @Test
  void nothingHappenedWhenNothingChanged() {
    assertThat(writer.between(before, before)).isEmpty();
  }

  @Test
  void holdAndReleaseAreTold() {
    assertThat(afterChange(4711, job -> job.hold(Hold.ADMIN)))
        .containsExactly("Job 4711 qwen-finetune was held");
  }

  @Test
  void theEndOfAJobIsToldWithItsTimeAndHow() {
    Job running = SampleJobs.all().stream().filter(Job::holdsResources).findFirst().orElseThrow();
    List<Job> jobs = new ArrayList<>(SampleJobs.all());
    Instant end = SampleCluster.NOW.plusSeconds(7);
    jobs.replaceAll(
        job ->
            job.id() == running.id()
                ? JobBuilder.builder(job).state(JobState.PREEMPTED).ended(end).build()
                : job);

    assertThat(after(view(jobs, before)))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.text())
                  .startsWith("Job " + running.displayId() + " " + running.name() + " ended")
                  .contains("Preempted");
              assertThat(event.time()).isEqualTo(end);
              assertThat(event.target()).isEqualTo(Items.job(running));
              assertThat(event.urgent()).isTrue();
            });
  }

  @Test
  void aJobThatIsGoneFromTheQueueIsTold() {
    List<Job> jobs = new ArrayList<>(SampleJobs.all());
    jobs.removeIf(job -> job.id() == 4711);

    assertThat(texts(after(view(jobs, before))))
        .containsExactly("Job 4711 qwen-finetune left the queue");
  }

  @Test
  void aNewJobIsToldWithItsUser() {
    List<Job> jobs = new ArrayList<>(SampleJobs.all());
    Job job = JobBuilder.builder(jobs.getFirst()).id(9_000).array(null).build();
    jobs.add(
        JobBuilder.builder(job).state(JobState.PENDING).started(null).allocation(null).build());

    assertThat(texts(after(view(jobs, before))))
        .containsExactly("Job 9000 " + job.name() + " was submitted by " + job.owner().user());
  }

  @Test
  void nodesThatFailTogetherAreOneEvent() {
    ClusterView view = SampleCluster.view(SampleJobs.all());
    SequencedMap<String, Node> nodes = new LinkedHashMap<>(view.nodes());
    for (String name : List.of("node030", "node031", "node032")) {
      nodes.computeIfPresent(
          name,
          (n, node) ->
              node.withStatus(
                  NodeStatusBuilder.builder(node.status())
                      .base(NodeBaseState.DOWN)
                      .reason("power")
                      .build()));
    }
    List<ClusterEvent> events =
        writer.between(before, Snapshot.of(with(view, nodes, view.reservations()), LATER)).stream()
            .filter(event -> event.id().startsWith("nodes/"))
            .toList();

    assertThat(events)
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.text()).isEqualTo("3 nodes down, “power”: node[030-032]");
              assertThat(event.urgent()).isTrue();
            });
  }

  @Test
  void reservationsThatComeAndGoAreTold() {
    ClusterView view = SampleCluster.view();
    SortedMap<String, Reservation> fewer = new TreeMap<>(view.reservations());
    fewer.remove("maint-fw-b03");
    Snapshot without = Snapshot.of(with(view, view.nodes(), fewer), LATER);

    assertThat(reservations(writer.between(before, without)))
        .containsExactly("Reservation maint-fw-b03 ended or was deleted");
    assertThat(reservations(writer.between(without, before)))
        .containsExactly("Reservation maint-fw-b03 was made for node[033-036]");
  }

  private static List<String> reservations(List<ClusterEvent> events) {
    return events.stream()
        .filter(event -> event.id().startsWith("reservation/"))
        .map(ClusterEvent::text)
        .toList();
  }
}
