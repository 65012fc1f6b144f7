package dev.yardmaster.console.kit;

import javafx.scene.AccessibleRole;
import javafx.scene.control.Button;
import javafx.scene.layout.HBox;

/** Stands above content that is older than it should be: how old, why, and what to do. */
public final class StaleBanner extends HBox {
  /** A banner in the tone of attention. */
  public StaleBanner(String text, NextStep step) {
    this(text, Tone.ATTENTION, step);
  }

  /** A banner in another tone. */
  public StaleBanner(String text, Tone tone, NextStep step) {
    getStyleClass().addAll("banner", tone.styleClass());
    setAccessibleRole(AccessibleRole.TEXT);
    setAccessibleText(text);
    Button button = new Button(step.label());
    button.setOnAction(e -> step.run().run());
    button.setMinWidth(USE_PREF_SIZE);
    getChildren().addAll(Icon.WARNING.node(), Labels.wrapping(text), Labels.gap(), button);
  }
}
