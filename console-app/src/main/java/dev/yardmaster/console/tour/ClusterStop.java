package dev.yardmaster.console.tour;

import dev.yardmaster.console.ClusterViews;
import dev.yardmaster.console.shell.Shell;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javafx.scene.Parent;

/**
 * One picture of the views of a cluster.
 *
 * @param name the file's name without its ending
 * @param visit brings the window into the state to be shown
 * @param ready whether everything that is shown has arrived
 */
record ClusterStop(
    String name, BiConsumer<Shell, ClusterViews> visit, Predicate<ClusterViews> ready) {
  /** Loading states show themselves only after 200 ms. */
  private static final Duration QUIET = Duration.ofMillis(400);

  /**
   * The stop in a window.
   *
   * @param look sees the window when the stop is ready, before its picture is taken
   */
  TourStop of(Supplier<ClusterViews> views, BiConsumer<String, Parent> look) {
    return new TourStop(
        name,
        (shell, context) -> {
          visit.accept(shell, views.get());
          long visited = System.nanoTime();
          return () -> {
            boolean there =
                System.nanoTime() - visited > QUIET.toNanos() && ready.test(views.get());
            if (there) {
              look.accept(name, shell.root());
            }
            return there;
          };
        });
  }
}
