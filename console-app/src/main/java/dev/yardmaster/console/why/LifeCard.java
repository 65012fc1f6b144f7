package dev.yardmaster.console.why;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Card;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.why.LifePage.Band;
import dev.yardmaster.console.why.LifeViewModel.Chosen;
import dev.yardmaster.console.why.LifeViewModel.Life;
import javafx.geometry.Pos;
import javafx.scene.control.Button;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.control.TextField;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** The life of a job and the moment of it that is looked at. Binds to {@link LifeViewModel}. */
final class LifeCard extends VBox {
  private final Texts texts;
  private final LifeViewModel model;
  private final LifeBand band;
  private final Label summary = Labels.wrapping("", "note");
  private final Label stage = Labels.wrapping("", "secondary");
  private final VBox edits = new VBox();
  private final Label problem = Labels.wrapping("", "toned", "tone-attention");
  private final TextField at = new TextField();
  private final Button back;
  private final Button previous;
  private final Button next;
  private final Card card;

  LifeCard(Texts texts, LifeViewModel model) {
    this.texts = texts;
    this.model = model;
    band = new LifeBand(model);
    back = button(LifeText.BACK, Icon.CLOCK, model::now);
    back.getStyleClass().add("accent");
    previous = arrow(LifeText.PREVIOUS, "life-previous", model::previous);
    next = arrow(LifeText.NEXT, "life-next", model::next);
    Label ask = Labels.of(texts.get(LifeText.AT), "note");
    ask.setLabelFor(at);
    ask.setMinWidth(USE_PREF_SIZE);
    at.setPromptText(texts.get(LifeText.AT_PROMPT));
    at.setAccessibleText(texts.get(LifeText.AT));
    at.getStyleClass().add("life-at");
    at.setOnAction(e -> model.choose(at.getText()));
    HBox tools = new HBox(back, previous, next, ask, at);
    tools.getStyleClass().add("life-tools");
    tools.setAlignment(Pos.CENTER_RIGHT);
    edits.getStyleClass().add("life-edits");
    card = new Card(texts.get(LifeText.TITLE)).tools(tools);
    getChildren().add(card);
    model.lifeProperty().addListener(o -> show());
    model.chosenProperty().addListener(o -> tell());
    model.problemProperty().addListener(o -> tell());
    show();
  }

  private Button button(LifeText text, Icon icon, Runnable action) {
    Button button = new Button(texts.get(text), icon.node());
    button.setMinWidth(USE_PREF_SIZE);
    button.setOnAction(e -> action.run());
    return button;
  }

  private Button arrow(LifeText text, String style, Runnable action) {
    Button button = new Button(null, Icon.CHEVRON_RIGHT.node());
    button.getStyleClass().addAll("quiet", style);
    button.setAccessibleText(texts.get(text));
    button.setTooltip(new Tooltip(texts.get(text)));
    button.setOnAction(e -> action.run());
    return button;
  }

  private void show() {
    Life life = model.lifeProperty().get();
    card.getChildren().remove(1, card.getChildren().size());
    switch (life) {
      case Life.None none -> {}
      case Life.Loading loading ->
          card.getChildren().add(Labels.muted(texts.get(LifeText.LOADING)));
      case Life.Failed failed -> {
        Hyperlink again = new Hyperlink(texts.get(LifeText.FAILED_STEP));
        again.setOnAction(e -> model.askAgain());
        card.getChildren()
            .addAll(
                Labels.wrapping(texts.get(LifeText.FAILED, failed.problem()), "secondary"), again);
      }
      case Life.Known known when known.page().bands().isEmpty() ->
          card.getChildren().add(Labels.wrapping(texts.get(LifeText.NONE), "secondary"));
      case Life.Known known -> {
        LifePage page = known.page();
        band.show(page, texts.get(LifeText.BAND, page.bands().size(), page.summary()));
        summary.setText(page.summary());
        card.getChildren().addAll(band, stage, edits);
        if (!page.summary().isEmpty()) {
          card.getChildren().add(summary);
        }
        card.getChildren().add(problem);
      }
    }
    setVisible(!(life instanceof Life.None));
    setManaged(isVisible());
    tell();
  }

  /** What the stage that is looked at is, and why another moment is not shown. */
  private void tell() {
    Chosen chosen = model.chosenProperty().get();
    back.setVisible(chosen != null);
    back.setManaged(chosen != null);
    next.setDisable(chosen == null);
    problem.setText(model.problemProperty().get());
    shown(problem, !problem.getText().isEmpty());
    edits.getChildren().clear();
    if (model.lifeProperty().get() instanceof Life.Known known && !known.page().bands().isEmpty()) {
      LifePage page = known.page();
      int i = chosen == null ? -1 : page.indexOf(chosen.at(), chosen.number());
      Band told = chosen == null || i < 0 ? page.bands().getLast() : page.bands().get(i);
      stage.setText(told.line());
      told.edits().forEach(edit -> edits.getChildren().add(Labels.wrapping(edit, "note")));
    }
    shown(edits, !edits.getChildren().isEmpty());
  }

  private static void shown(javafx.scene.Node node, boolean shown) {
    node.setVisible(shown);
    node.setManaged(shown);
  }
}
