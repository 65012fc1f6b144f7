package dev.yardmaster.console.tour;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.console.ClippedText;
import dev.yardmaster.console.theme.Theme;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.testfx.framework.junit5.ApplicationExtension;

@ExtendWith(ApplicationExtension.class)
class TourTest {
  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"DARK, en", "LIGHT, es"})
  void everyStopIsPicturedInFullSizeWithoutClippedText(Theme theme, String language)
      throws Exception {
    // What is left of it when the stop has settled counts.
    Map<String, List<String>> clipped = new ConcurrentHashMap<>();
    List<TourStop> stops = new ArrayList<>();
    for (TourStop stop : FrameStops.all()) {
      stops.add(
          new TourStop(
              stop.name(),
              (shell, context) -> {
                var ready = stop.visit().apply(shell, context);
                return () -> {
                  clipped.put(stop.name(), ClippedText.in(shell.root()));
                  return ready.getAsBoolean();
                };
              }));
    }
    List<Path> files = Tour.run(folder, theme, Locale.of(language), "", stops);

    assertThat(files).hasSameSizeAs(stops);
    for (Path file : files) {
      BufferedImage picture = ImageIO.read(file.toFile());
      assertThat(picture.getWidth()).isEqualTo(Tour.WIDTH);
      assertThat(picture.getHeight()).isEqualTo(Tour.HEIGHT);
      assertThat(colours(picture)).as("%s", file).hasSizeGreaterThan(50);
    }
    assertThat(clipped).allSatisfy((stop, texts) -> assertThat(texts).as(stop).isEmpty());
  }

  @Test
  void aStopThatFailsIsNamed() {
    TourStop broken =
        TourStop.of(
            "broken",
            (shell, context) -> {
              throw new IllegalStateException("no job 4711");
            });

    assertThatThrownBy(() -> Tour.run(folder, Theme.DARK, Locale.ENGLISH, "", List.of(broken)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("stop broken")
        .hasMessageContaining("no job 4711");
  }

  private static Set<Integer> colours(BufferedImage picture) {
    Set<Integer> colours = new HashSet<>();
    for (int y = 0; y < picture.getHeight(); y += 3) {
      for (int x = 0; x < picture.getWidth(); x += 3) {
        colours.add(picture.getRGB(x, y));
      }
    }
    return colours;
  }
}
