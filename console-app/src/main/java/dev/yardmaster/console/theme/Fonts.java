package dev.yardmaster.console.theme;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import javafx.scene.text.Font;

/** The fonts shipped with the console, so that it looks the same on every machine. */
public final class Fonts {
  /** Family of running text. */
  public static final String TEXT = "Inter";

  /** Family of code and identifiers. */
  public static final String MONO = "JetBrains Mono";

  private static final List<String> FILES =
      List.of(
          "Inter-Regular.otf",
          "Inter-Medium.otf",
          "Inter-SemiBold.otf",
          "Inter-Bold.otf",
          "JetBrainsMono-Regular.ttf",
          "JetBrainsMono-Bold.ttf");

  private static boolean loaded;

  private Fonts() {}

  /** Makes the families known to JavaFX. Calling it again does nothing. */
  public static synchronized void load() {
    if (loaded) {
      return;
    }
    for (String file : FILES) {
      try (InputStream in = Fonts.class.getResourceAsStream("fonts/" + file)) {
        if (in == null || Font.loadFont(in, 13) == null) {
          throw new IllegalStateException("font " + file + " is missing or not readable");
        }
      } catch (IOException e) {
        throw new UncheckedIOException("font " + file + " could not be read", e);
      }
    }
    loaded = true;
  }
}
