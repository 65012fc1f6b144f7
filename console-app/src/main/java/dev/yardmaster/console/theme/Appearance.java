package dev.yardmaster.console.theme;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import javafx.application.Application;
import javafx.beans.property.ObjectProperty;
import javafx.beans.property.ReadOnlyDoubleProperty;
import javafx.beans.property.ReadOnlyDoubleWrapper;
import javafx.beans.property.SimpleObjectProperty;
import javafx.css.PseudoClass;
import javafx.scene.Scene;

/**
 * The look of all windows of the console: theme and font size, applied to each scene that was given
 * to {@link #style}. To be used on the JavaFX thread.
 */
public final class Appearance {
  /** Smallest font size of running text, in pixels. */
  public static final double MIN_FONT_SIZE = 9;

  /** Largest font size of running text, in pixels. */
  public static final double MAX_FONT_SIZE = 20;

  /** Font size that the design is drawn in, in pixels. */
  public static final double DEFAULT_FONT_SIZE = Stylesheets.DESIGN_SIZE;

  private static final PseudoClass LIGHT = PseudoClass.getPseudoClass("light");
  private static final String PACKAGE = "/dev/yardmaster/console/";

  private final ObjectProperty<Theme> theme = new SimpleObjectProperty<>(this, "theme", Theme.DARK);
  private final ReadOnlyDoubleWrapper fontSize =
      new ReadOnlyDoubleWrapper(this, "fontSize", DEFAULT_FONT_SIZE);
  private final Set<String> sheets =
      new LinkedHashSet<>(
          List.of(
              PACKAGE + "theme/controls.css",
              PACKAGE + "kit/kit.css",
              PACKAGE + "dock/dock.css",
              PACKAGE + "shell/shell.css"));
  private final WeakHashMap<Scene, Boolean> scenes = new WeakHashMap<>();
  private String address;

  /** An appearance in the given theme and font size (clamped to the allowed range). */
  public Appearance(Theme theme, double fontSize) {
    Fonts.load();
    this.theme.set(theme);
    this.fontSize.set(clamp(fontSize));
    Application.setUserAgentStylesheet(theme.userAgentStylesheet());
    address = Stylesheets.address(theme, this.fontSize.get(), List.copyOf(sheets));
    this.theme.addListener(
        (o, was, now) -> {
          Application.setUserAgentStylesheet(now.userAgentStylesheet());
          refresh();
        });
    this.fontSize.addListener((o, was, now) -> refresh());
  }

  /**
   * Adds a view package's own sheet, which is applied after those of the frame.
   *
   * @param resource absolute resource name, for example {@code
   *     /dev/yardmaster/console/queue/queue.css}
   */
  public void addSheet(String resource) {
    if (sheets.add(resource)) {
      refresh();
    }
  }

  /** Puts this look on a scene, now and after each change. */
  public void style(Scene scene) {
    scenes.put(scene, true);
    apply(scene);
  }

  /** The theme in use; may be set. */
  public ObjectProperty<Theme> themeProperty() {
    return theme;
  }

  public Theme theme() {
    return theme.get();
  }

  /** The size of running text in pixels. */
  public ReadOnlyDoubleProperty fontSizeProperty() {
    return fontSize.getReadOnlyProperty();
  }

  /** Sets the size of running text; values outside 9 to 20 are moved to the nearest end. */
  public void setFontSize(double size) {
    fontSize.set(clamp(size));
  }

  /** A length of the design, in pixels at the font size in use. */
  public double scaled(double designPixels) {
    return designPixels * fontSize.get() / DEFAULT_FONT_SIZE;
  }

  private static double clamp(double size) {
    return Math.clamp(size, MIN_FONT_SIZE, MAX_FONT_SIZE);
  }

  private void refresh() {
    address = Stylesheets.address(theme.get(), fontSize.get(), List.copyOf(sheets));
    for (Scene scene : new ArrayList<>(scenes.keySet())) {
      apply(scene);
    }
  }

  private void apply(Scene scene) {
    scene.getStylesheets().setAll(address);
    scene.getRoot().pseudoClassStateChanged(LIGHT, theme.get() == Theme.LIGHT);
  }
}
