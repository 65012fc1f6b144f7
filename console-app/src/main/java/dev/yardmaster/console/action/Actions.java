package dev.yardmaster.console.action;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javafx.collections.FXCollections;
import javafx.collections.ObservableList;
import javafx.scene.Node;
import javafx.scene.Scene;
import javafx.scene.input.KeyEvent;

/** The one place where every action is registered. To be used on the JavaFX thread. */
public final class Actions {
  /**
   * A node with this property hears Control and a letter itself while the cursor is in it, as
   * programs in a terminal do; shortcuts with another key work there too.
   */
  public static final String KEEPS_KEYS = "keeps-keys";

  private final Map<String, Action> byId = new LinkedHashMap<>();
  private final ObservableList<Action> all = FXCollections.observableArrayList();
  // Kept, because an unmodifiable view that nobody holds stops telling its listeners.
  private final ObservableList<Action> view = FXCollections.unmodifiableObservableList(all);

  /**
   * Adds actions, which then appear everywhere.
   *
   * @throws IllegalArgumentException if an id or a shortcut is in use already; then none is added
   */
  public void add(Action... actions) {
    List<Action> added = new ArrayList<>();
    for (Action action : actions) {
      check(action, all);
      check(action, added);
      added.add(action);
    }
    added.forEach(action -> byId.put(action.id(), action));
    all.addAll(added);
  }

  private static void check(Action action, List<Action> others) {
    for (Action other : others) {
      if (action.id().equals(other.id())) {
        throw new IllegalArgumentException("action " + action.id() + " is registered twice");
      }
      if (action.shortcut() != null && action.shortcut().equals(other.shortcut())) {
        throw new IllegalArgumentException(
            "actions %s and %s share the shortcut %s"
                .formatted(other.id(), action.id(), action.shortcut().getName()));
      }
    }
  }

  /** All actions in the order they were added. */
  public ObservableList<Action> all() {
    return view;
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

  private static boolean isForTarget(KeyEvent event) {
    boolean control = event.isControlDown() && !event.isShiftDown() && !event.isAltDown();
    if (!control || !event.getCode().isLetterKey()) {
      return false;
    }
    Node node = event.getTarget() instanceof Node target ? target : null;
    while (node != null && !node.getProperties().containsKey(KEEPS_KEYS)) {
      node = node.getParent();
    }
    return node != null;
  }

  private void handle(KeyEvent event) {
    if (isForTarget(event)) {
      return;
    }
    for (Action action : all) {
      if (action.shortcut() != null && action.shortcut().match(event) && action.enabled().get()) {
        action.run();
        event.consume();
        return;
      }
    }
  }
}
