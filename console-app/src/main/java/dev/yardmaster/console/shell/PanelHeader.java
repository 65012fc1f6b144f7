package dev.yardmaster.console.shell;

import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;

/** The line above a side panel: its name in capitals, a button that hides it, and a remark. */
final class PanelHeader extends HBox {
  private final Label remark = Labels.of("", "heading-text");

  PanelHeader(String name, String hideText, Runnable hide) {
    getStyleClass().add("panel-header");
    Button button = new Button("", Icon.CLOSE.node());
    button.getStyleClass().addAll("quiet", "hide-button");
    button.setAccessibleText(hideText);
    button.setTooltip(new Tooltip(hideText));
    button.setOnAction(e -> hide.run());
    Label title = Labels.of(name, "heading-text");
    title.setMinWidth(USE_PREF_SIZE);
    getChildren().addAll(title, button, Labels.gap(), remark);
  }

  void setRemark(String text) {
    remark.setText(text);
  }
}
