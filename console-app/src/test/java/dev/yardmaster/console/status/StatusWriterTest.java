package dev.yardmaster.console.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.console.connect.Link;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.TestCluster;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.LiveState;
import dev.yardmaster.console.shell.StatusSegment;
import dev.yardmaster.model.PassFigures;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StatusWriterTest {
  private final StatusWriter writer = new StatusWriter(TestCluster.terms("en"));
  private final Snapshot snapshot = Snapshot.of(SampleCluster.view(), SampleCluster.NOW);

  private static Link link(Link.Phase phase) {
    return new Link(phase, "ctl01:6817", SampleCluster.NOW, "connection refused");
  }

  @Test
  void aLiveClusterTellsItsFigures() {
    assertThat(writer.segments(snapshot, link(Link.Phase.LIVE), Duration.ofSeconds(1)))
        .extracting(StatusSegment::text)
        .containsExactly(
            "ctl01 primary",
            "Data 1\u00a0s old",
            "Cycle 11\u00a0ms · plan 84\u00a0ms",
            "Pending 77 · Running 16",
            "GPU 318 / 416 allocated");
  }

  @Test
  void aPassThatWasTooQuickToMeasureIsNotSaidToTakeNoTime() {
    ClusterView view = SampleCluster.view();
    Snapshot quick =
        Snapshot.of(
            new ClusterView(
                view.info(),
                view.jobs(),
                view.nodes(),
                view.partitions(),
                view.reservations(),
                new PassFigures(SampleCluster.NOW, 0, 400, 1, 1, 1),
                view.sequence(),
                view.time(),
                view.asOf(),
                view.connection()),
            SampleCluster.NOW);

    assertThat(writer.segments(quick, link(Link.Phase.LIVE), Duration.ZERO))
        .extracting(StatusSegment::text)
        .contains("Cycle under 1\u00a0ms · plan under 1\u00a0ms");
  }

  @Test
  void withoutDataNothingIsInvented() {
    assertThat(writer.segments(null, link(Link.Phase.CONNECTING), Duration.ZERO))
        .extracting(StatusSegment::text)
        .containsExactly("Connecting to ctl01:6817");
  }

  @Test
  void aLostConnectionSaysWhy() {
    StatusSegment first =
        writer.segments(snapshot, link(Link.Phase.DISCONNECTED), Duration.ofMinutes(3)).getFirst();

    assertThat(first)
        .isEqualTo(
            new StatusSegment("ctl01 primary not connected", Tone.ATTENTION, "connection refused"));
  }

  @Test
  void theLivePillTellsTheAgeOfStaleData() {
    assertThat(writer.live(link(Link.Phase.LIVE), Duration.ZERO)).isEqualTo(LiveState.NOW);
    assertThat(writer.live(link(Link.Phase.STALE), Duration.ofSeconds(20)))
        .isEqualTo(new LiveState(LiveState.Kind.STALE, "20\u00a0s"));
    assertThat(writer.live(link(Link.Phase.FAILED), Duration.ZERO)).isEqualTo(LiveState.NONE);
  }
}
