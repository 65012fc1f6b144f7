package dev.yardmaster.console.fx;

import javafx.application.Platform;

/** The gate to the JavaFX thread. No other class of the console calls {@link Platform#runLater}. */
public final class Fx {
  private Fx() {}

  /** Runs {@code work} on the JavaFX thread, after what is queued there already. */
  public static void later(Runnable work) {
    Platform.runLater(work);
  }

  /** Runs {@code work} at once when called on the JavaFX thread, and later on it otherwise. */
  public static void run(Runnable work) {
    if (Platform.isFxApplicationThread()) {
      work.run();
    } else {
      Platform.runLater(work);
    }
  }
}
