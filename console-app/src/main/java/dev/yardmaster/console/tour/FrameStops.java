package dev.yardmaster.console.tour;

import dev.yardmaster.console.sampler.Sampler;
import dev.yardmaster.console.shell.Activity;
import java.util.List;

/** Pictures of the frame itself and of the samples. */
public final class FrameStops {
  private FrameStops() {}

  /** The stops, to be walked in this order in one window. */
  public static List<TourStop> all() {
    return List.of(
        new TourStop("frame-empty", (shell, context) -> {}),
        new TourStop("frame-later", (shell, context) -> shell.show(Activity.TOPOLOGY)),
        new TourStop("sampler-components", Sampler::openComponents),
        new TourStop("sampler-states", Sampler::openStates),
        new TourStop("palette", (shell, context) -> shell.palette().open()));
  }
}
