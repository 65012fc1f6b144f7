package dev.yardmaster.console.shell;

import dev.yardmaster.console.fx.BackgroundTask;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.kit.Tone;
import java.util.List;
import javafx.collections.ListChangeListener;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.layout.HBox;

/**
 * The bar at the lower edge: what the cluster does, and what the console does behind the scenes.
 */
final class StatusBar extends HBox {
  private final ConsoleContext context;
  private final Texts texts;
  private final FrameViewModel model;
  private final HBox segments = new HBox();
  private final HBox work = new HBox();

  StatusBar(ConsoleContext context, FrameViewModel model) {
    this.context = context;
    this.model = model;
    texts = context.texts();
    getStyleClass().add("status-bar");
    segments.getStyleClass().add("status-segments");
    segments.setMinWidth(0);
    work.getStyleClass().add("status-work");
    work.setMinWidth(USE_PREF_SIZE);
    getChildren().addAll(segments, Labels.gap(), work);
    model.statusProperty().addListener((o, was, now) -> show(now));
    show(model.statusProperty().get());
    context.tasks().running().addListener((ListChangeListener<BackgroundTask<?>>) c -> showWork());
    showWork();
  }

  private void show(List<StatusSegment> parts) {
    List<StatusSegment> shown =
        parts.isEmpty()
            ? List.of(
                new StatusSegment(
                    texts.get(ShellText.STATUS_NONE),
                    Tone.ATTENTION,
                    texts.get(ShellText.STATUS_NONE_HINT)))
            : parts;
    segments.getChildren().setAll(shown.stream().map(StatusBar::label).toList());
  }

  private static Label label(StatusSegment segment) {
    Label label = Labels.of(segment.text(), "status-text");
    if (segment.mark() != null) {
      label.setGraphic(new Dot(segment.mark()));
    }
    label.setTooltip(new Tooltip(segment.tooltip()));
    return label;
  }

  private void showWork() {
    List<BackgroundTask<?>> running = context.tasks().running();
    work.getChildren().clear();
    if (running.isEmpty()) {
      return;
    }
    BackgroundTask<?> first = running.getFirst();
    String title =
        running.size() == 1
            ? first.title()
            : texts.get(ShellText.TASKS_RUNNING, running.size()) + " · " + first.title();
    Button open = new Button(title);
    open.getStyleClass().addAll("quiet", "status-button");
    open.setOnAction(
        e -> {
          model.toolProperty().set(ToolPanel.TASKS);
          model.toolsShownProperty().set(true);
        });
    Button cancel = new Button("", Icon.CLOSE.node());
    cancel.getStyleClass().addAll("quiet", "status-button");
    cancel.setAccessibleText(texts.get(ShellText.CANCEL));
    cancel.setTooltip(new Tooltip(texts.get(ShellText.CANCEL)));
    cancel.setOnAction(e -> first.cancel());
    work.getChildren().addAll(open, TaskProgress.bar(first), cancel);
  }
}
