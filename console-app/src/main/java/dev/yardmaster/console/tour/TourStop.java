package dev.yardmaster.console.tour;

import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Shell;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;

/**
 * One picture of the tour.
 *
 * @param name the file's name without its ending; lower case, words joined by a hyphen
 * @param visit brings the window into the state to be shown; called on the JavaFX thread
 * @param ready whether everything that is shown has arrived; asked on the JavaFX thread
 */
public record TourStop(
    String name, BiConsumer<Shell, ConsoleContext> visit, BooleanSupplier ready) {

  /** A stop that is ready as soon as it is laid out. */
  public TourStop(String name, BiConsumer<Shell, ConsoleContext> visit) {
    this(name, visit, () -> true);
  }
}
