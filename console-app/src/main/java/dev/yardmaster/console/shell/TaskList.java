package dev.yardmaster.console.shell;

import dev.yardmaster.console.fx.BackgroundTask;
import dev.yardmaster.console.kit.Labels;
import javafx.scene.control.Button;
import javafx.scene.control.Label;
import javafx.scene.control.ProgressBar;
import javafx.scene.layout.HBox;
import javafx.scene.layout.VBox;

/** The running background tasks, each with its progress and a button that cancels it. */
final class TaskList extends VBox {
  private final ConsoleContext context;

  TaskList(ConsoleContext context) {
    this.context = context;
    getStyleClass().add("task-list");
    for (BackgroundTask<?> task : context.tasks().running()) {
      getChildren().add(line(task));
    }
  }

  private HBox line(BackgroundTask<?> task) {
    Label count = Labels.muted("");
    ProgressBar bar = TaskProgress.bar(task);
    Runnable follow = () -> count.setText(TaskProgress.count(task, context));
    task.doneProperty().addListener(o -> follow.run());
    follow.run();
    Button cancel = new Button(context.texts().get(ShellText.CANCEL));
    cancel.setOnAction(e -> task.cancel());
    HBox line = new HBox(Labels.of(task.title()), bar, count, Labels.gap(), cancel);
    line.getStyleClass().add("task-line");
    return line;
  }
}
