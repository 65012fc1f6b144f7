package dev.yardmaster.console.tour;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.ClippedText;
import dev.yardmaster.console.fixture.FixtureClient;
import dev.yardmaster.console.fixture.FixtureFeed;
import dev.yardmaster.console.fixture.SampleCluster;
import dev.yardmaster.console.fixture.SampleExplanations;
import dev.yardmaster.console.fixture.SampleJobs;
import dev.yardmaster.console.theme.Theme;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterTourTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"DARK, en", "LIGHT, es"})
  void everyViewAndStateIsPicturedWithoutClippedText(Theme theme, String language)
      throws Exception {
    Map<String, List<String>> clipped = new ConcurrentHashMap<>();
    FixtureFeed feed = FixtureFeed.alive(SampleCluster.view());
    FixtureClient client = new FixtureClient().know(SampleExplanations.of(SampleJobs.all()));

    List<Path> files =
        new ClusterTour(
                folder,
                theme,
                Locale.of(language),
                "",
                (stop, window) -> clipped.put(stop, ClippedText.in(window)))
            .run(SampleCluster.connector(feed, client));

    assertThat(files)
        .extracting(file -> file.getFileName().toString())
        .contains(
            "overview.png",
            "queue.png",
            "why-resources.png",
            "why-running.png",
            "why-ended.png",
            "nodes.png",
            "palette-cluster.png",
            "state-connecting.png",
            "state-disconnected-empty.png",
            "state-failed.png",
            "state-stale.png",
            "state-disconnected.png",
            "state-empty.png");
    assertThat(clipped)
        .hasSameSizeAs(files)
        .allSatisfy((stop, texts) -> assertThat(texts).as(stop).isEmpty());
  }
}
