package dev.yardmaster.console.shell;

import dev.yardmaster.console.action.Action;
import dev.yardmaster.console.action.Actions;
import dev.yardmaster.console.action.MenuPlace;
import dev.yardmaster.console.dock.DockArea;
import dev.yardmaster.console.dock.DockText;
import dev.yardmaster.console.dock.EditorTab;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.theme.Appearance;
import dev.yardmaster.console.theme.Theme;
import java.util.List;
import java.util.function.Consumer;
import javafx.beans.binding.Bindings;
import javafx.beans.binding.BooleanBinding;
import javafx.beans.property.BooleanProperty;
import javafx.geometry.Side;
import javafx.stage.Stage;

/** The actions of the frame itself. */
public final class ShellActions {
  /** Opens the palette. */
  public static final String PALETTE = "view.palette";

  /** Switches between dark and light. */
  public static final String THEME = "view.theme";

  /** Shows the table of keyboard shortcuts. */
  public static final String SHORTCUTS = "help.shortcuts";

  private ShellActions() {}

  /** The id of the action that shows an activity. */
  public static String go(Activity activity) {
    return "go." + activity.id();
  }

  static void register(Shell shell, ConsoleContext context, FrameViewModel model) {
    Actions actions = context.actions();
    actions.add(
        Action.of(PALETTE, ShellText.ACTION_PALETTE, MenuPlace.GO, shell.palette()::open)
            .keys("Shortcut+K")
            .icon(Icon.SEARCH));
    for (Activity activity : Activity.values()) {
      actions.add(
          Action.of(go(activity), activity.text(), MenuPlace.GO, () -> shell.show(activity))
              .keys("Shortcut+" + (activity.ordinal() + 1))
              .icon(activity.icon()));
    }
    addLook(actions, context.appearance());
    addPanels(actions, model);
    addTabs(actions, shell.dock());
    actions.add(
        Action.of(SHORTCUTS, ShellText.ACTION_SHORTCUTS, MenuPlace.HELP, shell::showShortcuts)
            .keys("F1"));
  }

  /** Actions that need a window rather than a scene. */
  static void registerWindow(Actions actions, Stage stage) {
    actions.add(
        Action.of(
                "view.fullscreen",
                ShellText.ACTION_FULL_SCREEN,
                MenuPlace.VIEW,
                () -> stage.setFullScreen(!stage.isFullScreen()))
            .keys("F11")
            .showing(stage.fullScreenProperty()),
        Action.of("file.quit", ShellText.ACTION_QUIT, MenuPlace.FILE, stage::close)
            .keys("Shortcut+Q"));
  }

  private static void addLook(Actions actions, Appearance look) {
    BooleanBinding light =
        Bindings.createBooleanBinding(() -> look.theme() == Theme.LIGHT, look.themeProperty());
    actions.add(
        Action.of(
                THEME,
                ShellText.ACTION_THEME,
                MenuPlace.VIEW,
                () -> look.themeProperty().set(look.theme().other()))
            .keys("Shortcut+Shift+L")
            .showing(light),
        Action.of("view.bigger", ShellText.ACTION_BIGGER, MenuPlace.VIEW, () -> resize(look, 1))
            .keys("Shortcut+EQUALS"),
        Action.of("view.smaller", ShellText.ACTION_SMALLER, MenuPlace.VIEW, () -> resize(look, -1))
            .keys("Shortcut+MINUS"),
        Action.of(
                "view.font",
                ShellText.ACTION_FONT_RESET,
                MenuPlace.VIEW,
                () -> look.setFontSize(Appearance.DEFAULT_FONT_SIZE))
            .keys("Shortcut+0"));
  }

  private static void resize(Appearance look, int step) {
    look.setFontSize(look.fontSizeProperty().get() + step);
  }

  private static void addPanels(Actions actions, FrameViewModel model) {
    actions.add(
        shown("view.explorer", ShellText.ACTION_EXPLORER, model.explorerShownProperty())
            .keys("Shortcut+B"),
        shown("view.inspector", ShellText.ACTION_INSPECTOR, model.inspectorShownProperty())
            .keys("Shortcut+I"),
        shown("view.tools", ShellText.ACTION_TOOLS, model.toolsShownProperty()).keys("Shortcut+J"),
        shown("view.menubar", ShellText.ACTION_MENU_BAR, model.menuBarShownProperty()).keys("F10"));
    for (ToolPanel panel : ToolPanel.values()) {
      actions.add(
          Action.of(
              "view.tool." + panel.name(),
              panel.text(),
              MenuPlace.VIEW,
              () -> {
                model.toolProperty().set(panel);
                model.toolsShownProperty().set(true);
              }));
    }
  }

  private static Action shown(String id, ShellText text, BooleanProperty shown) {
    return Action.of(id, text, MenuPlace.VIEW, () -> shown.set(!shown.get())).showing(shown);
  }

  private static void addTabs(Actions actions, DockArea dock) {
    BooleanBinding any = dock.activeProperty().isNotNull();
    actions.add(
        onTab("tab.close", DockText.CLOSE, dock, dock::close).keys("Shortcut+W").enabledWhile(any),
        onTab("tab.close.others", DockText.CLOSE_OTHERS, dock, dock::closeOthers).enabledWhile(any),
        onTab("tab.split.right", DockText.SPLIT_RIGHT, dock, id -> dock.split(id, Side.RIGHT))
            .keys("Shortcut+BACK_SLASH")
            .icon(Icon.SPLIT_RIGHT)
            .enabledWhile(any),
        onTab("tab.split.down", DockText.SPLIT_DOWN, dock, id -> dock.split(id, Side.BOTTOM))
            .keys("Shortcut+Shift+BACK_SLASH")
            .icon(Icon.SPLIT_DOWN)
            .enabledWhile(any),
        onTab("tab.float", DockText.FLOAT, dock, dock::floatTab).icon(Icon.FLOAT).enabledWhile(any),
        Action.of("tab.next", ShellText.ACTION_NEXT_TAB, MenuPlace.GO, () -> step(dock, 1))
            .keys("Shortcut+TAB")
            .enabledWhile(any),
        Action.of("tab.previous", ShellText.ACTION_PREVIOUS_TAB, MenuPlace.GO, () -> step(dock, -1))
            .keys("Shortcut+Shift+TAB")
            .enabledWhile(any));
  }

  private static Action onTab(String id, DockText text, DockArea dock, Consumer<String> command) {
    return Action.of(
        id,
        text,
        MenuPlace.VIEW,
        () -> {
          EditorTab active = dock.activeProperty().get();
          if (active != null) {
            command.accept(active.id());
          }
        });
  }

  private static void step(DockArea dock, int by) {
    List<EditorTab> tabs = dock.tabs();
    int at = tabs.indexOf(dock.activeProperty().get());
    if (at >= 0) {
      dock.select(tabs.get(Math.floorMod(at + by, tabs.size())).id());
    }
  }
}
