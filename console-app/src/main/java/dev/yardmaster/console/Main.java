package dev.yardmaster.console;

import dev.yardmaster.console.tour.TourMain;
import java.util.Arrays;
import java.util.logging.Logger;
import javafx.application.Application;

/** Starts the console, or with {@code tour} as the first argument the pictures of its views. */
public final class Main {
  /** Held, since a logger that nobody holds forgets its filter. */
  private static final Logger JAVAFX = Logger.getLogger("javafx");

  private Main() {}

  /** Starts what the arguments ask for. */
  public static void main(String[] args) {
    // That JavaFX lies on the class path is a decision, and no news for whoever starts the console.
    JAVAFX.setFilter(
        warning -> !warning.getMessage().startsWith("Unsupported JavaFX configuration"));
    if (args.length > 0 && args[0].equals("tour")) {
      TourMain.main(Arrays.copyOfRange(args, 1, args.length));
      return;
    }
    ConsoleOptions.answer(args).ifPresent(System::exit);
    try {
      Application.launch(ConsoleApp.class, args);
    } catch (UnsupportedOperationException e) {
      // JavaFX has no exception of its own for a display that cannot be opened.
      System.err.println(
          "yardmaster: no window can be opened ("
              + e.getMessage()
              + "); set DISPLAY (ssh -X, Xvfb), or use yardmaster tour, which needs no display");
      System.exit(1);
    }
  }
}
