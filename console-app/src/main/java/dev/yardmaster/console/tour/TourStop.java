package dev.yardmaster.console.tour;

import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Shell;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;

/**
 * One picture of the tour.
 *
 * @param name the file's name without its ending; lower case, words joined by a hyphen
 * @param visit brings the window into the state to be shown and gives whether everything that is
 *     shown has arrived; both are called on the JavaFX thread
 */
public record TourStop(String name, BiFunction<Shell, ConsoleContext, BooleanSupplier> visit) {

  /** A stop that is ready as soon as it is laid out. */
  public static TourStop of(String name, BiConsumer<Shell, ConsoleContext> visit) {
    return new TourStop(
        name,
        (shell, context) -> {
          visit.accept(shell, context);
          return () -> true;
        });
  }
}
