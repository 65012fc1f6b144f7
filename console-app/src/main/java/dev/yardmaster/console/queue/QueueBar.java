package dev.yardmaster.console.queue;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.shell.ConsoleContext;
import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.control.CheckMenuItem;
import javafx.scene.control.Label;
import javafx.scene.control.Menu;
import javafx.scene.control.MenuButton;
import javafx.scene.control.MenuItem;
import javafx.scene.control.RadioMenuItem;
import javafx.scene.control.SeparatorMenuItem;
import javafx.scene.control.TextField;
import javafx.scene.control.ToggleGroup;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;

/** The first line of the queue: its answer, the filter, and how the table is arranged. */
final class QueueBar extends HBox {
  private final QueueViewModel model;
  private final Texts texts;
  private final QueueChoices choices;
  private final TextField filter = new TextField();

  QueueBar(ConsoleContext context, QueueViewModel model, QueueChoices choices) {
    this.model = model;
    this.choices = choices;
    texts = context.texts();
    Label summary = Labels.answer("");
    summary.textProperty().bind(model.summaryProperty());
    summary.setMaxWidth(Double.MAX_VALUE);
    HBox.setHgrow(summary, Priority.ALWAYS);
    Label shown = Labels.muted("");
    shown.textProperty().bind(model.shownProperty());
    shown.setMinWidth(USE_PREF_SIZE);
    filter.setPromptText(texts.get(QueueText.FILTER_PROMPT));
    filter.setAccessibleText(texts.get(QueueText.FILTER_LABEL));
    filter.setTooltip(new Tooltip(texts.get(QueueText.FILTER_HELP, FilterField.names())));
    filter.getStyleClass().add("queue-filter");
    filter.textProperty().bindBidirectional(model.filterProperty());
    getStyleClass().add("view-header");
    setAlignment(Pos.CENTER_LEFT);
    getChildren().addAll(summary, shown, filter, saved(), groups(), columns());
  }

  /** Puts the cursor into the filter. */
  void focusFilter() {
    filter.requestFocus();
  }

  private MenuButton saved() {
    MenuButton button = new MenuButton("", Icon.HISTORY.node());
    button.setId("saved-filters");
    button.setMinWidth(USE_PREF_SIZE);
    button.setAccessibleText(texts.get(QueueText.SAVED));
    button.setTooltip(new Tooltip(texts.get(QueueText.SAVED)));
    button.setOnShowing(e -> fill(button));
    fill(button);
    return button;
  }

  private void fill(MenuButton button) {
    MenuItem keep = new MenuItem(texts.get(QueueText.SAVED_KEEP));
    keep.setDisable(model.filterProperty().get().isBlank());
    keep.setOnAction(e -> choices.filters().keep(model.filterProperty().get()));
    button.getItems().setAll(keep);
    List<String> kept = choices.filters().filtersProperty().get();
    if (kept.isEmpty()) {
      MenuItem none = new MenuItem(texts.get(QueueText.SAVED_NONE));
      none.setDisable(true);
      button.getItems().addAll(new SeparatorMenuItem(), none);
      return;
    }
    button.getItems().add(new SeparatorMenuItem());
    Menu forget = new Menu(texts.get(QueueText.SAVED_FORGET));
    for (String text : kept) {
      MenuItem use = literal(text);
      use.setOnAction(e -> model.filterProperty().set(text));
      button.getItems().add(use);
      MenuItem drop = literal(text);
      drop.setOnAction(e -> choices.filters().forget(text));
      forget.getItems().add(drop);
    }
    button.getItems().addAll(new SeparatorMenuItem(), forget);
  }

  /** What the user typed; an underscore in it is no mnemonic. */
  private static MenuItem literal(String text) {
    MenuItem item = new MenuItem(text);
    item.setMnemonicParsing(false);
    return item;
  }

  private MenuButton groups() {
    MenuButton button = new MenuButton(texts.get(QueueText.GROUP));
    button.setId("group-by");
    button.setMinWidth(USE_PREF_SIZE);
    ToggleGroup one = new ToggleGroup();
    for (GroupBy by : GroupBy.values()) {
      RadioMenuItem item = new RadioMenuItem(texts.get(by.title()));
      item.setToggleGroup(one);
      item.setSelected(model.grouping().byProperty().get() == by);
      item.setOnAction(e -> model.grouping().byProperty().set(by));
      model.grouping().byProperty().addListener((o, was, now) -> item.setSelected(now == by));
      button.getItems().add(item);
    }
    return button;
  }

  private MenuButton columns() {
    ColumnChoice choice = choices.columns();
    MenuButton button = new MenuButton(texts.get(QueueText.COLUMNS));
    button.setMinWidth(USE_PREF_SIZE);
    for (JobColumn column : JobColumn.values()) {
      CheckMenuItem item = new CheckMenuItem(texts.get(column.title()));
      item.setSelected(choice.isShown(column));
      item.setDisable(column == JobColumn.ID);
      item.setOnAction(e -> choice.show(column, item.isSelected()));
      choice.shownProperty().addListener(o -> item.setSelected(choice.isShown(column)));
      button.getItems().add(item);
    }
    MenuItem reset = new MenuItem(texts.get(QueueText.COLUMNS_RESET));
    reset.setOnAction(e -> choice.reset());
    button.getItems().addAll(new SeparatorMenuItem(), reset);
    return button;
  }
}
