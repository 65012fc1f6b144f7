package dev.yardmaster.console.dock;

import dev.yardmaster.console.i18n.Texts;
import javafx.geometry.Side;
import javafx.scene.control.ContextMenu;
import javafx.scene.control.MenuItem;
import javafx.scene.control.SeparatorMenuItem;

/** The menu of a tab's header. */
final class TabMenu {
  private TabMenu() {}

  static ContextMenu build(DockArea area, EditorTab tab, Texts texts) {
    String id = tab.id();
    return new ContextMenu(
        item(texts.get(DockText.CLOSE), () -> area.close(id)),
        item(texts.get(DockText.CLOSE_OTHERS), () -> area.closeOthers(id)),
        new SeparatorMenuItem(),
        item(texts.get(DockText.SPLIT_RIGHT), () -> area.split(id, Side.RIGHT)),
        item(texts.get(DockText.SPLIT_DOWN), () -> area.split(id, Side.BOTTOM)),
        item(texts.get(DockText.FLOAT), () -> area.floatTab(id)));
  }

  private static MenuItem item(String text, Runnable run) {
    MenuItem item = new MenuItem(text);
    item.setOnAction(e -> run.run());
    return item;
  }
}
