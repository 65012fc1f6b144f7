package dev.yardmaster.console.why;

import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Pill;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** The top of an explanation: the answer, what it rests on, and its age. */
final class PageHeader {
  private PageHeader() {}

  /**
   * The header.
   *
   * @param asOf from when the answer is
   * @param tools what stands at the right of the answer
   */
  static Node build(String answer, String lead, WhyPage.Badge badge, Label asOf, Node... tools) {
    Label first = Labels.answer(answer);
    first.setId("answer");
    first.setMaxWidth(Double.MAX_VALUE);
    HBox.setHgrow(first, Priority.ALWAYS);
    HBox side = new HBox(Pill.withDot(badge.text(), badge.tone()));
    side.getChildren().addAll(tools);
    side.getStyleClass().add("why-tools");
    side.setAlignment(Pos.CENTER_RIGHT);
    side.setMinWidth(Region.USE_PREF_SIZE);
    HBox top = new HBox(first, side);
    top.getStyleClass().add("why-top");
    VBox header = new VBox(top);
    if (!lead.isEmpty()) {
      header.getChildren().add(Labels.wrapping(lead, "lead"));
    }
    header.getChildren().add(asOf);
    header.getStyleClass().add("why-header");
    return header;
  }
}
