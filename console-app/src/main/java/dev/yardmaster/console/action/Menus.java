package dev.yardmaster.console.action;

import dev.yardmaster.console.i18n.Texts;
import java.util.ArrayList;
import java.util.List;
import javafx.beans.value.ObservableBooleanValue;
import javafx.collections.ListChangeListener;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuItem;

/** The menus, made of the registered actions. */
public final class Menus {
  private Menus() {}

  /**
   * A new set of menus. They follow the registry: actions added later appear, and whether an action
   * is enabled is read when its menu opens. Menus without actions are not shown.
   */
  public static List<Menu> build(Actions actions, Texts texts) {
    List<Menu> menus = new ArrayList<>();
    for (MenuPlace place : MenuPlace.values()) {
      Menu menu = new Menu(texts.get(place.text()));
      menu.setId("menu-" + place.name());
      menu.setOnShowing(e -> fill(menu, place, actions, texts));
      fill(menu, place, actions, texts);
      menus.add(menu);
    }
    actions
        .all()
        .addListener(
            (ListChangeListener<Action>)
                change -> {
                  for (MenuPlace place : MenuPlace.values()) {
                    fill(menus.get(place.ordinal()), place, actions, texts);
                  }
                });
    return menus;
  }

  private static void fill(Menu menu, MenuPlace place, Actions actions, Texts texts) {
    menu.getItems().setAll(actions.in(place).stream().map(a -> item(a, texts)).toList());
    menu.setVisible(!menu.getItems().isEmpty());
  }

  private static MenuItem item(Action action, Texts texts) {
    MenuItem item = plainOrSwitch(action, texts.get(action.text()));
    item.setId(action.id());
    // Shown only: the key itself is handled by Actions.install, for all windows alike.
    item.setAccelerator(action.shortcut());
    if (action.icon() != null) {
      item.setGraphic(action.icon().node());
    }
    item.setDisable(!action.enabled().get());
    item.setOnAction(e -> action.run());
    return item;
  }

  private static MenuItem plainOrSwitch(Action action, String text) {
    ObservableBooleanValue selected = action.selected();
    if (selected == null) {
      return new MenuItem(text);
    }
    CheckMenuItem item = new CheckMenuItem(text);
    item.setSelected(selected.get());
    return item;
  }
}
