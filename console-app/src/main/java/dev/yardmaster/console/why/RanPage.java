package dev.yardmaster.console.why;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.i18n.Formats;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Card;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Meter;
import dev.yardmaster.console.shell.ConsoleContext;
import java.util.List;
import javafx.geometry.HPos;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.ColumnConstraints;
import javafx.scene.layout.GridPane;
import javafx.scene.layout.Priority;
import javafx.scene.layout.VBox;

/** Draws where a job runs, or how it ended. */
final class RanPage {
  private static final int MAX_PLACES = 64;

  private final Texts texts;
  private final WhyViewModel model;
  private final Label asOf;
  private final ObstacleRows obstacles;

  RanPage(ConsoleContext context, WhyViewModel model, Label asOf) {
    this.texts = context.texts();
    this.model = model;
    this.asOf = asOf;
    this.obstacles = new ObstacleRows(context, model);
  }

  VBox build(RunPage page) {
    GridPane grid = new GridPane();
    grid.getStyleClass().add("why-columns");
    ColumnConstraints half = new ColumnConstraints();
    half.setPercentWidth(50);
    grid.getColumnConstraints().addAll(half, half);
    VBox left = new VBox(new Card(texts.get(WhyText.TIMES), WaitingPage.facts(page.times())));
    left.getStyleClass().add("column");
    if (page.turn() instanceof RunPage.Turn turn) {
      left.getChildren().add(turn(turn));
    }
    if (page.heldBack() instanceof RunPage.HeldBack held) {
      left.getChildren()
          .add(
              new Card(texts.get(WhyText.HELD_BACK), obstacles.rows(held.jobs()))
                  .remark(held.remark()));
    }
    if (page.turn() instanceof RunPage.Turn turn && !turn.priority().parts().isEmpty()) {
      left.getChildren().add(WaitingPage.priority(turn.priority()));
    }
    if (!page.outcome().isEmpty()) {
      Card outcome = new Card(texts.get(WhyText.OUTCOME), WaitingPage.facts(page.outcome()));
      left.getChildren().addFirst(outcome);
    }
    VBox right = new VBox(new Card(page.whereTitle(), places(page.places())));
    right.getStyleClass().add("column");
    if (!page.reasons().isEmpty()) {
      VBox rows = GatesCard.rows(page.reasons());
      right
          .getChildren()
          .add(new Card(texts.get(WhyText.PLACED), rows).remark(texts.get(WhyText.PLACED_REMARK)));
    }
    grid.addRow(0, left, right);
    return new VBox(PageHeader.build(page.answer(), page.lead(), page.state(), asOf), grid);
  }

  private Card turn(RunPage.Turn turn) {
    Card card = new Card(texts.get(WhyText.TURN), Labels.wrapping(turn.how()));
    if (!turn.waits().isEmpty()) {
      card.getChildren().add(Labels.of(texts.get(WhyText.TURN_WAITS), "note"));
    }
    for (WhyPage.Amount wait : turn.waits()) {
      card.getChildren().add(new Meter(wait.label(), wait.value(), wait.share(), wait.tone()));
    }
    return card;
  }

  private Node places(List<RunPage.Place> places) {
    if (places.isEmpty()) {
      return Labels.wrapping(texts.get(WhyText.WHERE_NONE), "secondary");
    }
    GridPane grid = new GridPane();
    grid.getStyleClass().add("changes");
    ColumnConstraints name = new ColumnConstraints();
    name.setHgrow(Priority.ALWAYS);
    ColumnConstraints gpus = new ColumnConstraints();
    gpus.setHgrow(Priority.ALWAYS);
    ColumnConstraints cpus = new ColumnConstraints();
    cpus.setHalignment(HPos.RIGHT);
    ColumnConstraints memory = new ColumnConstraints();
    memory.setHalignment(HPos.RIGHT);
    grid.getColumnConstraints().addAll(name, gpus, cpus, memory);
    grid.addRow(
        0,
        Labels.of(texts.get(WhyText.WHERE_NODE), "note"),
        Labels.of(texts.get(WhyText.WHERE_GPUS), "note"),
        Labels.of(texts.get(WhyText.WHERE_CPUS), "note"),
        Labels.of(texts.get(WhyText.WHERE_MEMORY), "note"));
    int row = 1;
    for (RunPage.Place place : places.subList(0, Math.min(places.size(), MAX_PLACES))) {
      grid.addRow(
          row++,
          name(place),
          Labels.mono(orUnknown(place.gpus())),
          Labels.mono(place.cpus()),
          Labels.mono(orUnknown(place.memory())));
    }
    if (places.size() > MAX_PLACES) {
      String more = texts.get(WhyText.WHERE_MORE, places.size() - MAX_PLACES);
      grid.addRow(row, Labels.muted(more));
    }
    return grid;
  }

  /** A node can be selected; a group of nodes tells which and how many. */
  private Node name(RunPage.Place place) {
    if (place.count() != 1) {
      Label nodes = Labels.wrapping(place.node(), "mono");
      Label count = Labels.of(texts.get(WhyText.WHERE_EACH, place.count()), "note");
      return new VBox(nodes, count);
    }
    Hyperlink node = new Hyperlink(place.node());
    node.getStyleClass().add("mono");
    node.setOnAction(e -> model.select(Items.node(place.node())));
    return node;
  }

  private static String orUnknown(String text) {
    return text.isEmpty() ? Formats.UNKNOWN : text;
  }
}
