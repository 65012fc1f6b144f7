package dev.yardmaster.console.kit;

import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;

/** A short state in an outlined capsule. */
public final class Pill extends Label {
  /** A pill with text only. */
  public Pill(String text, Tone tone) {
    super(text);
    getStyleClass().addAll("pill", tone.styleClass());
    setMinWidth(USE_PREF_SIZE);
    setAccessibleRole(AccessibleRole.TEXT);
  }

  /** A pill that begins with the shape of its tone. */
  public static Pill withDot(String text, Tone tone) {
    Pill pill = new Pill(text, tone);
    pill.setGraphic(new Dot(tone));
    return pill;
  }
}
