package dev.yardmaster.console.kit;

import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** A labelled amount against a limit: label at the left, value at the right, a bar below. */
public final class Meter extends VBox {
  /**
   * A meter.
   *
   * @param label what is measured
   * @param value used and allowed in words, for example {@code 384 / 512}
   * @param share used divided by allowed
   */
  public Meter(String label, String value, double share, Tone tone) {
    getStyleClass().add("meter");
    setAccessibleRole(AccessibleRole.TEXT);
    setAccessibleText(label + ": " + value);
    Label name = Labels.wrapping(label, "meter-label");
    HBox.setHgrow(name, Priority.ALWAYS);
    Label amount = Labels.of(value, "meter-value");
    amount.setMinWidth(USE_PREF_SIZE);
    HBox line = new HBox(name, Labels.gap(), amount);
    line.getStyleClass().add("meter-line");
    getChildren().addAll(line, new Bar(share, tone));
  }

  /** The same with a note below: how the amount comes about. */
  public Meter note(String text) {
    if (!text.isEmpty()) {
      getChildren().add(Labels.wrapping(text, "note"));
      setAccessibleText(getAccessibleText() + ", " + text);
    }
    return this;
  }
}
