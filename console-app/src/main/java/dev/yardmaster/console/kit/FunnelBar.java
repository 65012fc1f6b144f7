package dev.yardmaster.console.kit;

import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.input.KeyCode;
import javafx.scene.input.KeyEvent;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** One step of a funnel: how many are left, and where the others went. */
public final class FunnelBar extends VBox {
  /**
   * A step.
   *
   * @param label the condition, as a noun phrase
   * @param count how many meet it, formatted
   * @param share how many meet it, of all
   * @param note where the others went, or empty
   */
  public FunnelBar(String label, String count, double share, Tone tone, String note) {
    getStyleClass().add("funnel-bar");
    Label amount = Labels.of(count, "funnel-count");
    amount.setMinWidth(USE_PREF_SIZE);
    HBox line = new HBox(Labels.wrapping(label, "funnel-label"), Labels.gap(), amount);
    line.getStyleClass().add("funnel-line");
    getChildren().addAll(line, new Bar(share, tone));
    if (!note.isEmpty()) {
      getChildren().add(Labels.wrapping(note, "note"));
    }
    setAccessibleRole(AccessibleRole.TEXT);
    setAccessibleText(label + ": " + count + (note.isEmpty() ? "" : ", " + note));
  }

  /** Makes the step open what fell out there, by click, Enter or space. */
  public FunnelBar onOpen(Runnable open) {
    getStyleClass().add("openable");
    setAccessibleRole(AccessibleRole.BUTTON);
    setFocusTraversable(true);
    setOnMouseClicked(e -> open.run());
    addEventHandler(
        KeyEvent.KEY_PRESSED,
        e -> {
          if (e.getCode() == KeyCode.ENTER || e.getCode() == KeyCode.SPACE) {
            open.run();
            e.consume();
          }
        });
    return this;
  }
}
