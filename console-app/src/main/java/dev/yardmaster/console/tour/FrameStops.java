package dev.yardmaster.console.tour;

import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.sampler.FrameSample;
import dev.yardmaster.console.sampler.Sampler;
import dev.yardmaster.console.shell.Activity;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.shell.ShellActions;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Pictures of the frame itself and of the samples. */
public final class FrameStops {
  private FrameStops() {}

  /** The stops, to be walked in this order in one window. */
  public static List<TourStop> all() {
    return List.of(
        TourStop.of("frame-empty", (shell, context) -> {}),
        TourStop.of("frame-later", (shell, context) -> shell.show(Activity.TOPOLOGY)),
        TourStop.of(
            "sampler-components",
            (shell, context) -> {
              FrameSample.fill(shell, context);
              Sampler.openComponents(shell, context);
            }),
        new TourStop(
            "sampler-states", (shell, context) -> Sampler.openStates(shell, context)::complete),
        TourStop.of("sampler-notices", Sampler::showNotices),
        TourStop.of(
            "shortcuts",
            (shell, context) ->
                context.actions().find(ShellActions.SHORTCUTS).ifPresent(Action::run)),
        new TourStop("palette", FrameStops::palette));
  }

  private static BooleanSupplier palette(Shell shell, ConsoleContext context) {
    shell.palette().open();
    shell.palette().queryProperty().set("re");
    return () -> !shell.palette().matchesProperty().get().isEmpty();
  }
}
