package dev.yardmaster.console;

import dev.yardmaster.console.dock.DockLayout;
import dev.yardmaster.console.theme.Appearance;
import dev.yardmaster.console.theme.Theme;
import java.util.List;
import java.util.Map;

/**
 * What the console keeps between starts.
 *
 * @param theme the look
 * @param fontSize size of text in pixels
 * @param language language tag, {@code en} or {@code es}, or empty to follow the system
 * @param window where the window was
 * @param explorerShown whether the explorer was shown
 * @param inspectorShown whether the inspector was shown
 * @param toolsShown whether the panel below was shown
 * @param layout how the centre was divided, and which tabs were where
 * @param queueColumns ids of the shown columns of the queue; empty for the standard ones
 * @param accountColours the index of each account's colour, so that it stays the same
 * @param savedFilters filters of the queue that the user kept
 * @param queueGroup by what the queue is grouped
 * @param quiet whether notices are switched off
 */
public record Settings(
    Theme theme,
    double fontSize,
    String language,
    Window window,
    boolean explorerShown,
    boolean inspectorShown,
    boolean toolsShown,
    DockLayout layout,
    List<String> queueColumns,
    Map<String, Integer> accountColours,
    List<String> savedFilters,
    String queueGroup,
    boolean quiet) {
  public Settings {
    queueColumns = List.copyOf(queueColumns);
    savedFilters = List.copyOf(savedFilters);
    accountColours = Map.copyOf(accountColours);
  }

  /** What a first start has. */
  public static final Settings FIRST =
      new Settings(
          Theme.DARK,
          Appearance.DEFAULT_FONT_SIZE,
          "",
          new Window(Double.NaN, Double.NaN, 1680, 1020, false),
          true,
          true,
          true,
          new DockLayout.Tabs(List.of(), ""),
          List.of(),
          Map.of(),
          List.of(),
          "",
          false);

  /**
   * Where a window is, in pixels of the screen.
   *
   * @param x left edge, or not a number to leave it to the system
   * @param y upper edge, or not a number to leave it to the system
   */
  public record Window(double x, double y, double width, double height, boolean maximized) {}
}
