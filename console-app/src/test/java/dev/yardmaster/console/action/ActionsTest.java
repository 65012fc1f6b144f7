package dev.yardmaster.console.action;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import javafx.beans.property.SimpleBooleanProperty;
import org.junit.jupiter.api.Test;

class ActionsTest {
  private final Actions actions = new Actions();
  private final List<String> ran = new ArrayList<>();

  private Action action(String id) {
    return Action.of(id, ActionText.MENU_FILE, MenuPlace.FILE, () -> ran.add(id));
  }

  @Test
  void anIdIsTakenOnce() {
    actions.add(action("a"));

    assertThatThrownBy(() -> actions.add(action("b"), action("a")))
        .hasMessageContaining("action a");
    assertThat(actions.find("b")).isEmpty();
  }

  @Test
  void aShortcutIsTakenOnce() {
    actions.add(action("a").keys("Shortcut+K"));

    assertThatThrownBy(() -> actions.add(action("b").keys("Shortcut+K")))
        .hasMessageContaining("a and b share the shortcut");
  }

  @Test
  void aDisabledActionDoesNotRun() {
    SimpleBooleanProperty enabled = new SimpleBooleanProperty(false);
    Action action = action("a").enabledWhile(enabled);

    action.run();
    enabled.set(true);
    action.run();

    assertThat(ran).containsExactly("a");
  }
}
