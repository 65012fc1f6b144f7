package dev.yardmaster.console.tour;

import dev.yardmaster.console.ConsoleBuilder;
import dev.yardmaster.console.fx.Fx;
import dev.yardmaster.console.fx.Tasks;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.theme.Appearance;
import dev.yardmaster.console.theme.Theme;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import javafx.application.Platform;
import javafx.scene.Parent;
import javafx.scene.Scene;
import javafx.scene.layout.Pane;
import javafx.stage.Stage;

/** Takes pictures of views without a display. */
public final class Tour {
  /** Width of a picture in pixels. */
  public static final int WIDTH = 1680;

  /** Height of a picture in pixels. */
  public static final int HEIGHT = 1020;

  private static final int WINDOW = 800;

  private static final Map<String, String> HEADLESS =
      Map.of(
          "glass.platform", "Headless",
          "prism.order", "sw",
          "prism.lcdtext", "false",
          "java.awt.headless", "true");

  private Tour() {}

  /**
   * Writes one picture for each stop. Starts JavaFX without a display unless the caller has started
   * it, and leaves it running.
   *
   * @param suffix goes between the stop's name and the file's ending, for example {@code -light}
   * @return the files written
   * @throws IOException if a picture cannot be written or a stop never becomes ready
   */
  public static List<Path> run(
      Path folder, Theme theme, Locale locale, String suffix, List<TourStop> stops)
      throws IOException, InterruptedException {
    return run(folder, theme, locale, suffix, stops, ConsoleBuilder::shell);
  }

  /**
   * The same for a window with other content.
   *
   * @param build makes the content of the window; called on the JavaFX thread
   */
  public static List<Path> run(
      Path folder,
      Theme theme,
      Locale locale,
      String suffix,
      List<TourStop> stops,
      Function<ConsoleContext, Shell> build)
      throws IOException, InterruptedException {
    start();
    CompletableFuture<TourGuide> guide = new CompletableFuture<>();
    Fx.later(
        () -> {
          try {
            guide.complete(open(folder, theme, locale, suffix, build));
          } catch (RuntimeException | Error e) {
            guide.completeExceptionally(e);
          }
        });
    try {
      return guide.get().walk(stops);
    } catch (ExecutionException e) {
      throw new IOException("the window could not be opened: " + e.getCause(), e.getCause());
    }
  }

  private static TourGuide open(
      Path folder,
      Theme theme,
      Locale locale,
      String suffix,
      Function<ConsoleContext, Shell> build) {
    ConsoleContext context =
        ConsoleBuilder.context(
            theme, Appearance.DEFAULT_FONT_SIZE, locale, Tasks.onVirtualThreads());
    Shell shell = build.apply(context);
    // The headless screen is smaller than a picture, and a window larger than its screen cannot be
    // painted there; so the frame is laid out at its full size within a small window.
    Parent frame = shell.root();
    frame.setManaged(false);
    frame.resize(WIDTH, HEIGHT);
    Scene scene = new Scene(new Pane(frame), WINDOW, WINDOW);
    shell.style(scene);
    Stage stage = new Stage();
    shell.attach(stage);
    stage.setScene(scene);
    stage.show();
    return new TourGuide(shell, context, folder, suffix);
  }

  private static void start() throws InterruptedException {
    HEADLESS.forEach((key, value) -> System.getProperties().putIfAbsent(key, value));
    CompletableFuture<Boolean> started = new CompletableFuture<>();
    try {
      Platform.startup(() -> started.complete(true));
    } catch (IllegalStateException alreadyStarted) {
      return;
    }
    try {
      started.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("JavaFX did not start", e);
    }
    Platform.setImplicitExit(false);
  }
}
