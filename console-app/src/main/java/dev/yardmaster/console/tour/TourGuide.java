package dev.yardmaster.console.tour;

import dev.yardmaster.console.fx.Fx;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Shell;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import javafx.animation.AnimationTimer;
import javafx.embed.swing.SwingFXUtils;
import javafx.geometry.Rectangle2D;
import javafx.scene.SnapshotParameters;
import javafx.scene.image.Image;
import javafx.scene.transform.Transform;
import javax.imageio.ImageIO;

/** Walks stops in one window and writes a picture of each. */
final class TourGuide {
  /** Pulses in a row in which a stop must be ready; lists and tables settle within a few. */
  private static final int SETTLED = 6;

  /**
   * Each pixel of a picture is the mean of this many to each side. Without a display JavaFX puts
   * glyphs on whole pixels only, which makes small text uneven; so it draws larger.
   */
  private static final int FINE = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Shell shell;
  private final ConsoleContext context;
  private final Path folder;
  private final String suffix;

  TourGuide(Shell shell, ConsoleContext context, Path folder, String suffix) {
    this.shell = shell;
    this.context = context;
    this.folder = folder;
    this.suffix = suffix;
  }

  /**
   * Writes the pictures one after the other; to be called outside the JavaFX thread.
   *
   * @return the files written, in the order of the stops
   * @throws IOException if a picture cannot be written, or a stop is not ready after 30 s
   */
  List<Path> walk(List<TourStop> stops) throws IOException, InterruptedException {
    List<Path> files = new ArrayList<>();
    for (TourStop stop : stops) {
      files.add(picture(stop));
    }
    return files;
  }

  private Path picture(TourStop stop) throws IOException, InterruptedException {
    CompletableFuture<Path> written = new CompletableFuture<>();
    Fx.later(
        () -> {
          try {
            whenSettled(stop.name(), stop.visit().apply(shell, context), written);
          } catch (RuntimeException | Error e) {
            written.completeExceptionally(e);
          }
        });
    try {
      return written.get();
    } catch (ExecutionException e) {
      throw new IOException("stop " + stop.name() + ": " + e.getCause(), e);
    }
  }

  private void whenSettled(String name, BooleanSupplier ready, CompletableFuture<Path> written) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    new AnimationTimer() {
      private int settled;

      @Override
      public void handle(long now) {
        settled = ready.getAsBoolean() ? settled + 1 : 0;
        if (settled < SETTLED && System.nanoTime() < deadline) {
          return;
        }
        stop();
        if (settled < SETTLED) {
          written.completeExceptionally(
              new IOException("not ready after " + PATIENCE.toSeconds() + " s"));
          return;
        }
        try {
          written.complete(write(name));
        } catch (IOException e) {
          written.completeExceptionally(e);
        }
      }
    }.start();
  }

  private Path write(String name) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve(name + suffix + ".png");
    SnapshotParameters frame = new SnapshotParameters();
    frame.setTransform(Transform.scale(FINE, FINE));
    frame.setViewport(new Rectangle2D(0, 0, FINE * Tour.WIDTH, FINE * Tour.HEIGHT));
    Image fine = shell.root().snapshot(frame, null);
    ImageIO.write(reduced(SwingFXUtils.fromFXImage(fine, null)), "png", file.toFile());
    return file;
  }

  private static BufferedImage reduced(BufferedImage fine) {
    BufferedImage picture = new BufferedImage(Tour.WIDTH, Tour.HEIGHT, BufferedImage.TYPE_INT_RGB);
    int[] block = new int[FINE * FINE];
    for (int y = 0; y < Tour.HEIGHT; y++) {
      for (int x = 0; x < Tour.WIDTH; x++) {
        fine.getRGB(x * FINE, y * FINE, FINE, FINE, block, 0, FINE);
        picture.setRGB(x, y, mean(block));
      }
    }
    return picture;
  }

  private static int mean(int[] colours) {
    int red = 0;
    int green = 0;
    int blue = 0;
    for (int colour : colours) {
      red += colour >> 16 & 0xff;
      green += colour >> 8 & 0xff;
      blue += colour & 0xff;
    }
    int n = colours.length;
    return red / n << 16 | green / n << 8 | blue / n;
  }
}
