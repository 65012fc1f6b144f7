package dev.yardmaster.console.shell;

import dev.yardmaster.console.fx.BackgroundTask;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.EmptyState;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.NextStep;
import java.util.EnumMap;
import java.util.Map;
import javafx.collections.ListChangeListener;
import javafx.scene.Node;
import javafx.scene.control.Button;
import javafx.scene.control.ToggleButton;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/** The area below the centre: problems, events, terminal, changes and background tasks. */
final class ToolArea extends VBox {
  private final Texts texts;
  private final FrameViewModel model;
  private final Map<ToolPanel, Node> contents = new EnumMap<>(ToolPanel.class);
  private final StackPane content = new StackPane();

  ToolArea(ConsoleContext context, FrameViewModel model, NextStep queue, NextStep policy) {
    texts = context.texts();
    this.model = model;
    getStyleClass().add("tool-area");
    contents.put(
        ToolPanel.PROBLEMS,
        empty(Icon.CHECK, ShellText.PROBLEMS_EMPTY, ShellText.PROBLEMS_EMPTY_TEXT, queue));
    contents.put(
        ToolPanel.EVENTS,
        empty(Icon.HISTORY, ShellText.EVENTS_EMPTY, ShellText.EVENTS_EMPTY_TEXT, queue));
    contents.put(
        ToolPanel.TERMINAL,
        empty(Icon.TERMINAL, ShellText.TERMINAL_EMPTY, ShellText.TERMINAL_EMPTY_TEXT, queue));
    contents.put(
        ToolPanel.CHANGES,
        empty(Icon.POLICY, ShellText.CHANGES_EMPTY, ShellText.CHANGES_EMPTY_TEXT, policy));
    showTasks(context, queue);
    context
        .tasks()
        .running()
        .addListener((ListChangeListener<BackgroundTask<?>>) c -> showTasks(context, queue));
    VBox.setVgrow(content, Priority.ALWAYS);
    getChildren().addAll(header(), content);
    model.toolProperty().addListener(o -> show());
    show();
  }

  /** Replaces what a panel shows. */
  void setContent(ToolPanel panel, Node node) {
    contents.put(panel, node);
    show();
  }

  private void showTasks(ConsoleContext context, NextStep queue) {
    boolean none = context.tasks().running().isEmpty();
    setContent(
        ToolPanel.TASKS,
        none
            ? empty(Icon.CLOCK, ShellText.TASKS_EMPTY, ShellText.TASKS_EMPTY_TEXT, queue)
            : new TaskList(context));
    model.countProperty(ToolPanel.TASKS).set(context.tasks().running().size());
  }

  private void show() {
    Node node = contents.get(model.toolProperty().get());
    if (node != null) {
      content.getChildren().setAll(node);
    }
  }

  private HBox header() {
    HBox header = new HBox();
    header.getStyleClass().add("tool-header");
    for (ToolPanel panel : ToolPanel.values()) {
      header.getChildren().add(tab(panel));
    }
    Button hide = new Button("", Icon.CLOSE.node());
    hide.getStyleClass().addAll("quiet", "hide-button");
    hide.setAccessibleText(texts.get(ShellText.HIDE));
    hide.setTooltip(new Tooltip(texts.get(ShellText.HIDE)));
    hide.setOnAction(e -> model.toolsShownProperty().set(false));
    header.getChildren().addAll(Labels.gap(), hide);
    return header;
  }

  private ToggleButton tab(ToolPanel panel) {
    ToggleButton tab = new ToggleButton();
    tab.setId("tool-" + panel.name());
    tab.getStyleClass().add("tool-tab");
    tab.setMinWidth(USE_PREF_SIZE);
    tab.setOnAction(
        e -> {
          tab.setSelected(true);
          model.toolProperty().set(panel);
        });
    Runnable follow =
        () -> {
          int count = model.countProperty(panel).get();
          tab.setText(texts.capitals(panel.text()) + (count == 0 ? "" : " " + count));
          tab.setSelected(model.toolProperty().get() == panel);
        };
    model.countProperty(panel).addListener(o -> follow.run());
    model.toolProperty().addListener(o -> follow.run());
    follow.run();
    return tab;
  }

  private EmptyState empty(Icon icon, ShellText title, ShellText text, NextStep step) {
    EmptyState state = new EmptyState(icon, texts.get(title), texts.get(text), step);
    state.getStyleClass().add("compact");
    return state;
  }
}
