package dev.yardmaster.console.action;

import dev.yardmaster.console.i18n.TextKey;
import dev.yardmaster.console.kit.Icon;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableBooleanValue;
import javafx.scene.input.KeyCombination;
import org.jspecify.annotations.Nullable;

/**
 * Something the user can command. It appears under the same name in its menu, in the palette and in
 * the table of shortcuts.
 *
 * @param id unique and stable, for settings and tests, for example {@code view.theme}
 * @param text its name, an imperative
 * @param menu the menu that it stands in
 * @param shortcut its key combination, or null
 * @param icon its symbol, or null
 * @param enabled whether it can be run now
 * @param selected for a switch: whether it is on; null for a command
 * @param command what it does; called on the JavaFX thread
 */
public record Action(
    String id,
    TextKey text,
    MenuPlace menu,
    @Nullable KeyCombination shortcut,
    @Nullable Icon icon,
    ObservableBooleanValue enabled,
    @Nullable ObservableBooleanValue selected,
    Runnable command) {

  private static final ObservableBooleanValue ALWAYS = Bindings.createBooleanBinding(() -> true);

  /** A command that is always enabled and has neither shortcut nor icon. */
  public static Action of(String id, TextKey text, MenuPlace menu, Runnable command) {
    return new Action(id, text, menu, null, null, ALWAYS, null, command);
  }

  /**
   * The same with a shortcut.
   *
   * @param keys in the notation of {@link KeyCombination#valueOf}; {@code Shortcut} stands for Ctrl
   *     or, on a Mac, Command
   */
  public Action keys(String keys) {
    KeyCombination combination = KeyCombination.valueOf(keys);
    return new Action(id, text, menu, combination, icon, enabled, selected, command);
  }

  /** The same with a symbol. */
  public Action icon(Icon symbol) {
    return new Action(id, text, menu, shortcut, symbol, enabled, selected, command);
  }

  /** The same, enabled only while {@code condition} holds. */
  public Action enabledWhile(ObservableBooleanValue condition) {
    return new Action(id, text, menu, shortcut, icon, condition, selected, command);
  }

  /** The same as a switch that shows whether {@code state} is on. */
  public Action showing(ObservableBooleanValue state) {
    return new Action(id, text, menu, shortcut, icon, enabled, state, command);
  }

  /** Runs it if it is enabled. */
  public void run() {
    if (enabled.get()) {
      command.run();
    }
  }
}
