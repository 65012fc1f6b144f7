package dev.yardmaster.console.kit;

import javafx.scene.AccessibleRole;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** What a pane shows instead of content: why there is none, and what to do about it. */
public abstract sealed class StatePane extends VBox
    permits DisconnectedState, EmptyState, ErrorState, LoadingState {

  StatePane(Icon icon, Tone tone, String title, String text) {
    getStyleClass().addAll("state", tone.styleClass());
    setAccessibleRole(AccessibleRole.TEXT);
    setAccessibleText(title + ". " + text);
    StackPane symbol = new StackPane(icon.node());
    symbol.getStyleClass().add("state-icon");
    Label heading = Labels.wrapping(title, "state-title");
    getChildren().addAll(symbol, heading, Labels.wrapping(text, "state-text"));
  }

  final void add(Node node) {
    getChildren().add(node);
  }

  final void addSteps(NextStep first, NextStep... more) {
    HBox buttons = new HBox(button(first, true));
    buttons.getStyleClass().add("state-actions");
    for (NextStep step : more) {
      buttons.getChildren().add(button(step, false));
    }
    add(buttons);
  }

  private static Button button(NextStep step, boolean main) {
    Button button = new Button(step.label());
    if (main) {
      button.getStyleClass().add("accent");
    }
    button.setOnAction(e -> step.run().run());
    return button;
  }
}
