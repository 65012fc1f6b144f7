package dev.yardmaster.console.why;

import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.ConsoleContext;
import dev.yardmaster.console.shell.Item;
import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.Region;
import javafx.scene.layout.VBox;

/** Draws jobs and reservations that stand in the way, or that wait, one below the other. */
final class ObstacleRows {
  private final ConsoleContext context;
  private final WhyViewModel model;

  ObstacleRows(ConsoleContext context, WhyViewModel model) {
    this.context = context;
    this.model = model;
  }

  VBox rows(List<WhyPage.Obstacle> obstacles) {
    VBox rows = new VBox();
    rows.getStyleClass().add("rows");
    for (WhyPage.Obstacle obstacle : obstacles) {
      rows.getChildren().add(row(obstacle));
    }
    return rows;
  }

  private Node row(WhyPage.Obstacle obstacle) {
    Node mark =
        obstacle.account().isEmpty()
            ? new Dot(Tone.RESERVATION)
            : Dot.ofAccount(context.accounts().indexOf(obstacle.account()));
    Node name =
        obstacle.target() == null
            ? Labels.of(obstacle.label(), "mono")
            : link(obstacle.label(), obstacle.target());
    if (name instanceof Region region) {
      region.setMinWidth(Region.USE_PREF_SIZE);
    }
    Label detail = Labels.wrapping(obstacle.detail(), "muted");
    HBox.setHgrow(detail, Priority.ALWAYS);
    HBox row = new HBox(mark, name, detail);
    row.setAlignment(Pos.CENTER_LEFT);
    row.getStyleClass().add("row");
    return row;
  }

  /** A name that selects what it means. */
  Hyperlink link(String text, Item target) {
    Hyperlink link = new Hyperlink(text);
    link.getStyleClass().add("mono");
    link.setOnAction(e -> model.select(target));
    return link;
  }
}
