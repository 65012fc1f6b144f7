package dev.yardmaster.console.action;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import javafx.scene.input.KeyCombination;

/** How shortcuts are shown: beside commands and in the table of all of them. */
public final class Shortcuts {
  private Shortcuts() {}

  /** The keys of an action as the platform writes them, or empty when it has none. */
  public static String display(Action action) {
    KeyCombination keys = action.shortcut();
    // JavaFX has no character for this one key.
    return keys == null ? "" : keys.getDisplayText().replace("BACK_SLASH", "\\");
  }

  /** The actions that have a shortcut, by menu and then in their order. */
  public static List<Action> table(Actions actions) {
    List<Action> table = new ArrayList<>(actions.all());
    table.removeIf(action -> action.shortcut() == null);
    table.sort(Comparator.comparing(Action::menu));
    return table;
  }
}
