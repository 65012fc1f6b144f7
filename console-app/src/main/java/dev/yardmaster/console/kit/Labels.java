package dev.yardmaster.console.kit;

import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;

/** Labels with the roles that the style sheet knows. */
public final class Labels {
  private Labels() {}

  /** Running text that breaks into lines when there is no room. */
  public static Label wrapping(String text, String... styleClasses) {
    Label label = of(text, styleClasses);
    label.setWrapText(true);
    label.setMinHeight(Region.USE_PREF_SIZE);
    return label;
  }

  /** The first line of a view: its answer. */
  public static Label answer(String text) {
    return wrapping(text, "answer");
  }

  /** A second rank of text, such as notes and units. */
  public static Label muted(String text) {
    return of(text, "muted");
  }

  /** Code and identifiers. */
  public static Label mono(String text) {
    return of(text, "mono");
  }

  /** One line of text. */
  public static Label of(String text, String... styleClasses) {
    Label label = new Label(text);
    label.getStyleClass().addAll(styleClasses);
    return label;
  }

  /** Takes the room that is left in a row, so that what follows stands at the right. */
  public static Region gap() {
    Region gap = new Region();
    HBox.setHgrow(gap, Priority.ALWAYS);
    return gap;
  }
}
