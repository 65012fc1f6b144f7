package dev.yardmaster.console.action;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.scene.Scene;
import javafx.scene.input.KeyEvent;

/** The one place where every action is registered. To be used on the JavaFX thread. */
public final class Actions {
  private final Map<String, Action> byId = new LinkedHashMap<>();
  private final ObservableList<Action> all = FXCollections.observableArrayList();

  /**
   * Adds actions, which then appear everywhere.
   *
   * @throws IllegalArgumentException if an id or a shortcut is in use already
   */
  public void add(Action... actions) {
    for (Action action : actions) {
      Action same = byId.get(action.id());
      if (same != null) {
        throw new IllegalArgumentException("action " + action.id() + " is registered twice");
      }
      for (Action other : all) {
        if (action.shortcut() != null && action.shortcut().equals(other.shortcut())) {
          throw new IllegalArgumentException(
              "actions %s and %s share the shortcut %s"
                  .formatted(other.id(), action.id(), action.shortcut().getName()));
        }
      }
      byId.put(action.id(), action);
      all.add(action);
    }
  }

  /** All actions in the order they were added. */
  public ObservableList<Action> all() {
    return FXCollections.unmodifiableObservableList(all);
  }

  /** The actions of one menu, in order. */
  public List<Action> in(MenuPlace menu) {
    return all.stream().filter(action -> action.menu() == menu).toList();
  }

  public Optional<Action> find(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  /** Makes the shortcuts work in a window. */
  public void install(Scene scene) {
    scene.addEventFilter(KeyEvent.KEY_PRESSED, this::handle);
  }

  private void handle(KeyEvent event) {
    for (Action action : all) {
      if (action.shortcut() != null && action.shortcut().match(event) && action.enabled().get()) {
        action.run();
        event.consume();
        return;
      }
    }
  }
}
